#pragma once
#include <span>
#include <string>

#include "core/model/config.h"
#include "core/model/config_fields.h"

namespace headscope {

/// What a family's config.json is read by.
struct ConfigFamily {
  ModelFamily family;
  const char* name;  ///< for people
  /// In `model_type`, with commas; the first is its own, the others are built the same.
  const char* model_types;
  const char* class_name;  ///< what the names in `architectures` begin with
  void (*read)(const ConfigFields& config, ModelConfig& model);
};

/// In the order of ModelFamily.
std::span<const ConfigFamily> config_families();

}  // namespace headscope
