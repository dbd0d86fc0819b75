#include "app/panels/views/inspector.h"

#include <fmt/format.h>

#include <cmath>

#include "app/panels/views/expected_next.h"
#include "app/panels/views/inspector_slots.h"
#include "app/panels/views/model_view.h"
#include "app/panels/views/notable_heads.h"
#include "app/panels/views/patches.h"
#include "app/panels/views/predictions.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/derived/view_cache.h"
#include "app/state/view/navigation.h"
#include "core/scene/head_table.h"
#include "core/scene/readable_numbers.h"
#include "core/source/maps/pooled_maps.h"
#include "core/source/source.h"

namespace headscope {
namespace {

void draw_statistics(Ui& ui, int head) {
  const auto statistics = ui.view_cache.head_statistics(ui.block, ui.shown->layer, head);
  // For long texts they are computed so late that the previous ones would be mistaken for them.
  const bool coming = (ui.block->pooled() || needs_pooling(*ui.block)) && ui.view_cache.measures_head();
  if (!statistics && !coming) return;
  if (const char* note = statistics_note(*ui.block, ui.shown->layer)) hint(ui.style, ui.tr(note));
  if (!ui.shown->unfiltered) hint(ui.style, ui.tr("of all tokens and weights, without the filter"));
  for (const HeadColumn& column : head_columns(false, ui.block->shape.no_token)) {
    if (coming) {
      draw_named_number(ui, ui.tr(column.title), "…", computing_text(ui));
      continue;
    }
    const std::optional<double> value = column.value(*statistics);
    draw_named_number(ui, ui.tr(column.title), value ? in_column(*value, 3) : "–", ui.tr(column.formula));
  }
}

bool statistics_section(const Ui& ui, int head) {
  const std::string side = ui.view().row().compares ? std::string(letter(ui.side)) + " · " : "";
  return named_section((side + ui.tr("Statistics of head {}", head + 1)).c_str(), ui.tr("Statistics"),
                       "statistics");
}

const char* heads_at_cell_title(const Ui& ui) {
  const float room = ImGui::GetContentRegionAvail().x - 2.2F * ui.style.font_size;
  return name_for(room, ui.tr("Heads that look here most"),
                  name_for(room, ui.tr("Heads looking here"), ui.tr("Heads here")));
}

/// What the model expects, heads worth a look, and what is known of the head: whether a cell is in focus or
/// not.
void draw_model_slot(Ui& of_window, Ui& ui, const Inspected& of) {
  if (decoder_step_in_view(of_window))
    draw_decoder_step(of_window);
  else
    draw_expected_next(ui);
  draw_notable_heads(ui);
  const InspectedSide* const first = of.first();
  if (first != nullptr) {
    Ui one = first->ui;
    if (!one.block->pooled() && one.block->layer_count() * one.block->heads() > 1 &&
        section(heads_at_cell_title(one), "heads at cell", false))
      draw_heads_at_cell(one, first->cell->query, first->cell->key, 8);
    if (statistics_section(one, first->cell->head)) draw_statistics(one, first->cell->head);
  } else if (ui.view().head && *ui.view().head < ui.block->heads() &&
             statistics_section(ui, *ui.view().head)) {
    draw_statistics(ui, *ui.view().head);
  }
}

void draw_slot_line() {
  ImGui::Spacing();
  ImGui::Separator();
  ImGui::Spacing();
}

}  // namespace

std::string weight_text(float weight) {
  if (weight == 0) return "0";
  const float size = std::abs(weight);
  if (size < 0.0001F || size >= 1e5F) return with_minus(fmt::format("{:.2e}", weight));
  if (size < 0.01F) return with_minus(fmt::format("{:#.3g}", weight));
  return with_minus(size < 10 ? fmt::format("{:.4f}", weight) : fmt::format("{:#.5g}", weight));
}

void hide_numbers(const Ui& ui) {
  hint(ui.style, ui.tr("The lesson asks for a number: numbers are here once you have answered."));
}

void draw_inspector(Ui& of_window) {
  Ui ui = of_seen_model(of_window);
  const Translator& tr = ui.tr;
  if (ui.shown->layer < 0 || ui.shown->layer >= ui.block->layer_count())
    return hint(ui.style,
                waits_for_model(ui)                           ? waiting_text(ui)
                : ui.stale                                    ? computing_text(ui)
                : ui.trace && ui.trace->about().reads_picture ? tr("Nothing to inspect yet: open a picture.")
                : ui.trace && ui.trace->about().hears() ? tr("Nothing to inspect yet: open a spectrogram.")
                                                        : tr("Nothing to inspect yet: type a sentence."));
  if (ui.hides_numbers) return hide_numbers(ui);
  draw_patches(ui);
  const Inspected of = inspected(ui);
  draw_cell_slot(ui, of);
  draw_slot_line();
  draw_row_slot(ui, of);
  draw_slot_line();
  draw_model_slot(of_window, ui, of);
}

}  // namespace headscope
