#include "app/state/text/copy_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace headscope {
namespace {

bool has(const FilteredLayer& shown, int head) {
  return head >= 0 && head < shown.heads() && shown.weights(head) != nullptr;
}

std::string flat(std::string text) {
  std::ranges::replace_if(
      text, [](char c) { return c == '\t' || c == '\n' || c == '\r'; }, ' ');
  return text;
}

std::string name(const std::vector<Token>& tokens, Index i) {
  return flat(tokens[i].text);
}

/// A token of a long text, of which only a part is shown, with its index counted from 1.
std::string numbered(const FilteredLayer& shown, const std::vector<Token>& tokens, Index i) {
  return shown.part ? fmt::format("{} ({})", name(tokens, i), i + 1) : name(tokens, i);
}

/// The name of a row or column; a pooled one is named by its token indices, counted from 1.
std::string name(const FilteredLayer& shown, const std::vector<Token>& tokens, int first, Index group,
                 Index end) {
  return group == 1 ? numbered(shown, tokens, first)
                    : fmt::format("{}–{}", first + 1, std::min(first + group, end));
}

/// Cells [begin, end) along an axis.
struct Cells {
  Index begin = 0, end = 0;
};
Cells all_keys(const FilteredLayer& shown) {
  return {0, shown.n_k()};
}
Cells cells_in(double begin, double end, Index n) {
  return {std::clamp<Index>(static_cast<Index>(std::floor(begin)), 0, n),
          std::clamp<Index>(static_cast<Index>(std::ceil(end)), 0, n)};
}

void add_keys(std::string& text, const FilteredLayer& shown, const Cells& keys) {
  const LongPart part = shown.part.value_or(LongPart{});
  for (Index i = keys.begin; i < keys.end; ++i)
    text += "\t" + name(shown, shown.block->key_tokens, shown.keys[i], part.key_pool, part.key_end);
  text += "\n";
}

void add_row(std::string& text, const FilteredLayer& shown, int head, Index row, const Cells& keys,
             std::string (*number)(float value) = whole_number) {
  const LongPart part = shown.part.value_or(LongPart{});
  text += name(shown, shown.block->tokens, shown.queries[row], part.query_pool, part.query_end);
  const Index first = row * shown.n_k();
  const std::uint8_t* states = shown.state(head);
  for (Index at = first + keys.begin; at < first + keys.end; ++at) {
    text += "\t";
    if (states == nullptr || states[at] != cell_filtered) text += number(shown.weights(head)[at]);
  }
  text += "\n";
}

}  // namespace

std::string whole_number(float value) {
  return fmt::format("{:.9g}", value);
}

std::string cell_text(const FilteredLayer& shown, int head, int query, int key) {
  const int row = shown.row(query), column = shown.column(key);
  if (!has(shown, head) || row < 0 || column < 0) return {};
  const ShownWeight cell = shown_weight(shown, head, query, key);
  if (cell.state == cell_filtered) return {};
  return fmt::format("{}\t{}\t{}", numbered(shown, shown.block->tokens, query),
                     numbered(shown, shown.block->key_tokens, key),
                     whole_number(shown.weights(head)[row * shown.n_k() + column]));
}

std::string row_text(const FilteredLayer& shown, int head, int query) {
  const int row = shown.row(query);
  if (!has(shown, head) || row < 0) return {};
  std::string text;
  add_keys(text, shown, all_keys(shown));
  add_row(text, shown, head, row, all_keys(shown));
  return text;
}

std::string head_text(const FilteredLayer& shown, int head, const std::optional<CellPart>& seen,
                      std::string (*number)(float value)) {
  if (!has(shown, head)) return {};
  const Cells keys = seen ? cells_in(seen->key_begin, seen->key_end, shown.n_k()) : all_keys(shown);
  const Cells queries =
      seen ? cells_in(seen->query_begin, seen->query_end, shown.n_q()) : Cells{0, shown.n_q()};
  std::string text;
  add_keys(text, shown, keys);
  for (Index row = queries.begin; row < queries.end; ++row) add_row(text, shown, head, row, keys, number);
  return text;
}

}  // namespace headscope
