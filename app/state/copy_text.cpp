#include "app/state/copy_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace headscope {
namespace {

const float* map_of(const Trace& trace, int layer, int head) {
  if (layer < 0 || layer >= static_cast<int>(trace.layers.size()) || head < 0 || head >= trace.inputs.heads)
    return nullptr;
  const LayerTrace& maps = trace.layers[static_cast<std::size_t>(layer)];
  return maps.has_maps() ? maps.weights.at(head) : nullptr;
}

std::string flat(std::string text) {
  std::ranges::replace_if(
      text, [](char c) { return c == '\t' || c == '\n' || c == '\r'; }, ' ');
  return text;
}

std::string name(const std::vector<Token>& tokens, Index i) {
  return flat(tokens[static_cast<std::size_t>(i)].text);
}

void add_keys(std::string& text, const Trace& trace) {
  for (Index k = 0; k < trace.n_k(); ++k) text += "\t" + name(trace.key_tokens, k);
  text += "\n";
}

void add_row(std::string& text, const Trace& trace, const float* map, Index query) {
  text += name(trace.tokens, query);
  for (Index k = 0; k < trace.n_k(); ++k) text += fmt::format("\t{:.9g}", map[query * trace.n_k() + k]);
  text += "\n";
}

}  // namespace

std::string cell_text(const Trace& trace, int layer, int head, int query, int key) {
  const float* map = map_of(trace, layer, head);
  if (map == nullptr || query < 0 || query >= trace.n_q() || key < 0 || key >= trace.n_k()) return {};
  return fmt::format("{}\t{}\t{:.9g}", name(trace.tokens, query), name(trace.key_tokens, key),
                     map[query * trace.n_k() + key]);
}

std::string row_text(const Trace& trace, int layer, int head, int query) {
  const float* map = map_of(trace, layer, head);
  if (map == nullptr || query < 0 || query >= trace.n_q()) return {};
  std::string text;
  add_keys(text, trace);
  add_row(text, trace, map, query);
  return text;
}

std::string head_text(const Trace& trace, int layer, int head) {
  const float* map = map_of(trace, layer, head);
  if (map == nullptr) return {};
  std::string text;
  add_keys(text, trace);
  for (Index q = 0; q < trace.n_q(); ++q) add_row(text, trace, map, q);
  return text;
}

}  // namespace headscope
