#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/cli/info_text.h"
#include "app/cli/notes.h"
#include "core/inputs/names.h"
#include "core/scene/source_title.h"
#include "core/source/capture/capture_source.h"
#include "core/source/engine/engine.h"

namespace headscope {
namespace {

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
                                                 {"output", block.output.has_value()},
                                                 {"w_o", block.w_o.has_value()}};
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
  return minimum == maximum ? fmt::format("{}", minimum) : tr("{} to {}", minimum, maximum);
}

/// The irregularities of the sources and the maps of the first sequences, each once.
std::vector<Error> irregularities(const CaptureSource& source) {
  Engine engine;
  Inputs inputs;
  inputs.capture = source.about().capture->path();
  std::vector<Error> notes;
  const auto add = [&](const Error& note) {
    const auto same = [&](const Error& known) { return std::string(known.what()) == note.what(); };
    if (std::ranges::none_of(notes, same)) notes.push_back(note);
  };
  const std::size_t count = std::min(looked_at, source.about().capture->sequences().size());
  for (inputs.sequence = 0; inputs.sequence < static_cast<int>(count); ++inputs.sequence) {
    const auto trace = source.run(inputs, {}, engine.context(), {});
    for (const Error& note : source.notes(inputs.sequence)) add(note);
    for (const BlockTrace& block : trace->blocks)
      if (const auto warning = block.maps->warning()) add(*warning);
  }
  return notes;
}

void print_capture(const Capture& capture, const Translator& tr) {
  const InfoLines text(tr);
  text.line("capture", TR("Capture"), capture.path());
  if (!capture.model().empty()) text.line("model", TR("Model"), capture.model());
  text.line("sequences", TR("sequences"), fmt::format("{}", capture.sequences().size()));
  text.line("tokens", TR("tokens"), token_counts(capture, tr));
  for (const Capture::Block& block : capture.blocks())
    text.line(tr.language() == Language::en ? to_name(block.shape.kind) : block_title(tr, block.shape.kind),
              tr("layers: {}, heads: {}, maps: {} × {}, {}", block.shape.layers, block.shape.heads, block.n_q,
                 block.n_k, block.attention.header.dtype));
  if (const auto& patches = capture.sequences().front().patches)
    text.line("patches", TR("patches"), fmt::format("{} × {}", patches->rows, patches->columns));
  if (capture.unpacked_bytes() > 0)
    text.line("unpacked", TR("unpacked"),
              fmt::format("{:.3g} MB", static_cast<double>(capture.unpacked_bytes()) / 1e6));
}

nlohmann::ordered_json capture_json(const Capture& capture) {
  nlohmann::ordered_json json;
  json["model"] =
      capture.model().empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(capture.model());
  json["sequences"] = capture.sequences().size();
  json["tokens"] = json["patches"] = nlohmann::ordered_json::array();
  for (const Capture::Sequence& sequence : capture.sequences()) {
    json["tokens"].push_back(sequence.tokens.size());
    const auto& patches = sequence.patches;
    json["patches"].push_back(patches ? nlohmann::ordered_json{{"rows", patches->rows},
                                                               {"columns", patches->columns},
                                                               {"first", patches->first},
                                                               {"picture", patches->picture}}
                                      : nlohmann::ordered_json(nullptr));
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
  json["notes"] = nlohmann::ordered_json::array();
  return json;
}

}  // namespace

std::string describe_capture(const std::string& path, nlohmann::ordered_json* json, const Translator& tr) {
  const auto source = CaptureSource::open(path);
  const std::vector<Error> irregular = irregularities(*source);
  if (json != nullptr)
    *json = capture_json(*source->about().capture);
  else
    print_capture(*source->about().capture, tr);
  std::string notes;
  for (const Error& note : irregular) {
    if (json != nullptr) (*json)["notes"].push_back(tr(note));
    notes = joined(notes, tr(note), tr);
  }
  return notes;
}

}  // namespace headscope
