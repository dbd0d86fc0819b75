#include "app/window/state_dump.h"

#include <nlohmann/json.hpp>

#include "core/io/file.h"
#include "core/system/process.h"

namespace headscope {
namespace {

nlohmann::json cell_json(const std::optional<Cell>& cell) {
  if (!cell) return nullptr;
  return {cell->head, cell->query, cell->key};
}

/// A place of the comparison where A has no cell, as a cell of B; null for a token that only A has.
nlohmann::json cell_of_b(const std::optional<ComparedCell>& cell) {
  if (!cell) return nullptr;
  const auto token = [](int b) { return b < 0 ? nlohmann::json() : nlohmann::json(b); };
  return {cell->head, token(cell->query.b), token(cell->key.b)};
}

nlohmann::json translation_of(const Trace* trace) {
  return trace != nullptr && trace->translation ? nlohmann::json(trace->translation->text) : nlohmann::json();
}

}  // namespace

StateDump::StateDump() : path_(environment("HEADSCOPE_STATE_DUMP")) {}

UiAnchors* StateDump::begin_frame() {
  if (!wanted()) return nullptr;
  marks_.clear();
  return &marks_;
}

void StateDump::end_frame(const App& app, bool more_frames) {
  if (!wanted()) return;
  const nlohmann::json dump = {
      {"session", nlohmann::json::parse(to_json(app.shown_session(), false))},
      {"hover", cell_json(app.state.hover)},
      {"lock", cell_json(app.state.lock)},
      {"hover_b", cell_of_b(app.state.other_hover)},
      {"lock_b", cell_of_b(app.state.other_lock)},
      {"moving", more_frames || is_busy(app)},
      {"translation", translation_of(app.trace().get())},
      {"translation_b", translation_of(app.compares() ? app.trace(Side::b).get() : nullptr)},
      {"error", app.runners.a.error() ? app.runners.a.error()->what() : ""},
      {"marks", marks_.rects()}};
  std::string text = dump.dump();
  if (text == written_) return;
  write_file(path_, text, Durability::process);
  written_ = std::move(text);
}

}  // namespace headscope
