#pragma once
#include "core/text/tokenizer/byte_trie.h"

namespace headscope::tokenizers {

/// Numbered texts, all occurrences of which in a longer text are found in one pass, whatever their lengths
/// (Aho and Corasick 1975).
class ByteAutomaton {
 public:
  ByteAutomaton() : ByteAutomaton(std::vector<std::pair<std::string_view, std::int32_t>>{}) {}
  /// As ByteTrie: the first of several equal texts counts.
  explicit ByteAutomaton(std::vector<std::pair<std::string_view, std::int32_t>> texts);

  bool empty() const { return trie_.empty(); }
  /// The initial state, and the state after one more byte.
  static constexpr std::uint32_t start = 0;
  std::uint32_t next(std::uint32_t state, char byte) const;
  /// found(bytes, number) for each text that ends here, the longest first, as long as it returns true.
  template <typename Found>
  void ending(std::uint32_t state, const Found& found) const {
    for (std::uint32_t node = longest_[state]; node != 0; node = longest_[shorter_[node]])
      if (!found(std::size_t{depth_[node]}, trie_.nodes_[node].number)) return;
  }

 private:
  ByteTrie trie_;
  // For each node: the node of the longest proper suffix of its text, the node of the longest text that ends
  // there (0: none), and the length of its text in bytes.
  std::vector<std::uint32_t> shorter_, longest_, depth_;
};

/// Finds the longest text that begins at each position, in one pass from the end.
class LongestBeginnings {
 public:
  LongestBeginnings() = default;
  explicit LongestBeginnings(std::span<const std::pair<std::string_view, std::int32_t>> texts);
  bool empty() const { return reversed_.empty(); }
  /// One for each byte of `text`.
  std::vector<ByteTrie::Longest> find(std::string_view text) const;

 private:
  ByteAutomaton reversed_;
};

}  // namespace headscope::tokenizers
