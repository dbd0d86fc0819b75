#pragma once
#include <string>
#include <vector>

#include "core/base/translate.h"
#include "core/model/config/config.h"
#include "core/source/trace.h"

namespace headscope {

/// What is known of a trained model or a capture: its name and its properties, each a line.
struct SourceCard {
  struct Line {
    const char* mark;  ///< for tests
    std::string label, value, help;
  };
  std::string name;
  std::vector<Line> lines;
  std::string path;   ///< of its folder or file, absolute where it is known
  std::string notes;  ///< Source::notes() as sentences; empty: none
};

/// The card of the model that the inputs name. `config` is nullptr until config.json was read, `trace` until
/// the model was run, or for a run of other inputs.
SourceCard model_card(const Translator& tr, const Inputs& inputs, const ModelConfig* config,
                      const Trace* trace);
/// The card of the capture that the inputs name; `trace` as above.
SourceCard capture_card(const Translator& tr, const Inputs& inputs, const Trace* trace);

}  // namespace headscope
