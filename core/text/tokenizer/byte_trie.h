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
      node = child(node, static_cast<unsigned char>(text[i]));
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

}  // namespace headscope::tokenizers
