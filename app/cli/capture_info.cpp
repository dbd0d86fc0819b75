#include "app/cli/capture_info.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/cli/info_text.h"
#include "app/cli/notes.h"
#include "core/inputs/names.h"
#include "core/scene/source_title.h"
#include "core/source/engine.h"

namespace headscope {
namespace {

using CaptureJson = nlohmann::ordered_json;

constexpr std::size_t looked_at = 16;

/// The arrays of a block, by their names in the file.
std::vector<std::string> array_names(const Capture::Block& block) {
  const std::pair<const char*, bool> arrays[] = {{"attention", true},
                                                 {"scores", block.scores.has_value()},
                                                 {"x", block.x.has_value()},
                                                 {"layer_x", block.layer_x.has_value()},
                                                 {"q", block.q.has_value()},
                                                 {"k", block.k.has_value()},
                                                 {"v", block.v.has_value()},
                                                 {"context", block.context.has_value()},
                                                 {"output", block.output.has_value()}};
  std::vector<std::string> names;
  for (const auto& [name, there] : arrays)
    if (there) names.push_back(block.prefix + name);
  return names;
}

/// "10", or "6 to 10".
std::string token_counts(const Capture& capture, const Translator& tr) {
  const auto counts = std::ranges::minmax(
      capture.sequences(), {}, [](const Capture::Sequence& sequence) { return sequence.tokens.size(); });
  const std::size_t minimum = counts.min.tokens.size(), maximum = counts.max.tokens.size();
  return minimum == maximum ? fmt::format("{}", minimum) : tr.format("{} to {}", minimum, maximum);
}

}  // namespace

CaptureInfo::CaptureInfo(const std::string& path) : source_(CaptureSource::open(path)) {
  Engine engine;
  Inputs inputs;
  inputs.capture = path;
  const auto add = [&](const Error& note) {
    const auto same = [&](const Error& known) { return std::string(known.what()) == note.what(); };
    if (std::ranges::none_of(notes_, same)) notes_.push_back(note);
  };
  const std::size_t count = std::min(looked_at, source_->capture()->sequences().size());
  for (inputs.sequence = 0; inputs.sequence < static_cast<int>(count); ++inputs.sequence) {
    const auto trace = source_->run(inputs, {}, engine.context(), {});
    for (const Error& note : source_->notes(inputs.sequence)) add(note);
    for (const BlockTrace& block : trace->blocks)
      if (const auto warning = block.maps->warning()) add(*warning);
  }
}

void CaptureInfo::print(const Translator& tr) const {
  const Capture& capture = *source_->capture();
  const InfoLines text(tr);
  text.line("capture", TR("Capture"), capture.path());
  if (!capture.model().empty()) text.line("model", TR("Model"), capture.model());
  text.line("sequences", TR("sequences"), fmt::format("{}", capture.sequences().size()));
  text.line("tokens", TR("tokens"), token_counts(capture, tr));
  for (const Capture::Block& block : capture.blocks())
    text.line(tr.language() == Language::en ? to_name(block.shape.kind) : block_title(tr, block.shape.kind),

              tr.format("layers: {}, heads: {}, maps: {} × {}, {}", block.shape.layers, block.shape.heads,
                        block.n_q, block.n_k, block.attention.header.dtype));
  if (const auto& patches = capture.sequences().front().patches)
    text.line("patches", TR("patches"), fmt::format("{} × {}", patches->rows, patches->columns));
  if (capture.unpacked_bytes() > 0)
    text.line("unpacked", TR("unpacked"),
              fmt::format("{:.3g} MB", static_cast<double>(capture.unpacked_bytes()) / 1e6));
}

std::string CaptureInfo::json(const Translator& tr) const {
  const Capture& capture = *source_->capture();
  CaptureJson json;
  json["model"] = capture.model().empty() ? CaptureJson(nullptr) : CaptureJson(capture.model());
  json["sequences"] = capture.sequences().size();
  json["tokens"] = json["patches"] = CaptureJson::array();
  for (const Capture::Sequence& sequence : capture.sequences()) {
    json["tokens"].push_back(sequence.tokens.size());
    const auto& patches = sequence.patches;
    json["patches"].push_back(patches ? CaptureJson{{"rows", patches->rows},
                                                    {"columns", patches->columns},
                                                    {"first", patches->first},
                                                    {"picture", patches->picture}}
                                      : CaptureJson(nullptr));
  }
  for (const Capture::Block& block : capture.blocks())
    json["blocks"].push_back({{"kind", to_name(block.shape.kind)},
                              {"layers", block.shape.layers},
                              {"heads", block.shape.heads},
                              {"kv_heads", block.shape.kv_heads},
                              {"n_q", block.n_q},
                              {"n_k", block.n_k},
                              {"dtype", block.attention.header.dtype},
                              {"arrays", array_names(block)}});
  json["file_bytes"] = capture.file_bytes();
  json["unpacked_bytes"] = capture.unpacked_bytes();
  json["notes"] = CaptureJson::array();
  for (const Error& note : notes_) json["notes"].push_back(tr(note));
  return json.dump(-1, ' ', false, CaptureJson::error_handler_t::replace);
}

std::string CaptureInfo::notes(const Translator& tr) const {
  std::string notes;
  for (const Error& note : notes_) notes = joined(notes, tr(note), tr);
  return notes;
}

}  // namespace headscope
