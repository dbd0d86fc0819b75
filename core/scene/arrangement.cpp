#include "core/scene/arrangement.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "core/inputs/inputs.h"

namespace headscope {
namespace {

constexpr std::string_view beside_text = "beside", below_text = "below";

/// "2x4".
bool read_grid(std::string_view text, Arrangement& into) {
  const auto number = [](std::string_view digits, int& value) {
    const char* const end = digits.data() + digits.size();
    return std::from_chars(digits.data(), end, value).ptr == end && value > 0 &&
           value <= Limits::max_view_heads;
  };
  const std::size_t x = text.find('x');
  return x != std::string_view::npos && number(text.substr(0, x), into.rows) &&
         number(text.substr(x + 1), into.columns);
}

bool read_word(std::string_view word, Arrangement& into) {
  if (word == beside_text || word == below_text) {
    into.beside = word == beside_text;
    return true;
  }
  const auto half = from_name<TableHalf>(word);
  if (half) into.half = half;
  return half.has_value() || read_grid(word, into);
}

}  // namespace

void arrange(Scene& scene, const Arrangement& as) {
  if (as.rows > 0 && scene.view.rows == 0 && scene.view.columns == 0) {
    scene.view.rows = as.rows;
    scene.view.columns = as.columns;
  }
  if (as.half && scene.view.table.half == TableHalf::both) scene.view.table.half = *as.half;
  scene.table_beside = as.beside;
}

std::string to_text(const Arrangement& arrangement) {
  std::string text;
  const auto add = [&](std::string_view word) { text += (text.empty() ? "" : ",") + std::string(word); };
  if (arrangement.rows > 0) add(fmt::format("{}x{}", arrangement.rows, arrangement.columns));
  if (arrangement.half) add(to_name(*arrangement.half));
  if (arrangement.beside) add(*arrangement.beside ? beside_text : below_text);
  return text;
}

std::optional<Arrangement> arrangement_from(std::string_view text) {
  Arrangement read;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    if (!read_word(text.substr(begin, end - begin), read)) return std::nullopt;
    begin = end + 1;
  }
  return read;
}

}  // namespace headscope
