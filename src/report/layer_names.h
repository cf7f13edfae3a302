#pragma once
// Short words for module paths: what kind of layer it is, and where in the network it stands.

#include <string>

namespace diffram::report {

/// The unit of a network that a reader thinks in: "unet.up_blocks.3.attentions.0.transformer_blocks
/// .0.attn1.to_q" → the path up to "attn1".
std::string unit_path(const std::string& layer);

/// Plural-ready kind of a unit: "self-attention", "cross-attention", "feed-forward", "residual
/// block", else the last name in the path.
std::string unit_kind(const std::string& layer);

/// Last name of the unit, without indices: "attn1", "resnets", "conv_in".
std::string unit_name(const std::string& layer);

/// "down 0", "up 3", "mid", or the first two levels of the path.
std::string place_in_network(const std::string& layer);

/// "aten._softmax.default" → "softmax": no namespace, overload or leading underscore.
std::string short_op(const std::string& op);

}  // namespace diffram::report
