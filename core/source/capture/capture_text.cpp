#include "core/source/capture/capture_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/inputs/inputs.h"
#include "core/io/strict_json.h"

namespace headscope {
namespace {

using Json = nlohmann::json;

constexpr std::size_t largest_text = std::size_t{64} << 20;

void check_size_of(const FiledArray& array, std::size_t bytes) {
  if (bytes > largest_text)
    throw input_error("{}: larger than the allowed {} bytes", array.where, largest_text);
}

bool is_list_of_ids(const Json& list) {
  return list.is_array() && !list.empty() &&
         std::ranges::all_of(list, [](const Json& token) { return token.is_number_integer(); });
}

void check_count(Index tokens, const std::string& where) {
  if (tokens < 1) throw input_error("{}: there are no tokens; expected at least one", where);
  if (tokens > Limits::max_tokens)
    throw input_error("{} has {} tokens; expected at most {}", where, tokens, Limits::max_tokens);
}

std::vector<Token> tokens_in(const Json& list, bool ids, const std::string& where) {
  if (!list.is_array()) throw input_error("{}: {}; expected a list of strings", where, shown(list));
  check_count(std::ssize(list), where);
  if (ids && is_list_of_ids(list)) return numbered_tokens(std::ssize(list));
  std::vector<Token> tokens;
  for (const Json& token : list) {
    if (!token.is_string()) throw input_error("{}: {}; expected a list of strings", where, shown(token));
    tokens.push_back({token.get<std::string>(), 0, 0, 0});
  }
  return tokens;
}

/// Texts of numpy string arrays; with several sequences, shorter ones are padded with empty strings.
Json listed_texts(const FiledArray& array) {
  const std::vector<Index>& shape = array.header.shape;
  if (shape.size() != 1 && shape.size() != 2)
    throw input_error("{}: shape {}; expected {}", array.where, shape_text(shape),
                      "[tokens], [sequences, tokens]");
  check_size_of(array, data_bytes(array.header, array.where));
  if (array.size() > max_capture_tokens)
    throw input_error("{} has {} tokens; expected at most {}", array.where, array.size(), max_capture_tokens);
  const std::vector<std::string> texts = array.texts();
  if (shape.size() == 1) return texts;
  Json lists = Json::array();
  const auto length = static_cast<std::size_t>(shape[1]);
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
  const std::vector<Index>& shape = array.header.shape;
  if (shape.size() != 1 && shape.size() != 2)
    throw input_error("{}: shape {}; expected {}", array.where, shape_text(shape),
                      "[tokens], [sequences, tokens]");
  check_count(shape.back(), array.where);
  const Index sequences = shape.size() == 2 ? shape[0] : 1;
  if (sequences > max_capture_tokens / shape.back())
    throw input_error("{} has {} tokens; expected at most {}", array.where, array.size(), max_capture_tokens);
  return {std::vector(static_cast<std::size_t>(sequences), numbered_tokens(shape.back())), true};
}

}  // namespace

std::string capture_text(const FiledArray& array) {
  if (array.header.dtype != "uint8" && array.header.dtype != "int8")
    throw input_error("{}: numbers of type {}; expected uint8: JSON as UTF-8", array.where,
                      array.header.dtype);
  check_size_of(array, static_cast<std::size_t>(array.size()));
  return array.text();
}

std::vector<Token> numbered_tokens(Index n) {
  std::vector<Token> tokens;
  for (Index i = 1; i <= n; ++i) tokens.push_back({std::to_string(i), 0, 0, 0});
  return tokens;
}

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

}  // namespace headscope
