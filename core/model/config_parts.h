#pragma once
#include "core/model/config.h"
#include "core/model/config_fields.h"

// Fields common to the configs of several families, with their limits.

namespace headscope {

struct ConfigLimits {
  static constexpr Index layers = 1000, heads = 1000;  // limits of all views
  static constexpr Index width = Index{1} << 20, inner_width = Index{1} << 24;
  static constexpr Index vocabulary = Index{1} << 26, positions = Index{1} << 32;
};

Index read_width(const ConfigFields& config, ConfigFields::Names names, Index fallback);
Index read_inner_width(const ConfigFields& config, ConfigFields::Names names, Index fallback);
Index read_layers(const ConfigFields& config, ConfigFields::Names names, Index fallback);
Index read_heads(const ConfigFields& config, ConfigFields::Names names, Index fallback);
Index read_positions(const ConfigFields& config, ConfigFields::Names names, Index fallback);
double read_epsilon(const ConfigFields& config, ConfigFields::Names names, double fallback);
void read_vocabulary(const ConfigFields& config, Index fallback, ModelConfig& model);
/// `text` is the field's value, or a part of it.
Activation named_activation(const ConfigFields& config, const char* field, const char* text);
Activation read_activation(const ConfigFields& config, const char* field, const char* fallback);
/// Rejects a field that changes the arithmetic and is not supported for any family.
void expect_not_set(const ConfigFields& config, const char* field);
/// Divides d_model equally among the heads.
void divide_by_heads(const ConfigFields& config, ConfigFields::Names widths, ConfigFields::Names heads,
                     ModelConfig& model);

}  // namespace headscope
