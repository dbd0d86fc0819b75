#pragma once
#include <memory>
#include <optional>
#include <string>

#include "core/source/source.h"

namespace headscope {

class OpenSources;

/// A model that is open, and what it can be asked.
struct OpenModel {
  std::shared_ptr<const Source> source;
  bool reads_target = false;  ///< an encoder–decoder
};
/// Nothing where the model of the folder, or of the name on board, is not open, or its files have changed
/// since. Never waits.
std::optional<OpenModel> find_open_model(OpenSources& sources, const std::string& name);

/// What the decoder of a trace reads after its start token, as a text; empty where there is none.
std::string decoder_text(const Trace& trace);

}  // namespace headscope
