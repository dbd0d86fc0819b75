#include "core/source/capture/capture.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/error.h"
#include "core/base/translate.h"
#include "core/base/utf8.h"
#include "core/inputs/inputs.h"
#include "core/inputs/names.h"
#include "core/io/file.h"
#include "core/io/json_field.h"
#include "core/io/path_in_folder.h"
#include "core/io/strict_json.h"
#include "core/io/weight_formats.h"
#include "core/picture/picture.h"

namespace headscope {
namespace {

using Json = nlohmann::json;

constexpr const char* attention_name = "attention";
constexpr Index max_sequences = 100'000;

struct KnownBlock {
  BlockKind kind;
  const char* prefix;
};
// In the order of a model's blocks.
constexpr KnownBlock known_blocks[] = {{BlockKind::self, ""},
                                       {BlockKind::encoder, "encoder_"},
                                       {BlockKind::decoder, "decoder_"},
                                       {BlockKind::cross, "cross_"}};

constexpr Index max_capture_tokens = Index{1} << 22;  // of all sequences together

struct CaptureTokens {
  std::vector<std::vector<Token>> sequences;
  bool ids = false;  // the file has integers, without a vocabulary: the tokens are numbered
};

/// "1" to n, for a file without tokens.
std::vector<Token> numbered_tokens(Index n) {
  std::vector<Token> tokens;
  for (Index i = 1; i <= n; ++i) tokens.push_back({std::to_string(i), 0, 0, 0});
  return tokens;
}

constexpr std::size_t largest_text = std::size_t{64} << 20;

void check_size_of(const FiledArray& array, std::size_t bytes) {
  if (bytes > largest_text)
    throw input_error("{}: larger than the allowed {} bytes", array.where, largest_text);
}

bool is_list_of_ids(const Json& list) {
  return list.is_array() && !list.empty() &&
         std::ranges::all_of(list, [](const Json& token) { return token.is_number_integer(); });
}

void check_token_count(Index tokens, const std::string& where) {
  if (tokens < 1) throw input_error("{}: there are no tokens; expected at least one", where);
  if (tokens > Limits::max_tokens)
    throw input_error("{} has {} tokens; expected at most {}", where, tokens, Limits::max_tokens);
}

std::vector<Token> tokens_in(const Json& list, bool ids, const std::string& where) {
  if (!list.is_array()) throw input_error("{}: {}; expected a list of strings", where, shown(list));
  check_token_count(std::ssize(list), where);
  if (ids && is_list_of_ids(list)) return numbered_tokens(std::ssize(list));
  std::vector<Token> tokens;
  for (const Json& token : list) {
    if (!token.is_string()) throw input_error("{}: {}; expected a list of strings", where, shown(token));
    tokens.push_back({token.get<std::string>(), 0, 0, 0});
  }
  return tokens;
}

/// The shape of an array of tokens, of one sequence or several.
const std::vector<Index>& token_shape(const FiledArray& array) {
  const std::vector<Index>& shape = array.header.shape;
  if (shape.size() == 1 || shape.size() == 2) return shape;
  throw input_error("{}: shape {}; expected {}", array.where, shape_text(shape),
                    "[tokens], [sequences, tokens]");
}

/// Texts of numpy string arrays; with several sequences, shorter ones are padded with empty strings.
Json listed_texts(const FiledArray& array) {
  const std::vector<Index>& shape = token_shape(array);
  check_size_of(array, data_bytes(array.header, array.where));
  if (array.size() > max_capture_tokens)
    throw input_error("{} has {} tokens; expected at most {}", array.where, array.size(), max_capture_tokens);
  const std::vector<std::string> texts = array.texts();
  if (shape.size() == 1) return texts;
  Json lists = Json::array();
  const std::size_t length = shape[1];
  for (std::size_t begin = 0; begin < texts.size(); begin += length) {
    std::size_t end = begin + length;
    while (end > begin && texts[end - 1].empty()) --end;
    lists.push_back(Json::array());
    for (std::size_t i = begin; i < end; ++i) lists.back().push_back(texts[i]);
  }
  return lists;
}

/// Tokens from an integer array, [tokens] or [sequences, tokens].
CaptureTokens numbered_ids(const FiledArray& array) {
  const std::vector<Index>& shape = token_shape(array);
  check_token_count(shape.back(), array.where);
  const Index sequences = shape.size() == 2 ? shape[0] : 1;
  if (sequences > max_capture_tokens / shape.back())
    throw input_error("{} has {} tokens; expected at most {}", array.where, array.size(), max_capture_tokens);
  return {std::vector(sequences, numbered_tokens(shape.back())), true};
}

/// The UTF-8 text in an array of a capture. Throws Error (input) for another type, and for more than 64 MB.
std::string capture_text(const FiledArray& array) {
  if (array.header.dtype != "uint8" && array.header.dtype != "int8")
    throw input_error("{}: numbers of type {}; expected uint8: JSON as UTF-8", array.where,
                      array.header.dtype);
  check_size_of(array, array.size());
  return array.text();
}

/// The tokens of each sequence, from a JSON list, numpy's own strings or integers. Throws Error (input) for
/// an invalid list, a sequence without tokens, and too many tokens.
CaptureTokens capture_tokens(const FiledArray& array) {
  const std::string& type = array.header.dtype;
  if ((type.starts_with("int") && type != "int8") || (type.starts_with("uint") && type != "uint8"))
    return numbered_ids(array);
  const Json json =
      text_item_bytes(type) ? listed_texts(array) : parse_json(capture_text(array), array.where);
  const bool several = json.is_array() && !json.empty() && json[0].is_array();
  CaptureTokens result;
  result.ids = is_list_of_ids(several ? json[0] : json);
  if (!several) return {{tokens_in(json, result.ids, array.where)}, result.ids};
  for (const Json& list : json)
    result.sequences.push_back(
        tokens_in(list, result.ids, fmt::format("{}[{}]", array.where, result.sequences.size())));
  return result;
}

}  // namespace

/// Reads the metadata of a capture's file.
class CaptureReader {
 public:
  CaptureReader(const std::string& path, Capture& capture) : file_(ArrayFile::open(path)), capture_(capture) {
    capture_.path_ = path;
    capture_.file_bytes_ = file_.file_bytes();
  }

  void read() {
    for (const KnownBlock& known : known_blocks)
      if (file_.has(std::string(known.prefix) + attention_name)) read_block(known);
    if (capture_.blocks_.empty())
      throw input_error(
          "{}: not a capture: it has no array attention (a trained model is opened by its folder)",
          capture_.path_);
    if (capture_.blocks_.front().shape.kind == BlockKind::self && capture_.blocks_.size() > 1)
      throw input_error("{}: there are {} and {}; expected one of them", capture_.path_, "attention",
                        capture_.blocks_[1].prefix + attention_name);
    read_tokens();
    read_metadata();
  }

 private:
  [[noreturn]] void wrong_shape(const FiledArray& array, const std::string& expected) const {
    throw input_error("{}: shape {}; expected {}", array.where, shape_text(array.header.shape), expected);
  }

  /// For arrays other than weights and scores.
  void check_type(const FiledArray& array) const {
    const std::string& type = array.header.dtype;
    if (type != "float32" && type != "float16" && type != "bfloat16" && type != "float64")
      throw input_error("{}: numbers of type {}; expected float32, float16, bfloat16 or float64", array.where,
                        type);
  }

  std::optional<FiledArray> find(const std::string& name) {
    const FiledArray* array = file_.find(name);
    if (array == nullptr) return {};
    capture_.unpacked_bytes_ += array->unpacked;
    return *array;
  }

  static void check_count(const FiledArray& array, const char* what, Index count, Index maximum) {
    if (count < 1 || count > maximum)
      throw input_error("{}: {} is {}; expected {} to {}", array.where, what, count, 1, maximum);
  }

  /// One map, or the maps of one layer, as returned by PyTorch's attention: treated as a single layer, and a
  /// single map as a single head.
  void add_missing_axes(FiledArray& attention) {
    std::vector<Index>& shape = attention.header.shape;
    missing_axes_ = shape.size() == 2 || shape.size() == 3 ? 4 - shape.size() : 0;
    if (missing_axes_ > 0)
      capture_.notes_.push_back(input_error(
          shape.size() == 2 ? TR("{}: shape {} is read as one head. If PyTorch averaged over the heads, "
                                 "average_attn_weights=False returns each head")
                            : TR("{}: shape {} is read as [heads, n_q, n_k]. If PyTorch averaged over the "
                                 "heads, average_attn_weights=False returns each head"),
          attention.where, shape_text(shape)));
    shape.insert(shape.begin(), missing_axes_, 1);
  }

  void read_block(const KnownBlock& known) {
    Capture::Block block;
    block.prefix = known.prefix;
    block.attention = *find(block.prefix + attention_name);
    check_type(block.attention);
    add_missing_axes(block.attention);
    const std::vector<Index>& shape = block.attention.header.shape;
    if (shape.size() != 4 && shape.size() != 5)
      wrong_shape(block.attention, "[layers, heads, n_q, n_k], [sequences, layers, heads, n_q, n_k]");
    const bool numbered = shape.size() == 5;
    const Index sequences = numbered ? shape[0] : 1;
    const std::size_t axis = numbered ? 1 : 0;
    check_count(block.attention, "sequences", sequences, max_sequences);
    check_count(block.attention, "layers", shape[axis], Limits::max_view_layers);
    check_count(block.attention, "heads", shape[axis + 1], Limits::max_view_heads);
    check_count(block.attention, "n_q", shape[axis + 2], Limits::max_tokens);
    check_count(block.attention, "n_k", shape[axis + 3], Limits::max_tokens);
    if (capture_.blocks_.empty()) {
      capture_.numbers_sequences_ = numbered;
      capture_.sequences_.resize(sequences);
    }
    if (numbered != capture_.numbers_sequences_ || sequences != std::ssize(capture_.sequences_))
      throw input_error("{}: shape {}; expected the same number of sequences as {} has",
                        block.attention.where, shape_text(shape),
                        capture_.blocks_.front().prefix + attention_name);
    block.shape.kind = known.kind;
    block.shape.layers = static_cast<int>(shape[axis]);
    block.shape.heads = block.shape.kv_heads = static_cast<int>(shape[axis + 1]);
    block.n_q = shape[axis + 2];
    block.n_k = shape[axis + 3];
    read_layers(block);
    capture_.blocks_.push_back(std::move(block));
  }

  /// An array of the block with these axes; -1: any length, which is stored in `length`.
  std::optional<FiledArray> find(const Capture::Block& block, const char* name, std::vector<Index> axes,
                                 const char* expected, std::vector<Index*> lengths = {}) {
    std::optional<FiledArray> array = find(block.prefix + name);
    if (!array) return {};
    check_type(*array);
    if (capture_.numbers_sequences_) axes.insert(axes.begin(), std::ssize(capture_.sequences_));
    std::vector<Index>& shape = array->header.shape;
    // The axes that `attention` lacks.
    const std::size_t without = axes.size() - std::min(axes.size(), shape.size());
    if (without > 0 && without <= missing_axes_ && axes.front() == 1) shape.insert(shape.begin(), without, 1);
    if (shape.size() != axes.size()) wrong_shape(*array, expected);
    std::size_t open = 0;
    for (std::size_t axis = 0; axis < axes.size(); ++axis) {
      const bool known = axes[axis] >= 0;
      if (known ? shape[axis] != axes[axis] : shape[axis] < 1) wrong_shape(*array, expected);
      if (known || open >= lengths.size()) continue;
      Index& length = *lengths[open++];
      if (length > 0 && length != shape[axis]) wrong_shape(*array, expected);
      length = shape[axis];
    }
    return array;
  }

  /// W_O as nn.Linear has it, which has no axis for sequences.
  std::optional<FiledArray> find_projection(const Capture::Block& block, Index& d_model, Index columns) {
    std::optional<FiledArray> array = find(block.prefix + "w_o");
    if (!array) return {};
    check_type(*array);
    std::vector<Index>& shape = array->header.shape;
    if (shape.size() == 2 && block.shape.layers == 1) shape.insert(shape.begin(), 1);
    const bool fits = shape.size() == 3 && shape[0] == block.shape.layers && shape[1] > 0 &&
                      (d_model == 0 || shape[1] == d_model) && (columns == 0 || shape[2] == columns);
    if (!fits) wrong_shape(*array, "[layers, d_model, heads d_k]");
    d_model = shape[1];
    return array;
  }

  void read_layers(Capture::Block& block) {
    const Index layers = block.shape.layers, heads = block.shape.heads;
    block.scores = find(block, "scores", {layers, heads, block.n_q, block.n_k}, "[layers, heads, n_q, n_k]");
    Index d_k = 0, d_model = 0, kv_heads = 0;
    block.q = find(block, "q", {layers, heads, block.n_q, -1}, "[layers, heads, n_q, d_k]", {&d_k});
    block.k =
        find(block, "k", {layers, -1, block.n_k, -1}, "[layers, kv_heads, n_k, d_k]", {&kv_heads, &d_k});
    block.v =
        find(block, "v", {layers, -1, block.n_k, -1}, "[layers, kv_heads, n_k, d_k]", {&kv_heads, &d_k});
    if (kv_heads > 0 && heads % kv_heads != 0)
      throw input_error(
          "{}: the number of key-value heads is {}; expected a divisor of {}, that of the heads",
          (block.k ? block.k : block.v)->where, kv_heads, heads);
    block.x = find(block, "x", {block.n_q, -1}, "[n_q, d_model]", {&d_model});
    block.layer_x = find(block, "layer_x", {layers, block.n_q, -1}, "[layers, n_q, d_model]", {&d_model});
    block.context = find(block, "context", {layers, block.n_q, -1}, "[layers, n_q, heads d_k]");
    block.output = find(block, "output", {layers, block.n_q, -1}, "[layers, n_q, d_model]", {&d_model});
    block.w_o = find_projection(block, d_model, heads * d_k);
    constexpr Index largest = Index{1} << 20;
    for (const Index length : {d_k, d_model})
      if (length > largest)
        throw input_error("{}: vectors of {} numbers; expected at most {}", block.attention.where, length,
                          largest);
    if (kv_heads > 0) block.shape.kv_heads = static_cast<int>(kv_heads);
    block.shape.d_k = static_cast<int>(d_k);
    block.shape.d_model = static_cast<int>(d_model);
  }

  using TokenLists = std::vector<std::vector<Token>>;

  TokenLists token_lists(const std::string& name) {
    const auto array = find(name);
    if (!array) return {};
    CaptureTokens tokens = capture_tokens(*array);
    if (std::ssize(tokens.sequences) != std::ssize(capture_.sequences_))
      throw input_error("{}: tokens of {} sequences; expected {}, as {} has", array->where,
                        tokens.sequences.size(), capture_.sequences_.size(),
                        capture_.blocks_.front().prefix + attention_name);
    if (tokens.ids)
      capture_.notes_.push_back(
          input_error("{}: integers without a vocabulary; expected strings, as convert_ids_to_tokens gives; "
                      "the tokens are shown as 1 to {}",
                      array->where, tokens.sequences.front().size()));
    return std::move(tokens.sequences);
  }

  /// n unknown tokens for each sequence.
  TokenLists numbered(Index n) const {
    const auto sequences = std::ssize(capture_.sequences_);
    if (sequences > max_capture_tokens / n)
      throw input_error("{}: {} is missing; expected strings, or a JSON list of strings as uint8",
                        capture_.path_, "tokens");
    return {static_cast<std::size_t>(sequences), numbered_tokens(n)};
  }

  /// If the file has no texts at all, uses numbers instead.
  void number_tokens(TokenLists& tokens, TokenLists& keys, TokenLists& targets) {
    for (const Capture::Block& block : capture_.blocks_) {
      const bool decodes = block.shape.kind == BlockKind::decoder || block.shape.kind == BlockKind::cross;
      TokenLists& queries = decodes ? targets : tokens;
      if (queries.empty()) queries = numbered(block.n_q);
      if (block.shape.kind == BlockKind::cross && tokens.empty()) tokens = numbered(block.n_k);
      if (block.shape.kind == BlockKind::self && block.n_k != block.n_q && keys.empty())
        keys = numbered(block.n_k);
    }
    capture_.notes_.push_back(input_error(
        "{}: there is no array tokens; the tokens are shown as 1 to {}. Expected strings, or a JSON list of "
        "strings as uint8",
        capture_.path_, capture_.blocks_.front().n_q));
  }

  void read_tokens() {
    TokenLists tokens = token_lists("tokens"), keys = token_lists("key_tokens"),
               targets = token_lists("target_tokens");
    if (tokens.empty() && targets.empty()) number_tokens(tokens, keys, targets);
    Capture::Block& first = capture_.blocks_.front();
    // Headscope itself writes equal lists for self-attention.
    if (first.shape.kind == BlockKind::self && !keys.empty() && keys != tokens)
      first.shape.kind = BlockKind::cross;
    for (std::size_t i = 0; i < capture_.sequences_.size(); ++i) {
      Capture::Sequence& sequence = capture_.sequences_[i];
      if (!tokens.empty()) sequence.tokens = std::move(tokens[i]);
      if (!keys.empty()) sequence.key_tokens = std::move(keys[i]);
      if (!targets.empty()) sequence.target_tokens = std::move(targets[i]);
    }
    for (int i = 0; i < std::ssize(capture_.sequences_); ++i)
      for (const Capture::Block& block : capture_.blocks_) {
        check_tokens(block, i, capture_.queries(i, block.shape.kind), block.n_q, "n_q");
        check_tokens(block, i, capture_.keys(i, block.shape.kind), block.n_k, "n_k");
      }
  }

  /// With several sequences, shorter ones are padded.
  void check_tokens(const Capture::Block& block, int sequence, const std::vector<Token>& tokens, Index count,
                    const char* what) const {
    const bool fits = capture_.numbers_sequences_ ? std::ssize(tokens) <= count : std::ssize(tokens) == count;
    if (tokens.empty())
      throw input_error("{}: the tokens of {} are missing; expected the arrays tokens and target_tokens",
                        block.attention.where, what);
    if (fits) return;
    if (capture_.numbers_sequences_)
      throw input_error(
          "{}: the number of tokens of sequence {} is {}, and {} is {}; expected at most as many",
          block.attention.where, sequence, tokens.size(), what, count);
    throw input_error("{}: {} is {}, but the number of tokens is {}; expected the same",
                      block.attention.where, what, count, tokens.size());
  }

  /// A field of the metadata; with several sequences each may have its own value.
  std::optional<JsonField> metadata(const char* name, std::size_t sequence) const {
    const auto field = metadata_.find(name);
    if (field == metadata_.end() || (field->is_array() && sequence >= field->size())) return {};
    const Json& value = field->is_array() ? (*field)[sequence] : *field;
    if (value.is_null()) return {};
    return JsonField(value, capture_.path_, std::string("metadata.") + name);
  }

  int number(const char* name, std::size_t sequence, int minimum) const {
    const auto field = metadata(name, sequence);
    if (!field) return -1;
    if (!field->is_text()) return static_cast<int>(field->integer(minimum, Limits::max_tokens));
    // .safetensors metadata has only strings.
    const std::string& text = field->text();
    int number = -1;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
    if (parsed.ptr != text.data() + text.size() || number < minimum || number > Limits::max_tokens)
      throw field->wrong("{}: {} is {}; expected a whole number from {} to {}", minimum, Limits::max_tokens);
    return number;
  }

  void read_metadata() {
    metadata_ = Json::object();
    if (const auto array = find("metadata")) {
      metadata_ = parse_json(capture_text(*array), array->where);
      JsonField(metadata_, capture_.path_, "metadata").expect_object();
    }
    for (const char* name : {"model", "patch_rows", "patch_columns", "first_patch", "picture"}) {
      const auto found = file_.metadata().find(name);
      if (found == file_.metadata().end()) continue;
      const bool list = found->second.starts_with('[');
      metadata_[name] = list ? parse_json(found->second, capture_.path_ + ": " + name) : Json(found->second);
    }
    if (const auto model = metadata("model", 0)) {
      capture_.model_ = model->text();
      capture_.names_model_ = true;
    }
    for (std::size_t i = 0; i < capture_.sequences_.size(); ++i) read_patches(i);
  }

  void read_patches(std::size_t i) {
    Capture::Sequence& sequence = capture_.sequences_[i];
    Patches patches{number("patch_rows", i, 1), number("patch_columns", i, 1), number("first_patch", i, 0),
                    ""};
    if (patches.rows < 0 && patches.columns < 0) return;
    if (patches.rows < 0 || patches.columns < 0)
      throw input_error("{}: {} is missing; expected both sides of the grid of patches", capture_.path_,
                        patches.rows < 0 ? "metadata.patch_rows" : "metadata.patch_columns");
    const int n = static_cast<int>(sequence.tokens.size());
    // A token for the whole picture comes first, as in a vision transformer.
    const bool fits = patches.count() <= n;
    if (patches.first < 0) patches.first = fits && patches.count() < n ? 1 : 0;
    if (!fits || patches.first + patches.count() > n)
      throw input_error("{}: the grid of patches is {} × {}, the first at {}; expected to end before {}",
                        capture_.path_, patches.rows, patches.columns, patches.first, n);
    read_picture(i, patches);
    sequence.patches = std::move(patches);
  }

  void read_picture(std::size_t i, Patches& patches) {
    const auto field = metadata("picture", i);
    const std::string name = field ? field->text() : "";
    if (name.empty()) return;
    if (!has_picture_name(name) || !goes_down(name))
      throw field->wrong("{}: {} is {}; expected a .png, .jpg or .webp file in the capture's folder");
    const std::string folder = std::filesystem::path(capture_.path_).parent_path().string();
    try {
      const std::string path = path_in_folder(folder.empty() ? "." : folder, name);
      expect_picture(path);
      patches.picture = path;
    } catch (const Error& error) {
      capture_.sequences_[i].no_picture = error;  // the maps are usable without it
    }
  }

  ArrayFile file_;
  Capture& capture_;
  std::size_t missing_axes_ = 0;  // of the block being read
  Json metadata_;
};

bool Capture::is_capture(const std::vector<std::string>& names) {
  return std::ranges::any_of(known_blocks, [&](const KnownBlock& known) {
    return std::ranges::find(names, std::string(known.prefix) + attention_name) != names.end();
  });
}

std::shared_ptr<const Capture> Capture::open(const std::string& path) {
  if (const std::optional<Error> other = why_not_opened(path); other && readable_size(path) > 0)
    throw Error(*other);
  auto capture = std::make_shared<Capture>();
  CaptureReader(path, *capture).read();
  return capture;
}

const std::vector<Token>& Capture::queries(int sequence, BlockKind kind) const {
  const Sequence& tokens = sequences_[sequence];
  const bool target = kind == BlockKind::decoder || kind == BlockKind::cross;
  return target && tokens.target_tokens ? *tokens.target_tokens : tokens.tokens;
}

const std::vector<Token>& Capture::keys(int sequence, BlockKind kind) const {
  const Sequence& tokens = sequences_[sequence];
  if (kind == BlockKind::decoder && tokens.target_tokens) return *tokens.target_tokens;
  return tokens.key_tokens && kind != BlockKind::encoder ? *tokens.key_tokens : tokens.tokens;
}

}  // namespace headscope
