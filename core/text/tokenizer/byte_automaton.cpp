#include "core/text/tokenizer/byte_automaton.h"

#include <string>

namespace headscope::tokenizers {

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
      shorter_[child] = node == start ? start : next(shorter_[node], static_cast<char>(nodes[child].byte));
    }
  }
}

std::uint32_t ByteAutomaton::next(std::uint32_t state, char byte) const {
  for (;; state = shorter_[state]) {
    const std::uint32_t child = trie_.child(state, static_cast<unsigned char>(byte));
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
