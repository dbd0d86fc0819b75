#include "app/state/actions/copy_actions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "app/state/actions/actions.h"
#include "app/state/app.h"
#include "app/state/document/bookmarks.h"
#include "app/state/document/figure_export.h"
#include "app/state/lesson/play_lesson.h"
#include "app/state/text/copy_text.h"
#include "core/analysis/comparison.h"
#include "core/analysis/long_part.h"
#include "core/base/utf8.h"
#include "core/scene/range.h"
#include "core/scene/readable_numbers.h"
#include "core/scene/source_title.h"
#include "core/source/maps/pooled_maps.h"
#include "core/source/seeded/pytorch_text.h"

namespace headscope {
namespace {

void copy_to_clipboard(App& app, const std::string& text, const std::string& reported) {
  if (text.empty()) return app.notices.warn(Notice::About::copying, TR("No weights to copy here"));
  // The X server disconnects a client that sends 16 MiB at once.
  constexpr std::size_t max_bytes = std::size_t{12} << 20;
  if (text.size() > max_bytes)
    return app.notices.info(TR("{} MB of text are too much for the clipboard; copy a row, or write an array "
                               "with headscope tensors"),
                            text.size() / 1'000'000);
  if (app.desktop.put_text) app.desktop.put_text(text);
  app.notices.settle(Notice::About::copying);
  app.notices.info(reported);
}

/// The head as the view shows it, even if it is not in view. For a long text, `part` in single tokens if
/// given, otherwise what the view shows.
std::shared_ptr<const FilteredLayer> shown_head(App& app, int layer, int head, Side side,
                                                const std::optional<LongPart>& part = {}) {
  const Filter& filter = app.state.view.filter;
  const auto block = app.block(side);
  const std::array heads{std::clamp(head, 0, std::max(0, block->heads() - 1))};
  if (needs_pooling(*block)) return part ? part_layer(block, layer, heads, *part) : app.shown();
  return filter_layer(block, layer, side == Side::b ? partner_filter(filter, *app.block(), *block) : filter,
                      heads);
}

/// Copies text; the notice says what was copied and how the filter changed its numbers.
void copy_shown(App& app, const FilteredLayer& shown, const std::string& text, std::string reported) {
  if (shown.renormalized)
    reported += " (" + std::string(app.tr("rows renormalized over the keys shown")) + ")";
  copy_to_clipboard(app, text, reported);
}

/// The current cell and its side: in the comparison it may be a cell that only B has.
struct Present {
  std::optional<Cell> cell;
  Side side = Side::a;
};
Present present_cell(const Workspace& work) {
  const ViewState& state = work.state;
  const std::optional<Cell> focus = state.focus(*work.block());
  const auto& other = state.last_other_hover ? state.last_other_hover : state.other_lock;
  if (!work.compares() || !other || (!state.last_other_hover && focus)) return {focus};
  if (other->query.b < 0 || other->key.b < 0) return {};
  return {Cell{other->head, other->query.b, other->key.b}, Side::b};
}

void copy_present_head(App& app) {
  const std::optional<Cell> cell = app.state.focus(*app.block());
  copy_head(app, app.state.view.layer, cell ? cell->head : app.state.view.head.value_or(0));
}

/// Copies the PyTorch code for the numbers in view, B's if B is being edited.
void copy_pytorch(App& app) {
  const auto trace = app.runners[app.edited_side()].trace();
  try {
    copy_to_clipboard(app, pytorch_text(*trace, app.tr), TR("Copied as lines of PyTorch"));
  } catch (const Error& error) {
    app.notices.error(Notice::About::copying, error);
  }
}

}  // namespace

void copy_cell(App& app, int layer, const Cell& cell, Side side) {
  const auto shown =
      shown_head(app, layer, cell.head, side, LongPart{cell.query, cell.query + 1, cell.key, cell.key + 1});
  copy_shown(app, *shown, cell_text(*shown, cell.head, cell.query, cell.key),
             app.tr("Cell copied: query, key, weight"));
}

void copy_row(App& app, int layer, const Cell& cell, Side side) {
  const auto shown = shown_head(app, layer, cell.head, side,
                                LongPart{cell.query, cell.query + 1, 0, app.block(side)->n_k()});
  copy_shown(app, *shown, row_text(*shown, cell.head, cell.query),
             app.tr("Row copied as tab-separated text"));
}

void copy_head(App& app, int layer, int head, Side side) {
  const auto shown = shown_head(app, layer, head, side);
  const BlockTrace& block = *shown->block;
  const Index queries = shown->part ? shown->part->query_pool : block.query_pool,
              keys = shown->part ? shown->part->key_pool : block.key_pool;
  std::string reported = app.tr("Head {} copied as tab-separated text", head + 1);
  if (queries > 1 || keys > 1)
    reported += " · " + app.tr(shown->means() ? "Each cell is the mean of {} × {}"
                                              : "Each cell is the largest of {} × {}",
                               queries, keys);
  std::optional<CellPart> seen;
  // Of a long map, copy the part in view: other parts are only partly read.
  if (shown->part && app.state.view.row().zooms) {
    const Scene scene = app.scene(app.block());
    seen = in_cells(*shown, shown_part(scene, block.n_q(), block.n_k()));
    if (const std::string note = zoom_note(app.tr, scene); !note.empty()) reported += " · " + note;
  }
  copy_shown(app, *shown, head_text(*shown, head, seen), reported);
}

MapTable map_table(App& app) {
  const Translator& tr = app.tr;
  const View& view = app.state.view;
  const std::optional<Cell> cell = app.state.focus(*app.block());
  const Side side = view.row().compares ? app.edited_side() : Side::a;
  const int wanted = cell ? cell->head : view.head.value_or(0);
  const auto shown = shown_head(app, view.layer, wanted, side);
  const BlockTrace& block = *shown->block;
  const int head = std::clamp(wanted, 0, std::max(0, block.heads() - 1));
  const Index rows = shown->n_q(), columns = shown->n_k();
  MapTable table;
  const auto add = [&table](const std::string& part) {
    table.title += (table.title.empty() ? "" : " · ") + part;
  };
  add(block.layer_count() > 1 ? tr("Layer {}, head {}", shown->layer + 1, head + 1)
                              : tr("Head {}", head + 1));
  if (view.row().compares) add(letter(side));
  add(cells_name(tr, block, shown->layer));
  add(tr(view.row().tab));
  std::optional<CellPart> part;
  if (rows > max_table || columns > max_table) {
    part = {0, static_cast<double>(std::min<Index>(rows, max_table)), 0,
            static_cast<double>(std::min<Index>(columns, max_table))};
    add(tr("the first {} of {} × {}", max_table, rows, columns));
  }
  constexpr std::size_t longest = 500;  // bytes
  if (const auto trace = app.trace(side)) add(printable(cut_off(sentence_of(*trace), longest)));
  // Its corner is empty in a spreadsheet.
  const auto heard = [](float value) { return with_minus(fmt::format("{:.4g}", value)); };
  const auto hidden = [](float) { return std::string("?"); };
  table.text = head_text(*shown, head, part, hides_numbers(app) ? +hidden : +heard);
  if (!table.text.empty()) table.text.insert(0, std::string(tr("Query")) + " \\ " + tr("Key"));
  return table;
}

void add_copy_actions(std::vector<Action>& list) {
  ActionRows add(list, ActionGroup::edit);
  const auto has_cell = [](const App& app) { return present_cell(app).cell.has_value(); };
  add.separate();
  add("copy cell", TR("Copy cell"), {ctrl(Key::c)}, [](App& app) {
    const Present at = present_cell(app);
    copy_cell(app, app.state.view.layer, *at.cell, at.side);
  }).enabled_if(has_cell);
  add("copy row", TR("Copy row"), {ctrl_shift(Key::r)}, [](App& app) {
    const Present at = present_cell(app);
    copy_row(app, app.state.view.layer, *at.cell, at.side);
  }).enabled_if(has_cell);
  add("copy head", TR("Copy head"), {ctrl_shift(Key::h)}, copy_present_head);
  add("copy picture", TR("Copy figure as image"), {ctrl_shift(Key::c)}, copy_picture)
      .enabled_if([](const App& app) { return app.desktop.put_picture && !app.dialogs.picture.started(); });
  add("copy pytorch", TR("Copy as PyTorch"), copy_pytorch);
  add.separate();
  add("bookmark", TR("Add bookmark"), {ctrl(Key::b)}, add_bookmark);
}

}  // namespace headscope
