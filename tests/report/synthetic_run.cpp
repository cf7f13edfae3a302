#include "report/synthetic_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace diffram::report_test {
namespace {

using base::BillKey;
using base::Cause;
using base::OriginId;

constexpr std::int64_t kBurstBytes = 64, kBurstCycles = 4;  // LPDDR5-6400 x16 at 800 MHz
constexpr std::uint32_t kBanks = 16;
constexpr std::int64_t kMacsPerCycle = 8192;

struct Use {
  std::string tensor, tensor_class, role;
  std::int64_t bytes = 0;
  bool is_write = false;
  std::int64_t again = 0;
};

/// What a kind of kernel loses, in thousandths of the cycles that it moves data.
struct Losses {
  std::int64_t conflict, miss, hold, window, write_to_read, read_to_write, group, refresh, policy,
      front, dispatch, cas;
};

Losses losses_of(const std::string& kernel) {
  if (kernel == "softmax") return {420, 12, 20, 9, 110, 80, 21, 52, 20, 9, 2, 3};
  if (kernel == "attn") return {120, 14, 9, 6, 70, 40, 26, 51, 15, 11, 2, 3};
  if (kernel == "opt") return {260, 24, 30, 14, 130, 90, 33, 53, 31, 12, 2, 2};
  if (kernel == "conv") return {90, 40, 9, 11, 52, 34, 41, 52, 19, 24, 5, 8};
  return {150, 33, 12, 8, 92, 61, 22, 50, 24, 13, 4, 6};
}

class SyntheticRun {
 public:
  explicit SyntheticRun(const SyntheticOptions& options) : options_(options) {
    run_.channels = options.channels;
    run_.clock = base::Clock::from_hertz(800'000'000);
    run_.ranks = 1;
    run_.bank_groups = 4;
    run_.banks_per_group = 4;
    run_.burst_bytes = kBurstBytes;
    run_.peak_bytes_per_s = 12.8e9 * options.channels;
  }

  void begin_step(std::uint32_t step, std::int64_t occurrence, std::int64_t weight) {
    record_ = {};
    record_.step = step;
    record_.occurrence = occurrence;
    record_.weight = weight;
    record_.first_op = static_cast<std::uint32_t>(run_.ops.size());
    record_.first_origin = static_cast<std::uint32_t>(run_.origins.size());
    record_.channels.assign(options_.channels, {});
    for (auto& channel : record_.channels) {
      channel.banks.assign(kBanks, {});
      channel.ranks.assign(1, {});
    }
  }

  void op(const std::string& phase, const std::string& layer, const std::string& name,
          const std::string& kernel, const std::string& shape, std::int64_t macs,
          const std::vector<Use>& uses) {
    const auto op_index = static_cast<std::uint32_t>(run_.ops.size());
    ledger::OpRow row;
    row.step = record_.step;
    row.index = op_index - record_.first_op;
    row.name = name;
    row.kernel = kernel;
    row.layer = layer;
    row.phase = phase;
    row.reason = phase == "optimizer" ? "optimizer" : phase == "backward" ? "backward" : "forward";
    row.shape = shape;
    row.macs = macs;
    run_.ops.push_back(row);
    const auto first = static_cast<std::uint32_t>(run_.origins.size());
    for (const Use& use : uses)
      run_.origins.push_back({op_index, tensor(use), use.is_write, use.role});
    std::int64_t busy = 0;
    for (std::size_t i = 0; i < uses.size(); ++i)
      busy += bill(first + static_cast<std::uint32_t>(i), uses[i], losses_of(kernel), first,
                   static_cast<std::uint32_t>(uses.size()));
    ledger::OpTime time;
    time.start = record_.cycles;
    time.compute = macs * options_.compute_scale / kMacsPerCycle + 40;
    time.wait = std::max<std::int64_t>(0, busy - time.compute);
    const std::int64_t duration = time.compute + time.wait;
    for (auto& channel : record_.channels) {
      if (duration > busy)
        channel.bill[{OriginId{first}, base::kNoOrigin, Cause::idle_compute}] += duration - busy;
      channel.cycles += duration;
    }
    record_.cycles += duration;
    record_.op_times.push_back(time);
  }

  void end_step() {
    for (auto& channel : record_.channels) {
      channel.ranks[0].any_open_cycles = channel.cycles * 9 / 10;
      channel.ranks[0].closed_cycles = channel.cycles - channel.ranks[0].any_open_cycles;
      channel.shared.idle_rank_closed_cycles = channel.cycles / 10;
      channel.shared.idle_rank_open_cycles = channel.cycles / 20;
    }
    std::int64_t data = 0;
    for (const auto& [key, cycles] : record_.channels[0].bill)
      if (key.cause == Cause::data_read || key.cause == Cause::data_write) data += cycles;
    record_.memory_only_cycles = data * 13 / 10;
    run_.records.push_back(record_);
  }

  ledger::RunRecord take() { return std::move(run_); }
  ledger::RunRecord& run() { return run_; }

 private:
  std::uint32_t tensor(const Use& use) {
    const auto [found, is_new] =
        tensors_.try_emplace(use.tensor, static_cast<std::uint32_t>(run_.tensors.size()));
    if (is_new) run_.tensors.push_back({use.tensor, use.tensor_class, use.bytes});
    return found->second;
  }

  /// Cycles that the operand keeps each channel busy.
  std::int64_t bill(std::uint32_t origin, const Use& use, const Losses& losses, std::uint32_t first,
                    std::uint32_t operands) {
    const std::int64_t moved = use.bytes + use.again;
    const std::int64_t bursts = std::max<std::int64_t>(1, moved / kBurstBytes / options_.channels);
    const std::int64_t data = bursts * kBurstCycles;
    const OriginId self{origin};
    // The operand after it closes its rows, the last one those of the first.
    const OriginId rival{first + (origin - first + 1) % operands};
    std::int64_t busy = 0;
    for (std::uint32_t c = 0; c < options_.channels; ++c) {
      base::ChannelCounters& channel = record_.channels[c];
      base::OriginCounters counters;
      (use.is_write ? counters.writes : counters.reads) = bursts;
      counters.conflicts = bursts * losses.conflict / 7000;
      counters.misses = bursts * losses.miss / 6000;
      counters.hits = bursts - counters.conflicts - counters.misses;
      counters.activation_tickets =
          (counters.conflicts + counters.misses) * base::kActivationTickets;
      counters.bank_open_cycles = data * 3;
      counters.rank_open_cycles = data;
      counters.rank_closed_cycles = data / 50;
      counters.read_latency_cycles = use.is_write ? 0 : bursts * 134;
      channel.origins.push_back(counters);
      if (!use.is_write) channel.read_latency[134] += bursts;
      busy = 0;
      const auto add = [&](Cause cause, OriginId culprit, std::int64_t cycles) {
        if (cycles > 0) channel.bill[{self, culprit, cause}] += cycles;
        busy += cycles;
      };
      const auto part = [&](std::int64_t thousandths) { return data * thousandths / 1000; };
      add(use.is_write ? Cause::data_write : Cause::data_read, base::kNoOrigin, data);
      add(Cause::row_conflict, rival, part(losses.conflict));
      add(Cause::row_miss, base::kNoOrigin, part(losses.miss));
      add(Cause::row_hold, rival, part(losses.hold));
      add(Cause::act_window, rival, part(losses.window));
      add(Cause::turn_wr, rival, use.is_write ? 0 : part(losses.write_to_read));
      add(Cause::turn_rw, rival, use.is_write ? part(losses.read_to_write) : 0);
      add(Cause::bank_group, base::kNoOrigin, part(losses.group));
      add(Cause::refresh, base::kNoOrigin, part(losses.refresh));
      add(Cause::policy, base::kNoOrigin, part(losses.policy));
      add(Cause::front, base::kNoOrigin, part(losses.front));
      add(Cause::dispatch, base::kNoOrigin, part(losses.dispatch));
      add(Cause::cas, base::kNoOrigin, part(losses.cas));
      std::int64_t left = bursts, left_conflicts = counters.conflicts;
      for (std::uint32_t b = 0; b < kBanks; ++b) {
        base::BankCounters& bank = channel.banks[b];
        const bool is_last = b + 1 == kBanks;
        const std::int64_t here = is_last ? left : b < 11 ? bursts / 12 : bursts / 160;
        const std::int64_t conflicts = is_last  ? left_conflicts
                                       : b < 11 ? counters.conflicts / 12
                                                : counters.conflicts / 160;
        (use.is_write ? bank.wr : bank.rd) += here;
        bank.conflicts += conflicts;
        bank.act += conflicts;
        left -= here;
        left_conflicts -= conflicts;
      }
    }
    const std::int64_t dram = bursts * kBurstBytes * options_.channels;
    record_.flow.push_back({dram, 0, 0, dram, std::min(use.again, dram)});
    return busy;
  }

  SyntheticOptions options_;
  ledger::RunRecord run_;
  ledger::StepRecord record_;
  std::map<std::string, std::uint32_t> tensors_;
};

// The architecture of Stable Diffusion 1.4's UNet: channels of its four levels and their sides.
constexpr std::int64_t kChannels[] = {320, 640, 1280, 1280};
constexpr std::int64_t kSides[] = {64, 32, 16, 8};
constexpr std::int64_t kGuidedBatch = 2, kHeads = 8, kFp16 = 2, kTextTokens = 77, kTextWidth = 768;

/// Ops of one UNet pass; `phase` decides the class of what is read and written.
class Unet {
 public:
  Unet(SyntheticRun& to, std::string phase) : to_(to), phase_(std::move(phase)) {}

  void pass() {
    conv("unet.conv_in", 4, 320, 64, 3);
    for (int level = 0; level < 4; ++level) {
      const std::string block = fmt::format("unet.down_blocks.{}", level);
      for (int i = 0; i < 2; ++i) {
        resnet(fmt::format("{}.resnets.{}", block, i), level, kChannels[level]);
        if (level < 3) transformer(fmt::format("{}.attentions.{}", block, i), level);
      }
      if (level < 3)
        conv(fmt::format("{}.downsamplers.0.conv", block), kChannels[level], kChannels[level],
             kSides[level] / 2, 3);
    }
    resnet("unet.mid_block.resnets.0", 3, 1280);
    transformer("unet.mid_block.attentions.0", 3);
    resnet("unet.mid_block.resnets.1", 3, 1280);
    for (int i = 0; i < 4; ++i) {
      const int level = 3 - i;
      const std::string block = fmt::format("unet.up_blocks.{}", i);
      for (int j = 0; j < 3; ++j) {
        resnet(fmt::format("{}.resnets.{}", block, j), level, kChannels[level] * 2);
        if (i > 0) transformer(fmt::format("{}.attentions.{}", block, j), level);
      }
      if (i < 3)
        conv(fmt::format("{}.upsamplers.0.conv", block), kChannels[level], kChannels[level],
             kSides[level] * 2, 3);
    }
    pointwise("unet.conv_norm_out", "aten.native_group_norm.default", "norm", 320, 64);
    conv("unet.conv_out", 320, 4, 64, 3);
  }

 private:
  std::int64_t plane(std::int64_t channels, std::int64_t side) const {
    return kGuidedBatch * channels * side * side * kFp16;
  }
  std::string activation() const {
    return phase_ == "backward" ? "activation_gradient" : "activation";
  }
  std::string name(const char* what) { return fmt::format("{} {}{}", phase_, what, ++serial_); }

  void conv(const std::string& layer, std::int64_t in, std::int64_t out, std::int64_t side,
            std::int64_t kernel) {
    const std::int64_t weight = in * out * kernel * kernel * kFp16;
    const std::int64_t again = weight > (8 << 20) ? weight * 3 : 0;
    to_.op(phase_, layer, "aten.convolution.default", "conv",
           fmt::format("{}x{}x{}x{}", kGuidedBatch, out, side, side),
           kGuidedBatch * in * out * kernel * kernel * side * side,
           {{name("x"), activation(), "input", plane(in, side), false, plane(in, side) / 8},
            {layer + ".weight", "parameter", "weight", weight, false, again},
            {name("y"), activation(), "output", plane(out, side), true, 0}});
  }
  void pointwise(const std::string& layer, const std::string& op, const std::string& kernel,
                 std::int64_t channels, std::int64_t side) {
    to_.op(phase_, layer, op, kernel,
           fmt::format("{}x{}x{}x{}", kGuidedBatch, channels, side, side), 0,
           {{name("x"), activation(), "input", plane(channels, side), false, 0},
            {name("y"), activation(), "output", plane(channels, side), true, 0}});
  }
  void linear(const std::string& layer, std::int64_t rows, std::int64_t in, std::int64_t out) {
    to_.op(phase_, layer, "aten.addmm.default", "mm",
           fmt::format("{}x{}", kGuidedBatch * rows, out), kGuidedBatch * rows * in * out,
           {{name("x"), activation(), "input", kGuidedBatch * rows * in * kFp16, false,
             kGuidedBatch * rows * in * kFp16 / 9},
            {layer + ".weight", "parameter", "weight", in * out * kFp16, false, 0},
            {name("y"), activation(), "output", kGuidedBatch * rows * out * kFp16, true, 0}});
  }
  void resnet(const std::string& layer, int level, std::int64_t in) {
    const std::int64_t out = kChannels[level], side = kSides[level];
    pointwise(layer + ".norm1", "aten.native_group_norm.default", "norm", in, side);
    pointwise(layer + ".nonlinearity", "aten.silu.default", "elt", in, side);
    conv(layer + ".conv1", in, out, side, 3);
    linear(layer + ".time_emb_proj", 1, 1280, out);
    pointwise(layer, "aten.add.Tensor", "elt", out, side);
    pointwise(layer + ".norm2", "aten.native_group_norm.default", "norm", out, side);
    pointwise(layer + ".nonlinearity", "aten.silu.default", "elt", out, side);
    conv(layer + ".conv2", out, out, side, 3);
    if (in != out) conv(layer + ".conv_shortcut", in, out, side, 1);
    pointwise(layer, "aten.add.Tensor", "elt", out, side);
  }
  void attention(const std::string& layer, std::int64_t tokens, std::int64_t keys,
                 std::int64_t width, std::int64_t key_width) {
    linear(layer + ".to_q", tokens, width, width);
    linear(layer + ".to_k", keys, key_width, width);
    linear(layer + ".to_v", keys, key_width, width);
    const std::int64_t score_bytes = kGuidedBatch * kHeads * tokens * keys * kFp16;
    const std::int64_t q = kGuidedBatch * tokens * width * kFp16;
    const std::int64_t k = kGuidedBatch * keys * width * kFp16;
    const std::int64_t macs = kGuidedBatch * tokens * keys * width;
    const std::string shape = fmt::format("{}x{}x{}", kGuidedBatch * kHeads, tokens, keys);
    to_.op(phase_, layer, "aten.baddbmm.default", "attn", shape, macs,
           {{name("q"), activation(), "query", q, false, 0},
            {name("k"), activation(), "key", k, false, k / 2},
            {name("scores"), "temporary", "scores out", score_bytes, true, 0}});
    to_.op(phase_, layer, "aten._softmax.default", "softmax", shape, 0,
           {{name("scores"), "temporary", "scores in", score_bytes, false, 0},
            {name("probabilities"), activation(), "probabilities out", score_bytes, true, 0}});
    to_.op(phase_, layer, "aten.bmm.default", "attn", shape, macs,
           {{name("probabilities"), activation(), "probabilities in", score_bytes, false, 0},
            {name("v"), activation(), "value", k, false, k},
            {name("o"), activation(), "output", q, true, 0}});
    linear(layer + ".to_out.0", tokens, width, width);
  }
  void transformer(const std::string& layer, int level) {
    const std::int64_t width = kChannels[level], side = kSides[level], tokens = side * side;
    pointwise(layer + ".norm", "aten.native_group_norm.default", "norm", width, side);
    conv(layer + ".proj_in", width, width, side, 1);
    const std::string block = layer + ".transformer_blocks.0";
    pointwise(block + ".norm1", "aten.native_layer_norm.default", "norm", width, side);
    attention(block + ".attn1", tokens, tokens, width, width);
    pointwise(block, "aten.add.Tensor", "elt", width, side);
    pointwise(block + ".norm2", "aten.native_layer_norm.default", "norm", width, side);
    attention(block + ".attn2", tokens, kTextTokens, width, kTextWidth);
    pointwise(block, "aten.add.Tensor", "elt", width, side);
    pointwise(block + ".norm3", "aten.native_layer_norm.default", "norm", width, side);
    linear(block + ".ff.net.0.proj", tokens, width, width * 8);
    pointwise(block + ".ff.net.0", "aten.mul.Tensor", "elt", width * 4, side);
    linear(block + ".ff.net.2", tokens, width * 4, width);
    conv(layer + ".proj_out", width, width, side, 1);
    pointwise(layer, "aten.add.Tensor", "elt", width, side);
  }

  SyntheticRun& to_;
  std::string phase_;
  int serial_ = 0;
};

void text_encoder(SyntheticRun& to) {
  const std::int64_t rows = kGuidedBatch * kTextTokens;
  const auto linear = [&](const std::string& layer, std::int64_t in, std::int64_t out) {
    to.op("text encoder", layer, "aten.addmm.default", "mm", fmt::format("{}x{}", rows, out),
          rows * in * out,
          {{layer + " x", "activation", "input", rows * in * kFp16, false, 0},
           {layer + ".weight", "parameter", "weight", in * out * kFp16, false, 0},
           {layer + " y", "activation", "output", rows * out * kFp16, true, 0}});
  };
  for (int i = 0; i < 12; ++i) {
    const std::string layer = fmt::format("text_encoder.encoder.layers.{}", i);
    for (const char* part : {"q_proj", "k_proj", "v_proj", "out_proj"})
      linear(fmt::format("{}.self_attn.{}", layer, part), kTextWidth, kTextWidth);
    linear(layer + ".mlp.fc1", kTextWidth, kTextWidth * 4);
    linear(layer + ".mlp.fc2", kTextWidth * 4, kTextWidth);
  }
}

void vae_decode(SyntheticRun& to) {
  std::int64_t side = 64;
  for (int i = 0; i < 4; ++i) {
    const std::int64_t channels = i < 2 ? 512 : i == 2 ? 256 : 128;
    for (int j = 0; j < 3; ++j)
      for (const char* part : {"conv1", "conv2"}) {
        const std::string layer = fmt::format("vae.decoder.up_blocks.{}.resnets.{}.{}", i, j, part);
        const std::int64_t bytes = channels * side * side * kFp16;
        to.op("vae decode", layer, "aten.convolution.default", "conv",
              fmt::format("1x{}x{}x{}", channels, side, side),
              channels * channels * 9 * side * side,
              {{layer + " x", "activation", "input", bytes, false, bytes / 8},
               {layer + ".weight", "parameter", "weight", channels * channels * 18, false, 0},
               {layer + " y", "activation", "output", bytes, true, 0}});
      }
    if (i < 3) side *= 2;
  }
}

void optimizer(SyntheticRun& to) {
  for (int i = 0; i < 12; ++i) {
    const std::int64_t bytes = 860'000'000 / 12 * 4;
    const std::string p = fmt::format("unet.parameters.{}", i);
    to.op("optimizer", "", "aten._fused_adamw_.default", "opt", fmt::format("{}", bytes / 4), 0,
          {{p, "parameter", "parameter", bytes, false, 0},
           {p + ".grad", "gradient", "gradient", bytes, false, 0},
           {p + ".exp_avg", "optimizer_state", "m", bytes, false, 0},
           {p + ".exp_avg_sq", "optimizer_state", "v", bytes, false, 0},
           {p, "parameter", "parameter out", bytes, true, 0},
           {p + ".exp_avg", "optimizer_state", "m out", bytes, true, 0}});
  }
}

void describe(ledger::RunRecord& run, const SyntheticOptions& options) {
  run.workload = options.trains ? "sd14-train" : "sd14-sample";
  run.machine = "npu-edge";
  run.memory = fmt::format("lpddr5-6400-8g-{}ch", options.channels);
  run.fidelity = "steady";
  run.version = "0.1.0";
  run.command_line = "diffram run " + run.workload + " -o sd14.dfr";
  run.inputs = {{"specs/workloads/" + run.workload + ".dft.zst", "5f1c0d8e2b7a9361"}};
  run.batch = 1;
  run.peak_live_bytes = 3'480'000'000;
  run.reserved_bytes = 3'760'000'000;
  run.capacity_bytes = 8LL << 30;
  // Bytes live by class at two moments; parameter, input, activation and temporary are not 0.
  run.live = {{0, {1'900'000'000, 0, 0, 0, 0, 4'000'000, 0, 0, 200'000'000, 0, 0, 0}},
              {40, {1'900'000'000, 0, 0, 0, 0, 4'000'000, 0, 0, 1'039'000'000, 0, 0, 537'000'000}}};
  run.assumptions = {{"machine.efficiency.fp16", "0.62", "assumed"},
                     {"machine.on_chip_bytes", "8 MiB", "estimated: nearest published part"},
                     {"memory.timing.tRFCab", "280 ns", "JESD209-5B table 235"},
                     {"memory.current.IDD4R", "unknown", "unverified"}};
  run.diagnostics = {{"fallback_ops", base::Severity::note,
                      "Three op kinds use the fallback traffic model (0.02 % of bytes).",
                      "aten.upsample_nearest2d.vec, aten.stack.default, aten.arange.start"}};
  run.spec_text =
      "[memory]\nstandard = \"LPDDR5\"\nrate = 6400\nchannels = 4\nranks = 1\n\n"
      "[memory.controller]\nscheduler = \"frfcfs\"\ncap = 4\npage_policy = \"open\"\n\n"
      "[machine]\nname = \"npu-edge\"\non_chip_bytes = 8388608\n";
  if (options.has_energy)
    run.energy = {{"read", ledger::EnergyDriver::reads, 6.82, true, false},
                  {"read_interface", ledger::EnergyDriver::reads, 7.79, true, true},
                  {"write", ledger::EnergyDriver::writes, 6.72, true, false},
                  {"write_interface", ledger::EnergyDriver::writes, 7.14, true, true},
                  {"activate", ledger::EnergyDriver::activation_tickets, 1.19, true, false},
                  {"bank_open", ledger::EnergyDriver::bank_open_cycles, 5.64, false, false},
                  {"rank_open", ledger::EnergyDriver::rank_open_cycles, 3.10, false, false},
                  {"refresh", ledger::EnergyDriver::refresh, 4.79, false, false},
                  {"power_down", ledger::EnergyDriver::idle, 3.95, false, false}};
}

}  // namespace

ledger::RunRecord synthetic_run(const SyntheticOptions& options) {
  SyntheticRun made(options);
  describe(made.run(), options);
  if (options.trains) {
    made.run().steps = 20;
    made.begin_step(0, 0, 1);
    Unet(made, "forward").pass();
    Unet(made, "backward").pass();
    optimizer(made);
    made.end_step();
    made.run().records.front().weight = 20;
    return made.take();
  }
  made.run().steps = 50;
  made.begin_step(0, 0, 1);
  text_encoder(made);
  made.end_step();
  made.begin_step(1, 1, 50);
  Unet(made, "denoise").pass();
  made.end_step();
  made.begin_step(2, 51, 1);
  vae_decode(made);
  made.end_step();
  return made.take();
}

ledger::RunRecord one_op_run() {
  SyntheticOptions options;
  options.has_energy = false;
  SyntheticRun made(options);
  describe(made.run(), options);
  made.run().workload = "fill";
  made.run().steps = 1;
  made.run().diagnostics.clear();
  made.begin_step(0, 0, 1);
  made.op("forward", "", "aten.fill_.Scalar", "elt", "1024x1024", 0,
          {{"y", "activation", "output", 2 << 20, true, 0}});
  made.end_step();
  return made.take();
}

ledger::RunRecord replayed_run() {
  SyntheticOptions options;
  options.has_energy = false;
  SyntheticRun made(options);
  describe(made.run(), options);
  ledger::RunRecord run = made.take();
  run.workload = "stream.trc";
  run.machine.clear();
  run.steps = 0;
  run.fidelity = "exact";
  run.diagnostics.clear();
  ledger::StepRecord record;
  record.cycles = 100'000;
  record.channels.assign(options.channels, {});
  for (auto& channel : record.channels) {
    channel.cycles = record.cycles;
    channel.unnamed.reads = 15'000;
    channel.unnamed.hits = 14'000;
    channel.unnamed.conflicts = 1'000;
    channel.banks.assign(kBanks, {});
    channel.banks[3].rd = 15'000;
    channel.banks[3].conflicts = 1'000;
    channel.bill[{base::kNoOrigin, base::kNoOrigin, Cause::data_read}] = 60'000;
    channel.bill[{base::kNoOrigin, base::kNoOrigin, Cause::row_conflict}] = 30'000;
    channel.bill[{base::kNoOrigin, base::kNoOrigin, Cause::idle_end}] = 10'000;
    channel.read_latency[120] = 15'000;
  }
  run.records.push_back(record);
  return run;
}

void sample_power(ledger::RunRecord& run) {
  constexpr std::int64_t kEpochs = 1000, kCycles = 1'600'000, kLast = 400'000;
  for (std::int64_t i = 0; i < kEpochs; ++i) {
    const std::int64_t cycles = i + 1 < kEpochs ? kCycles : kLast;
    const double watts = 3 + (i % 7 == 0 ? -1.5 : 0) + static_cast<double>(i) / kEpochs;
    run.power.push_back(
        {i * kCycles, cycles, watts * static_cast<double>(cycles) * run.clock.period_s()});
  }
}

}  // namespace diffram::report_test
