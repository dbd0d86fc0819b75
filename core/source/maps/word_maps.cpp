#include "core/source/maps/word_maps.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/matrix.h"
#include "core/base/utf8.h"

namespace headscope {
namespace {

// The first piece of each word, followed by the number of pieces.
using Words = std::vector<Index>;

Words words_of_pieces(const std::vector<Token>& pieces) {
  Words begins;
  for (std::size_t i = 0; i < pieces.size(); ++i)
    if (i == 0 || pieces[i].word < 0 || pieces[i].word != pieces[i - 1].word) begins.push_back(i);
  begins.push_back(std::ssize(pieces));
  return begins;
}

/// The byte of "⟨E7⟩" at the start of the text, which is how pieces show a partial character; -1: none.
int shown_byte(std::string_view text) {
  constexpr std::string_view open = "⟨", close = "⟩";
  constexpr std::size_t digits = 2;
  if (!text.starts_with(open) || !text.substr(std::min(text.size(), open.size() + digits)).starts_with(close))
    return -1;
  int byte = 0;
  for (const char c : text.substr(open.size(), digits)) {
    const bool digit = c >= '0' && c <= '9', letter = c >= 'A' && c <= 'F';
    if (!digit && !letter) return -1;
    byte = 16 * byte + (digit ? c - '0' : c - 'A' + 10);
  }
  constexpr int first_of_several = 0x80;
  return byte >= first_of_several ? byte : -1;
}

/// Joins pieces that are parts of one character into that character.
std::string with_whole_characters(const std::string& text) {
  constexpr std::size_t length = std::string_view("⟨E7⟩").size();
  std::string whole;
  for (std::size_t at = 0; at < text.size();) {
    std::string bytes;
    std::size_t end = at;
    for (int byte; (byte = shown_byte(std::string_view(text).substr(end))) >= 0; end += length)
      bytes += static_cast<char>(byte);
    if (bytes.empty())
      whole += text[at++];
    else {
      whole += find_invalid_utf8(bytes) == std::string::npos ? bytes : text.substr(at, end - at);
      at = end;
    }
  }
  return whole;
}

std::vector<Token> merged(const std::vector<Token>& pieces, const Words& words) {
  constexpr std::string_view continued = "##";  // WordPiece's mark
  std::vector<Token> tokens;
  for (std::size_t w = 0; w + 1 < words.size(); ++w) {
    const std::size_t first = words[w], end = words[w + 1];
    Token& token = tokens.emplace_back(pieces[first]);
    for (std::size_t i = first + 1; i < end; ++i) {
      const std::string& text = pieces[i].text;
      token.text += text.starts_with(continued) ? text.substr(continued.size()) : text;
      token.end = std::max(token.end, pieces[i].end);
    }
    if (end == first + 1) continue;
    token.id = -1;
    token.text = with_whole_characters(token.text);
  }
  return tokens;
}

class WordMaps : public MapSource {
 public:
  /// `means`: over the keys' pieces as well.
  WordMaps(std::shared_ptr<const MapSource> pieces, Words queries, Words keys, bool means = false)
      : MapSource(
            {pieces->size().layers, pieces->size().heads, std::ssize(queries) - 1, std::ssize(keys) - 1}),
        pieces_(std::move(pieces)),
        queries_(std::move(queries)),
        keys_(std::move(keys)),
        means_(means) {}

  void rows(int layer, int head, Index begin, Index end, float* out) const override {
    const auto at = [](const Words& words, Index i) { return words[i]; };
    const Index n_k = size().n_k;
    Eigen::RowVectorXd mean(pieces_->size().n_k);
    for (Index word = begin; word < end; ++word, out += n_k) {
      const Index first = at(queries_, word), last = at(queries_, word + 1);
      const MapRows rows(*pieces_, layer, head, first, last);
      mean.setZero();
      for (Index row = first; row < last; ++row)
        mean += Eigen::Map<const Eigen::RowVectorXf>(rows.row(row), mean.size()).cast<double>();
      mean /= static_cast<double>(last - first);
      for (Index key = 0; key < n_k; ++key) {
        const auto pieces = mean.segment(at(keys_, key), at(keys_, key + 1) - at(keys_, key));
        out[key] = static_cast<float>(means_ ? pieces.mean() : pieces.sum());
      }
    }
  }
  std::optional<Error> warning() const override { return pieces_->warning(); }
  std::optional<Error> error() const override { return pieces_->error(); }

 private:
  std::shared_ptr<const MapSource> pieces_;
  Words queries_, keys_;
  bool means_;
};

}  // namespace

std::shared_ptr<const BlockTrace> with_words(std::shared_ptr<const BlockTrace> block) {
  const Words queries = words_of_pieces(block->tokens), keys = words_of_pieces(block->key_tokens);
  if (std::ssize(queries) - 1 == block->n_q() && std::ssize(keys) - 1 == block->n_k()) return block;
  auto words = std::make_shared<BlockTrace>();
  words->shape = block->shape;
  words->text = block->text;
  words->interventions = block->interventions;
  words->words = true;
  words->first_pieces = queries;
  words->first_key_pieces = keys;
  words->tokens = merged(block->tokens, queries);
  words->key_tokens = merged(block->key_tokens, keys);
  words->mask = pooled_mask(block->mask, block->heads(), queries, keys);
  for (const Mask& mask : block->layer_masks)
    words->layer_masks.push_back(pooled_mask(mask, block->heads(), queries, keys));
  if (block->maps) words->maps = std::make_shared<const WordMaps>(block->maps, queries, keys);
  if (block->tokens_alone) words->tokens_alone = with_words(block->tokens_alone);
  words->cells = block->cells;
  if (block->cells.maps)
    words->cells.maps = std::make_shared<const WordMaps>(block->cells.maps, queries, keys,
                                                         block->cells.value == CellValue::score);
  return words;
}

std::shared_ptr<const BlockTrace> block_in_view(std::shared_ptr<const Trace> trace, BlockKind kind,
                                                bool words) {
  auto block = block_of(std::move(trace), kind);
  return words ? with_words(std::move(block)) : block;
}

}  // namespace headscope
