#include "core/source/capture_text.h"

#include <fmt/format.h>

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

std::vector<Token> tokens_in(const Json& list, const std::string& where) {
  if (!list.is_array()) throw input_error("{}: {}; expected a list of strings", where, shown(list));
  if (list.empty()) throw input_error("{}: there are no tokens; expected at least one", where);
  if (list.size() > Limits::max_tokens)
    throw input_error("{} has {} tokens; expected at most {}", where, list.size(), Limits::max_tokens);
  std::vector<Token> tokens;
  for (const Json& token : list) {
    if (!token.is_string()) throw input_error("{}: {}; expected a list of strings", where, shown(token));
    tokens.push_back({token.get<std::string>(), 0, 0, 0});
  }
  return tokens;
}

/// numpy's own arrays of strings; of several sequences, shorter ones end with empty strings.
Json listed_texts(const FiledArray& array) {
  const std::vector<Index>& shape = array.header.shape;
  if (shape.size() != 1 && shape.size() != 2)
    throw input_error("{}: shape {}; expected {}", array.where, shape_text(shape),
                      "[tokens], [sequences, tokens]");
  check_size_of(array, data_bytes(array.header, array.where));
  constexpr Index most = Index{1} << 22;  // each takes more in memory than in the file
  if (array.size() > most)
    throw input_error("{} has {} tokens; expected at most {}", array.where, array.size(), most);
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

}  // namespace

std::string capture_text(const FiledArray& array) {
  if (array.header.dtype != "uint8" && array.header.dtype != "int8")
    throw input_error("{}: numbers of type {}; expected uint8: JSON as UTF-8", array.where,
                      array.header.dtype);
  check_size_of(array, static_cast<std::size_t>(array.size()));
  return array.text();
}

std::vector<std::vector<Token>> capture_tokens(const FiledArray& array) {
  const Json json = text_item_bytes(array.header.dtype) ? listed_texts(array)
                                                        : parse_json(capture_text(array), array.where);
  const bool lists = json.is_array() && !json.empty() && json[0].is_array();
  if (!lists) return {tokens_in(json, array.where)};
  std::vector<std::vector<Token>> result;
  for (const Json& list : json)
    result.push_back(tokens_in(list, fmt::format("{}[{}]", array.where, result.size())));
  return result;
}

}  // namespace headscope
