#pragma once
#include <span>
#include <string>

#include "core/model/config/config.h"
#include "core/model/config/config_fields.h"

namespace headscope {

/// How a family's config.json is read.
struct ConfigFamily {
  ModelFamily family;
  const char* name;  ///< display name
  /// Values of `model_type`, with commas; the first is the family's own, the others have the same structure.
  const char* model_types;
  const char* class_names;  ///< prefixes of the names in `architectures`, with commas
  void (*read)(const ConfigFields& config, ModelConfig& model);
};

/// In the order of ModelFamily.
std::span<const ConfigFamily> config_families();

}  // namespace headscope
