#pragma once
#include "core/inputs/fields.h"
#include "core/session/session.h"

// Lists every field of a session file once, for writing and reading: each function calls `visit` with the
// name in the file, the member and, for numbers, their limits.

namespace headscope {

template <typename Visit, typename TypedWeightsRef>
void visit_typed(Visit& visit, TypedWeightsRef& typed) {
  visit("w_q", typed.w_q, -Limits::max_typed_value, Limits::max_typed_value);
  visit("w_k", typed.w_k, -Limits::max_typed_value, Limits::max_typed_value);
  visit("w_v", typed.w_v, -Limits::max_typed_value, Limits::max_typed_value);
  visit("w_o", typed.w_o, -Limits::max_typed_value, Limits::max_typed_value);
  visit("order", typed.order);
  visit("x", typed.x, -Limits::max_typed_value, Limits::max_typed_value);
  visit("key_x", typed.key_x, -Limits::max_typed_value, Limits::max_typed_value);
}

template <typename Visit, typename InputsRef>
void visit_inputs(Visit& visit, InputsRef& inputs) {
  for_each_input(inputs, [&](const InputField& field, auto& value) {
    using Value = std::remove_cvref_t<decltype(value)>;
    if constexpr (has_limits<Value>)
      visit(field.name, value, static_cast<Value>(field.minimum), static_cast<Value>(field.maximum));
    else if constexpr (std::is_same_v<Value, std::set<int>>)
      visit(field.name, value, static_cast<int>(field.maximum));
    else
      visit(field.name, value);
  });
}

template <typename Visit, typename FilterRef>
void visit_filter(Visit& visit, FilterRef& filter) {
  visit("top_percent", filter.top_percent, 0.0, 100.0);
  visit("threshold", filter.threshold, 0.0, 1.0);
  visit("hidden_queries", filter.hidden_queries, Limits::max_tokens - 1);
  visit("hidden_keys", filter.hidden_keys, Limits::max_tokens - 1);
  visit("renormalize", filter.renormalize);
  visit("queries", filter.queries);
  visit("keys", filter.keys);
}

template <typename Visit, typename ZoomRef>
void visit_zoom(Visit& visit, ZoomRef& zoom) {
  visit("query", zoom.query, 0.0, static_cast<double>(Limits::max_tokens));
  visit("key", zoom.key, 0.0, static_cast<double>(Limits::max_tokens));
  visit("factor", zoom.factor, 1.0, static_cast<double>(Limits::max_tokens));
}

template <typename Visit, typename ViewRef>
void visit_view(Visit& visit, ViewRef& view) {
  visit("kind", view.kind);
  visit("block", view.block);
  visit("layer", view.layer, 0, Limits::max_view_layers - 1);
  visit("head", view.head, 0, Limits::max_view_heads - 1);
  visit("zoom", view.zoom);
  visit("colormap", view.colormap);
  visit("range", view.range);
  visit("limits", view.limits);
  visit("numbers", view.numbers);
  visit("rows", view.rows, 0, Limits::max_view_heads);
  visit("columns", view.columns, 0, Limits::max_view_heads);
  visit("title", view.title);
  visit("show_title", view.show_title);
  visit("theme", view.theme);
  visit("filter", view.filter);
  visit("sort", view.sort);
  visit("sort_descending", view.sort_descending);
  visit("means", view.means);
  visit("groups", view.groups, 1, Limits::max_groups);
  visit("hidden_heads", view.hidden_heads, Limits::max_view_heads - 1);
  visit("table", view.table);
  visit("scatter_x", view.scatter_x);
  visit("scatter_y", view.scatter_y);
  visit("scatter_color", view.scatter_color);
  visit("token", view.token);
  visit("position", view.position, 0, Limits::max_tokens - 1);
  visit("page", view.page);
  visit("stage", view.stage);
  visit("words", view.words);
  visit("of_b", view.of_b);
}

template <typename Visit, typename BookmarkRef>
void visit_bookmark(Visit& visit, BookmarkRef& bookmark) {
  visit("name", bookmark.name);
  visit("inputs", bookmark.inputs);
  visit("view", bookmark.view);
  visit("compare", bookmark.compare);
  visit("cell", bookmark.cell);
}

template <typename Visit, typename CellRef>
void visit_cell(Visit& visit, CellRef& cell) {
  visit("head", cell.head, 0, Limits::max_view_heads - 1);
  visit("query", cell.query, 0, Limits::max_tokens - 1);
  visit("key", cell.key, 0, Limits::max_tokens - 1);
}

template <typename Visit, typename HeadLabelRef>
void visit_label(Visit& visit, HeadLabelRef& label) {
  visit("layer", label.layer, 0, Limits::max_view_layers - 1);
  visit("head", label.head, 0, Limits::max_view_heads - 1);
  visit("name", label.name);
  visit("color", label.color);
}

/// All but `version` and the inputs.
template <typename Visit, typename SessionRef>
void visit_session(Visit& visit, SessionRef& session) {
  visit("view", session.view);
  visit("compare", session.compare);
  visit("bookmarks", session.bookmarks);
  visit("labels", session.labels);
  visit("model_weights", session.model_weights);
}

}  // namespace headscope
