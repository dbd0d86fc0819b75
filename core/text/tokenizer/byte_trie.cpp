#include "core/text/tokenizer/byte_trie.h"

#include <algorithm>
#include <string>

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

ByteAutomaton::ByteAutomaton(std::vector<std::pair<std::string_view, std::int32_t>> texts)
    : trie_(std::move(texts)) {
  const auto& nodes = trie_.nodes_;
  shorter_.resize(nodes.size());
  longest_.resize(nodes.size());
  depth_.resize(nodes.size());
  // Nodes are ordered level by level: shorter texts are processed first.
  for (std::uint32_t node = 0; node < nodes.size(); ++node) {
    longest_[node] = nodes[node].number >= 0 ? node : longest_[shorter_[node]];
    for (std::uint32_t i = 0; i < nodes[node].count; ++i) {
      const std::uint32_t child = nodes[node].children + i;
      depth_[child] = depth_[node] + 1;
      shorter_[child] = node == start ? start : next(shorter_[node], nodes[child].byte);
    }
  }
}

std::uint32_t ByteAutomaton::next(std::uint32_t state, char byte) const {
  for (;; state = shorter_[state]) {
    const std::uint32_t child = trie_.child(state, byte);
    if (child != 0 || state == start) return child;
  }
}

LongestBeginnings::LongestBeginnings(std::span<const std::pair<std::string_view, std::int32_t>> texts) {
  std::vector<std::string> reversed;
  reversed.reserve(texts.size());
  std::vector<std::pair<std::string_view, std::int32_t>> numbered;
  for (const auto& [text, number] : texts) {
    reversed.emplace_back(text.rbegin(), text.rend());
    numbered.emplace_back(reversed.back(), number);
  }
  reversed_ = ByteAutomaton(std::move(numbered));
}

std::vector<ByteTrie::Longest> LongestBeginnings::find(std::string_view text) const {
  std::vector<ByteTrie::Longest> longest(text.size());
  std::uint32_t state = ByteAutomaton::start;
  for (std::size_t at = text.size(); at-- > 0;) {
    state = reversed_.next(state, text[at]);
    reversed_.ending(state, [&](std::size_t bytes, std::int32_t number) {
      longest[at] = {bytes, number};
      return false;
    });
  }
  return longest;
}

}  // namespace headscope::tokenizers
