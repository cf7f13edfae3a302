#include "report/layer_names.h"

#include <algorithm>
#include <array>
#include <vector>

namespace diffram::report {
namespace {

struct UnitWord {
  const char* part;  ///< name of the module in diffusers and transformers
  const char* kind;
};

// Module names of diffusers' UNet, VAE and DiT and of transformers' CLIP text model.
constexpr std::array kUnits = {
    UnitWord{"attn1", "self-attention"},     UnitWord{"attn2", "cross-attention"},
    UnitWord{"self_attn", "self-attention"}, UnitWord{"attn", "attention"},
    UnitWord{"ff", "feed-forward"},          UnitWord{"mlp", "feed-forward"},
    UnitWord{"resnets", "residual"},         UnitWord{"downsamplers", "down-sampling"},
    UnitWord{"upsamplers", "up-sampling"},
};

std::vector<std::string> parts_of(const std::string& path) {
  std::vector<std::string> parts;
  std::size_t from = 0;
  while (from <= path.size()) {
    std::size_t dot = path.find('.', from);
    if (dot == std::string::npos) dot = path.size();
    parts.push_back(path.substr(from, dot - from));
    from = dot + 1;
  }
  return parts;
}

bool is_index(const std::string& part) {
  return !part.empty() &&
         std::all_of(part.begin(), part.end(), [](char c) { return c >= '0' && c <= '9'; });
}

const UnitWord* word_for(const std::string& part) {
  const auto* found = std::find_if(kUnits.begin(), kUnits.end(),
                                   [&](const UnitWord& word) { return part == word.part; });
  return found == kUnits.end() ? nullptr : found;
}

}  // namespace

std::string unit_path(const std::string& layer) {
  const std::vector<std::string> parts = parts_of(layer);
  std::string path;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    path += (i > 0 ? "." : "") + parts[i];
    if (word_for(parts[i]) == nullptr) continue;
    if (i + 1 < parts.size() && is_index(parts[i + 1])) path += "." + parts[i + 1];
    return path;
  }
  return layer;
}

std::string unit_name(const std::string& layer) {
  const std::vector<std::string> parts = parts_of(unit_path(layer));
  for (auto part = parts.rbegin(); part != parts.rend(); ++part)
    if (!is_index(*part)) return *part;
  return layer;
}

std::string unit_kind(const std::string& layer) {
  std::string name = unit_name(layer);
  if (const UnitWord* word = word_for(name)) return word->kind;
  return name;
}

std::string place_in_network(const std::string& layer) {
  const std::vector<std::string> parts = parts_of(layer);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i] == "mid_block") return "mid";
    const bool has_index = i + 1 < parts.size() && is_index(parts[i + 1]);
    if (parts[i] == "down_blocks" && has_index) return "down " + parts[i + 1];
    if (parts[i] == "up_blocks" && has_index) return "up " + parts[i + 1];
  }
  if (parts.size() < 2) return layer;
  return parts[0] + "." + parts[1];
}

std::string short_op(const std::string& op) {
  std::string name = op;
  for (const char* space : {"aten.", "aten::", "prims."})
    if (name.rfind(space, 0) == 0) name = name.substr(std::string(space).size());
  if (const std::size_t dot = name.find('.'); dot != std::string::npos && dot > 0)
    name = name.substr(0, dot);
  while (name.size() > 1 && name[0] == '_') name.erase(0, 1);
  return name;
}

}  // namespace diffram::report
