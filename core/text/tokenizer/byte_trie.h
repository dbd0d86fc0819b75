#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace headscope::tokenizers {

/// Numbered texts, found as prefixes of a longer text.
class ByteTrie {
 public:
  ByteTrie() : ByteTrie(std::vector<std::pair<std::string_view, std::int32_t>>{}) {}
  /// Of equal texts the first one is used. Empty texts are ignored.
  explicit ByteTrie(std::vector<std::pair<std::string_view, std::int32_t>> texts);

  /// found(bytes, number) for each text that `text` begins with, the shortest first.
  template <typename Found>
  void prefixes(std::string_view text, const Found& found) const {
    std::uint32_t node = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
      node = child(node, text[i]);
      if (node == 0) return;
      if (nodes_[node].number >= 0) found(i + 1, nodes_[node].number);
    }
  }

  struct Longest {
    std::size_t bytes = 0;  ///< 0: none
    std::int32_t number = -1;
  };
  Longest longest(std::string_view text) const;
  bool empty() const { return nodes_.size() == 1; }

 private:
  friend class ByteAutomaton;
  struct Node {
    std::uint32_t children = 0;  // the first of them; they are contiguous, sorted by byte
    std::uint16_t count = 0;
    unsigned char byte = 0;
    std::int32_t number = -1;
  };
  /// 0, the root, if there is none.
  std::uint32_t child(std::uint32_t node, unsigned char byte) const;

  std::vector<Node> nodes_;
  std::array<std::uint32_t, 256> first_{};  // children of the root, by their byte
};

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
