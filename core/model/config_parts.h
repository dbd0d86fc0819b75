#pragma once
#include "core/model/config.h"
#include "core/model/config_fields.h"

// What the configs of several families have in common: one field each, with its limits.

namespace headscope {

struct ConfigLimits {
  static constexpr Index layers = 1000, heads = 1000;  // of any view
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
/// `text` is what the field says, or a part of it.
Activation named_activation(const ConfigFields& config, const char* field, const char* text);
Activation read_activation(const ConfigFields& config, const char* field, const char* fallback);
/// Refuses what changes the arithmetic, and that no family here has.
void expect_not_set(const ConfigFields& config, const char* field);
/// d_model in equal parts for the heads.
void divide_by_heads(const ConfigFields& config, ConfigFields::Names widths, ConfigFields::Names heads,
                     ModelConfig& model);

}  // namespace headscope
