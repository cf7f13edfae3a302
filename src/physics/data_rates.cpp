#include "physics/data_rates.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace diffram::physics {

namespace {

struct TypeRates {
  std::string_view dtype;
  ledger::DataRates rates;
};

// Means over the bits of an element: p of "the bit is 1", and 2p(1 − p) of "it differs from the
// next element's". tests/physics/data_rates_test.cpp computes them again from the formats.
constexpr std::array<TypeRates, 14> kRates = {{
    {"fp64", {0.548, 0.443}},
    {"fp32", {0.554, 0.426}},
    {"fp16", {0.522, 0.429}},
    {"bf16", {0.608, 0.351}},
    {"fp8_e4m3fn", {0.497, 0.412}},
    {"fp8_e5m2", {0.558, 0.367}},
    {"complex128", {0.548, 0.443}},
    {"complex64", {0.554, 0.426}},
    {"complex32", {0.522, 0.429}},
    {"int64", {0.125, 0.125}},
    {"uint64", {0.125, 0.125}},
    {"int32", {0.25, 0.25}},
    {"uint32", {0.25, 0.25}},
    {"bool", {0.0625, 0.0625}},
}};

}  // namespace

ledger::DataRates rates_of(std::string_view dtype) {
  const auto* found = std::ranges::find(kRates, dtype, &TypeRates::dtype);
  return found == kRates.end() ? ledger::DataRates{} : found->rates;
}

BurstRates mean_rates(const ledger::RunRecord& run) {
  // A burst's energy is linear in the rates: the mean burst costs what bursts cost in the mean.
  struct Sum {
    double bursts = 0, ones = 0, toggle = 0;
    void add(double n, const ledger::DataRates& rates) {
      bursts += n, ones += n * rates.ones, toggle += n * rates.toggle;
    }
    ledger::DataRates mean(const ledger::DataRates& otherwise) const {
      return bursts > 0 ? ledger::DataRates{ones / bursts, toggle / bursts} : otherwise;
    }
  };
  Sum reads, writes;
  for (const ledger::StepRecord& record : run.records) {
    const auto weight = static_cast<double>(record.weight);
    const auto add = [&](const base::OriginCounters& origin, const ledger::DataRates& read,
                         const ledger::DataRates& write) {
      reads.add(weight * static_cast<double>(origin.reads), read);
      writes.add(weight * static_cast<double>(origin.writes), write);
    };
    for (const base::ChannelCounters& channel : record.channels) {
      for (std::uint32_t i = 0; i < channel.origins.size(); ++i)
        if (const auto* tensor = run.tensor_of(record.first_origin + i))
          add(channel.origins[i], tensor->data, tensor->data);
      add(channel.unnamed, run.unnamed_read, run.unnamed_write);
    }
  }
  return {reads.mean(run.unnamed_read), writes.mean(run.unnamed_write)};
}

}  // namespace diffram::physics
