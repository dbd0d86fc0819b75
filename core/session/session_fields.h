#pragma once
#include "core/session/session.h"

// Every field of a session file once, for writing and for reading: each function calls `visit` with the name
// in the file, the member and, for numbers, their limits.

namespace headscope {

template <typename Visit, typename TypedWeightsRef>
void visit_typed(Visit& visit, TypedWeightsRef& typed) {
  visit("w_q", typed.w_q, -Limits::max_typed_value, Limits::max_typed_value);
  visit("w_k", typed.w_k, -Limits::max_typed_value, Limits::max_typed_value);
  visit("w_v", typed.w_v, -Limits::max_typed_value, Limits::max_typed_value);
  visit("w_o", typed.w_o, -Limits::max_typed_value, Limits::max_typed_value);
}

template <typename Visit, typename InputsRef>
void visit_inputs(Visit& visit, InputsRef& inputs) {
  visit("sentence", inputs.sentence);
  visit("key_sentence", inputs.key_sentence);
  visit("d_model", inputs.d_model, 1, Limits::max_d_model);
  visit("heads", inputs.heads, 1, Limits::max_heads);
  visit("seed", inputs.seed);
  visit("inputs", inputs.vectors);
  visit("positions", inputs.positions);
  visit("mask", inputs.mask);
  visit("mask_fill", inputs.mask_fill);
  visit("temperature", inputs.temperature, Limits::min_temperature, Limits::max_temperature);
  visit("scale", inputs.scale);
  visit("dropout", inputs.dropout, 0.0, 1.0);
  visit("dropout_seed", inputs.dropout_seed);
  visit("gain_q", inputs.gain_q, -Limits::max_gain, Limits::max_gain);
  visit("gain_k", inputs.gain_k, -Limits::max_gain, Limits::max_gain);
  visit("weights", inputs.weights);
  visit("sigma", inputs.sigma, 0.0, Limits::max_sigma);
  visit("typed", inputs.manual_weights);
  visit("kv_heads", inputs.kv_heads, 0, Limits::max_heads);
  visit("layers", inputs.layers, 1, Limits::max_layers);
  visit("share_layers", inputs.share_layers);
  visit("residual", inputs.residual);
  visit("layer_norm", inputs.layer_norm);
  visit("feed_forward", inputs.feed_forward);
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

template <typename Visit, typename ViewRef>
void visit_view(Visit& visit, ViewRef& view) {
  visit("kind", view.kind);
  visit("block", view.block);
  visit("layer", view.layer, 0, Limits::max_layers - 1);
  visit("head", view.head, 0, Limits::max_heads - 1);
  visit("colormap", view.colormap);
  visit("range", view.range);
  visit("numbers", view.numbers);
  visit("rows", view.rows, 0, Limits::max_heads);
  visit("columns", view.columns, 0, Limits::max_heads);
  visit("title", view.title);
  visit("show_title", view.show_title);
  visit("theme", view.theme);
  visit("filter", view.filter);
  visit("sort", view.sort);
  visit("sort_descending", view.sort_descending);
  visit("groups", view.groups, 1, Limits::max_layers * Limits::max_heads);
  visit("hidden_heads", view.hidden_heads, Limits::max_heads - 1);
}

template <typename Visit, typename BookmarkRef>
void visit_bookmark(Visit& visit, BookmarkRef& bookmark) {
  visit("name", bookmark.name);
  visit("inputs", bookmark.inputs);
  visit("view", bookmark.view);
  visit("compare", bookmark.compare);
}

template <typename Visit, typename HeadLabelRef>
void visit_label(Visit& visit, HeadLabelRef& label) {
  visit("layer", label.layer, 0, Limits::max_layers - 1);
  visit("head", label.head, 0, Limits::max_heads - 1);
  visit("name", label.name);
  visit("color", label.color);
}

/// All but `version`.
template <typename Visit, typename SessionRef>
void visit_session(Visit& visit, SessionRef& session) {
  visit_inputs(visit, session.inputs);
  visit("view", session.view);
  visit("compare", session.compare);
  visit("bookmarks", session.bookmarks);
  visit("labels", session.labels);
}

}  // namespace headscope
