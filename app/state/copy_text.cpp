#include "app/state/copy_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace headscope {
namespace {

bool has(const BlockTrace& block, int layer, int head, int query = 0, int key = 0) {
  return layer >= 0 && layer < block.layer_count() && head >= 0 && head < block.heads() && query >= 0 &&
         query < block.n_q() && key >= 0 && key < block.n_k();
}

std::string flat(std::string text) {
  std::ranges::replace_if(
      text, [](char c) { return c == '\t' || c == '\n' || c == '\r'; }, ' ');
  return text;
}

std::string name(const std::vector<Token>& tokens, Index i) {
  return flat(tokens[static_cast<std::size_t>(i)].text);
}

void add_keys(std::string& text, const BlockTrace& block) {
  for (Index k = 0; k < block.n_k(); ++k) text += "\t" + name(block.key_tokens, k);
  text += "\n";
}

void add_row(std::string& text, const BlockTrace& block, Index query, const float* row) {
  text += name(block.tokens, query);
  for (Index k = 0; k < block.n_k(); ++k) text += fmt::format("\t{:.9g}", row[k]);
  text += "\n";
}

}  // namespace

std::string cell_text(const BlockTrace& block, int layer, int head, int query, int key) {
  if (!has(block, layer, head, query, key)) return {};
  return fmt::format("{}\t{}\t{:.9g}", name(block.tokens, query), name(block.key_tokens, key),
                     block.maps->weight(layer, head, query, key));
}

std::string row_text(const BlockTrace& block, int layer, int head, int query) {
  if (!has(block, layer, head, query)) return {};
  std::string text;
  add_keys(text, block);
  add_row(text, block, query, MapRows(*block.maps, layer, head, query, query + 1).row(query));
  return text;
}

std::string head_text(const BlockTrace& block, int layer, int head) {
  if (!has(block, layer, head)) return {};
  std::string text;
  add_keys(text, block);
  for_each_row(*block.maps, layer, head,
               [&](Index query, const float* row) { add_row(text, block, query, row); });
  return text;
}

}  // namespace headscope
