#pragma once
// What every view of a run shows, computed once: the terminal summary and the page print this and
// nothing else, so that they cannot disagree. Pure: no file, no clock, no environment.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "attrib/explain.h"
#include "base/result.h"
#include "ledger/run_record.h"
#include "report/causes.h"
#include "report/heat_view.h"

namespace diffram::report {

template <class Number>
using PerClass = std::array<Number, kClassSlots>;
using PerCause = std::array<std::int64_t, base::kCauseCount>;

/// Every metric of some part of the run, with its splits. Sums of parts are exact but for joules.
struct Bill {
  std::int64_t time_cycles = 0;  ///< machine time
  std::int64_t wait_cycles = 0;  ///< of which waiting for DRAM
  std::int64_t read_again = 0;   ///< DRAM bytes read again without a write in between
  std::int64_t hits = 0, columns = 0, ops = 0;
  PerCause causes{};              ///< channel cycles
  PerClass<std::int64_t> lost{};  ///< channel cycles by class of the tensor
  PerClass<std::int64_t> bytes{}, conflicts{};
  PerClass<double> joules{};

  Bill& operator+=(const Bill& other);
  std::int64_t channel_cycles() const;
  std::int64_t total_bytes() const;
  std::int64_t total_conflicts() const;
  double total_joules() const;
};

/// Ops of one name in one layer and phase: the leaves of the layer tree.
struct Leaf {
  std::string phase, layer, op, kernel, shape;
  Bill bill;
  std::int32_t group = -1;  ///< index into Model::groups, -1 = nothing to show
};

struct TreeNode {
  std::int32_t parent = -1;
  std::string name;  ///< last part of the module path, or the op
  std::string path;  ///< value of the selection field `layer`, "" for ops
  Bill own;          ///< of a leaf; zero for inner nodes, whose sum is that of their children
  bool is_op = false;
  std::int32_t group = -1;  ///< of a leaf: index into Model::groups
};

/// Never more than this many nodes are sent to the page (report-design 8).
inline constexpr std::size_t kTreeNodeLimit = 20'000;

struct PhaseRow {
  std::string name;
  Bill bill;
  double accounted_share = 0;  ///< of its time: repeats of a simulated step
};

/// Equal ops together: same op, shape and kernel in the same kind of layer.
struct OpGroup {
  std::string label;        ///< "attn1.softmax"
  std::string where;        ///< "down 0, up 3"
  std::int64_t places = 0;  ///< leaves folded into the row
  Bill bill;
  std::vector<std::string> layers;  ///< full paths, for the selection
};

struct Finding {
  std::string figure;  ///< "569 GB"
  std::string of;      ///< "63 % of bytes"
  std::string sentence;
  std::string link;    ///< words of the link
  std::string target;  ///< hash: "time&layer=unet.mid_block"
  double weight = 0;   ///< share of time or energy × share that a user can change
};

struct EnergyRow {
  std::string component;  ///< page name
  PerClass<double> joules{};
  double shared = 0, total = 0;
  bool estimated = false;
  std::string account;  ///< name of the shared account, "" = none
};

struct RepeatedTensor {
  std::string tensor, tensor_class;
  std::int64_t size = 0, read = 0, read_again = 0;
  double loads_per_write = 0;  ///< reads ÷ (reads − repeats): how often each line is loaded
};

/// Row-conflict time that `culprit` costs `victim`; operands are "op, role" pairs.
struct Eviction {
  std::string victim, culprit, victim_class, culprit_class;
  std::int64_t cycles = 0;
};

struct Evictions {
  std::vector<std::string> operands, classes;     ///< largest first; the last may be "all other"
  std::vector<std::vector<std::int64_t>> cycles;  ///< [victim][culprit], channel cycles
  std::vector<Eviction> pairs;                    ///< largest first
  std::int64_t total = 0;
};

struct Verdict {
  std::string sentence;  ///< "" where no template has all its figures
  std::string second;    ///< a second sentence, may be empty
  bool trusted = true;   ///< false: an error diagnostic stands above it
};

struct Model {
  ledger::RunRecord const* run = nullptr;  ///< outlives the model
  attrib::Summary summary;
  Verdict verdict;
  Bill total;
  std::vector<PhaseRow> phases;
  std::vector<Leaf> leaves;  ///< in program order
  std::vector<TreeNode> tree;
  std::vector<OpGroup> groups;  ///< longest first
  std::vector<Finding> findings;
  std::vector<EnergyRow> energy;   ///< empty = unknown
  std::vector<HeatRow> heated_by;  ///< empty = no temperatures
  std::vector<RepeatedTensor> repeated;
  Evictions evictions;
  std::string limits;  ///< one paragraph under the verdict, "" = none
  double accounted_byte_share = 0;

  double seconds(std::int64_t machine_cycles) const;
  /// Channel cycles as seconds of the run: cycles ÷ channels × period.
  double channel_seconds(std::int64_t channel_cycles) const;
  /// "LPDDR5-6400 × 4 channels" from the memory's name.
  std::string memory_title() const;
  std::string run_title() const;  ///< "sd14-sample · npu-edge · LPDDR5-6400, 4 channels"
};

base::Result<Model> build_model(const ledger::RunRecord& run);

}  // namespace diffram::report
