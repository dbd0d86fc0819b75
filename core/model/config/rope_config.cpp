#include "core/model/config/rope_config.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>

namespace headscope {
namespace {

constexpr double max_factor = 1e6;
constexpr double max_theta = 1e15;

RopeScaling scaling_of(const ConfigFields& rope, const RopeDefaults& usual) {
  const std::string type = rope.text({"rope_type", usual.type_name}, "default");
  if (type == usual.longrope_name) return RopeScaling::longrope;
  if (usual.has_axes && type == "mrope") return RopeScaling::none;
  if (usual.has_proportional && type == "proportional") return RopeScaling::proportional;
  constexpr std::pair<const char*, RopeScaling> types[] = {
      {"default", RopeScaling::none},  {"linear", RopeScaling::linear}, {"dynamic", RopeScaling::dynamic},
      {"llama3", RopeScaling::llama3}, {"yarn", RopeScaling::yarn},     {"longrope", RopeScaling::longrope},
      {"su", RopeScaling::longrope}};  // its original name
  for (const auto& [name, scaling] : types)
    if (type == name) return scaling;
  throw rope.wrong("{}: {} is {}; expected one of: {}", rope.has("rope_type") ? "rope_type" : usual.type_name,
                   "default, linear, dynamic, llama3, yarn, longrope");
}

/// YaRN's temperature: https://arxiv.org/abs/2309.00071, equation 22; mscale as DeepSeek writes it.
double yarn_attention_factor(const ConfigFields& rope, double factor) {
  const auto scale = [&](double m) { return factor <= 1 ? 1.0 : 0.1 * m * std::log(factor) + 1; };
  const auto given = [&](const char* name) {
    const bool zero = rope.has(name) && rope.json().at(name).is_number() && rope.json().at(name) == 0;
    return rope.has(name) && !zero;  // 0 means unset
  };
  const bool both = given("mscale") && given("mscale_all_dim");
  if (!both) return scale(1);
  return scale(rope.above_zero({"mscale"}, 1, max_factor)) /
         scale(rope.above_zero({"mscale_all_dim"}, 1, max_factor));
}

void read_llama3(const ConfigFields& rope, Rope& result) {
  result.low_frequency_factor = rope.above_zero({"low_freq_factor"}, 1, max_factor);
  result.high_frequency_factor = rope.above_zero({"high_freq_factor"}, 4, max_factor);
  if (result.high_frequency_factor <= result.low_frequency_factor)
    throw rope.wrong("{}: {} is {}; expected more than low_freq_factor, which is {}", "high_freq_factor",
                     result.low_frequency_factor);
}

void read_yarn(const ConfigFields& rope, Rope& result) {
  result.attention_factor =
      rope.above_zero({"attention_factor"}, yarn_attention_factor(rope, result.factor), max_factor);
  result.beta_fast = rope.above_zero({"beta_fast"}, 32, max_factor);
  result.beta_slow = rope.above_zero({"beta_slow"}, 1, max_factor);
  result.truncate = rope.flag("truncate", true);
}

/// LongRoPE: https://arxiv.org/abs/2402.13753
void read_longrope(const ConfigFields& rope, Rope& result) {
  result.short_factors = rope.factors("short_factor", result.dimensions / 2);
  result.long_factors = rope.factors("long_factor", result.dimensions / 2);
  const double positions = static_cast<double>(result.original_positions);
  const double usual = result.factor <= 1 || positions <= 1
                           ? 1.0
                           : std::sqrt(1 + std::log(result.factor) / std::log(positions));
  result.attention_factor = rope.above_zero({"attention_factor"}, usual, max_factor);
}

void read_scaling(const ConfigFields& config, const ConfigFields& rope, Index positions, Rope& result) {
  result.original_positions = positions;
  if (result.scaling == RopeScaling::llama3 || result.scaling == RopeScaling::yarn ||
      result.scaling == RopeScaling::longrope) {
    const char* name = "original_max_position_embeddings";
    result.original_positions = rope.whole({name}, positions, 1, max_positions);
    result.original_positions = config.whole({name}, result.original_positions, 1, max_positions);
  }
  const bool from_lengths = result.scaling == RopeScaling::yarn || result.scaling == RopeScaling::longrope;
  if (!rope.has("factor") && !from_lengths)
    throw rope.wrong("{}: {} is {}; expected a number above {}, at most {}", "factor", 0, max_factor);
  result.factor = rope.above_zero(
      {"factor"}, static_cast<double>(positions) / static_cast<double>(result.original_positions),
      max_factor);
  if (result.scaling == RopeScaling::llama3) read_llama3(rope, result);
  if (result.scaling == RopeScaling::yarn) read_yarn(rope, result);
  if (result.scaling == RopeScaling::longrope) read_longrope(rope, result);
}

void read_query_growth(const ConfigFields& rope, Rope& result) {
  for (const char* name : {"llama_4_scaling_beta", "original_max_position_embeddings"})
    if (!rope.has(name))
      throw rope.wrong("{}: {} is {}; expected a number above {}, at most {}", name, 0, max_factor);
  result.query_growth = rope.above_zero({"llama_4_scaling_beta"}, 0, max_factor);
  result.original_positions = rope.whole({"original_max_position_embeddings"}, 1, 1, max_positions);
}

/// The share of a head's dimensions that is rotated.
double read_partial(const ConfigFields& config, const ConfigFields& rope, RopeScaling scaling,
                    const RopeDefaults& usual) {
  constexpr const char* name = "partial_rotary_factor";
  const double share =
      rope.above_zero({name}, config.above_zero({usual.partial_name, name}, usual.partial, 1), 1);
  const ConfigFields& has = rope.has(name) ? rope : config;
  // A second name of the same field must not say something else.
  if (usual.partial_name != std::string_view(name) && !rope.has(name) && config.has(name) &&
      config.above_zero({name}, share, 1) != share)
    throw config.wrong("{}: {} is {}; expected {}, as {} says", name, share, usual.partial_name);
  if (usual.reads_partial || config.of_other_data()) return share;
  // transformers' classes of these families ignore it here, and fail with any scaling.
  if (share != 1 && scaling != RopeScaling::none)
    throw has.wrong("{}: {} is {}; expected {}: heads of this architecture are rotated as a whole", name, 1);
  return 1;
}

/// From the fields in `rope`, or else in `config`.
Rope read_rope_from(const ConfigFields& config, const ConfigFields& rope, Index head_dim, Index positions,
                    const RopeDefaults& usual) {
  if (const std::string nested = rope.nested(); !nested.empty())
    throw rope.wrong("{}: {} is {}; expected the same rotary positions in every layer", nested.c_str());
  Rope result;
  result.scaling = scaling_of(rope, usual);
  result.theta = rope.above_zero(
      {"rope_theta"}, config.above_zero({usual.theta_name, "rope_theta"}, usual.theta, max_theta), max_theta);
  if (result.theta <= 1) {
    const char* name = config.has(usual.theta_name) ? usual.theta_name : "rope_theta";
    throw(rope.has("rope_theta") ? rope : config)
        .wrong("{}: {} is {}; expected a number above {}, at most {}", name, 1, max_theta);
  }
  if (result.scaling == RopeScaling::proportional) {
    const double share = rope.above_zero({"partial_rotary_factor"}, 1, 1);
    result.dimensions = head_dim;
    result.turned_pairs = static_cast<Index>(share * static_cast<double>(head_dim)) / 2;
    result.factor = rope.above_zero({"factor"}, 1, max_factor);
    if (head_dim % 2 != 0)
      throw input_error("{}: {} dimensions of a head are rotated; expected an even number, at least {}",
                        config.file(), head_dim, 2);
    return result;
  }
  const double partial = read_partial(config, rope, result.scaling, usual);
  result.dimensions = static_cast<Index>(static_cast<double>(head_dim) * partial);
  const Index minimum = result.scaling == RopeScaling::dynamic ? 4 : 2;  // its exponent is d / (d - 2)
  if (result.dimensions < minimum || result.dimensions % 2 != 0)
    throw input_error("{}: {} dimensions of a head are rotated; expected an even number, at least {}",
                      config.file(), result.dimensions, minimum);
  if (result.scaling != RopeScaling::none) read_scaling(config, rope, positions, result);
  if (usual.grows_queries) read_query_growth(rope, result);
  return result;
}

/// The object of a type of layer in `rope_parameters`.
std::optional<ConfigFields> of_layers(const std::optional<ConfigFields>& newer, const char* layer_type) {
  return newer && layer_type != nullptr ? newer->object(layer_type) : std::nullopt;
}

/// For `rope_scaling`.
RopeDefaults of_older(RopeDefaults usual) {
  if (usual.layer_type != nullptr) usual.type_name = "rope_type";
  return usual;
}

}  // namespace

Rope read_rope(const ConfigFields& config, Index head_dim, Index positions, const RopeDefaults& usual) {
  const auto older = config.object("rope_scaling"), newer = config.object("rope_parameters");
  const auto typed = of_layers(newer, usual.layer_type);
  const bool by_type = usual.layer_type != nullptr && newer && !newer->nested().empty();
  if (!typed && !by_type && older)
    return read_rope_from(config, *older, head_dim, positions, of_older(usual));
  const auto& scaling = typed || by_type ? typed : newer;
  const nlohmann::json nothing = nlohmann::json::object();
  return read_rope_from(config, scaling ? *scaling : ConfigFields(JsonField(nothing, config.file())),
                        head_dim, positions, usual);
}

Rope read_local_rope(const ConfigFields& config, Index head_dim, Index positions, const RopeDefaults& usual) {
  const auto typed = of_layers(config.object("rope_parameters"), "sliding_attention");
  const nlohmann::json nothing = nlohmann::json::object();
  RopeDefaults local = usual;
  local.theta = 10'000;
  local.theta_name = usual.local_theta_name;
  const ConfigFields none(JsonField(nothing, config.file()));
  if (typed) return read_rope_from(none, *typed, head_dim, positions, local);
  const auto older = usual.scales_windows ? config.object("rope_scaling") : std::nullopt;
  Rope rope = read_rope_from(none, older ? *older : none, head_dim, positions, of_older(local));
  constexpr double largest = 1e15;
  rope.theta = config.above_zero({local.theta_name}, local.theta, largest);
  if (rope.theta <= 1)
    throw config.wrong("{}: {} is {}; expected a number above {}, at most {}", local.theta_name, 1, largest);
  return rope;
}

}  // namespace headscope
