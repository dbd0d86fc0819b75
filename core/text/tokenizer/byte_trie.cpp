#include "core/text/tokenizer/byte_trie.h"

#include <algorithm>

namespace headscope::tokenizers {

ByteTrie::ByteTrie(std::vector<std::pair<std::string_view, std::int32_t>> texts) {
  const auto text_of = [](const auto& entry) { return entry.first; };
  std::erase_if(texts, [](const auto& entry) { return entry.first.empty(); });
  std::ranges::stable_sort(texts, {}, text_of);
  const auto same = [](const auto& a, const auto& b) { return a.first == b.first; };
  texts.erase(std::unique(texts.begin(), texts.end(), same), texts.end());

  // Level by level: the texts [begin, end) share the first `depth` bytes.
  struct Open {
    std::uint32_t node;
    std::size_t begin, end, depth;
  };
  nodes_.emplace_back();
  std::vector<Open> open{{0, 0, texts.size(), 0}};
  for (std::size_t next = 0; next < open.size(); ++next) {
    auto [node, begin, end, depth] = open[next];
    if (begin < end && texts[begin].first.size() == depth) nodes_[node].number = texts[begin++].second;
    nodes_[node].children = static_cast<std::uint32_t>(nodes_.size());
    while (begin < end) {
      const char byte = texts[begin].first[depth];
      std::size_t last = begin;
      while (last < end && texts[last].first[depth] == byte) ++last;
      open.push_back({static_cast<std::uint32_t>(nodes_.size()), begin, last, depth + 1});
      nodes_.push_back({0, 0, static_cast<unsigned char>(byte), -1});
      ++nodes_[node].count;
      begin = last;
    }
  }
  for (std::uint32_t i = 0; i < nodes_[0].count; ++i)
    first_[nodes_[nodes_[0].children + i].byte] = nodes_[0].children + i;
}

std::uint32_t ByteTrie::child(std::uint32_t node, unsigned char byte) const {
  if (node == 0) return first_[byte];
  const auto begin = nodes_.begin() + nodes_[node].children, end = begin + nodes_[node].count;
  const auto found =
      std::lower_bound(begin, end, byte, [](const Node& one, unsigned char b) { return one.byte < b; });
  return found != end && found->byte == byte ? static_cast<std::uint32_t>(found - nodes_.begin()) : 0;
}

ByteTrie::Longest ByteTrie::longest(std::string_view text) const {
  Longest result;
  prefixes(text, [&](std::size_t bytes, std::int32_t number) { result = {bytes, number}; });
  return result;
}

}  // namespace headscope::tokenizers
