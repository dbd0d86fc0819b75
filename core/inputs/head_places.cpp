#include "core/inputs/head_places.h"

#include <fmt/format.h>

#include <charconv>

#include "core/base/error.h"
#include "core/base/utf8.h"
#include "core/inputs/names.h"

namespace headscope {
namespace {

bool take_number(std::string_view text, int maximum, int& number) {
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && stop == text.data() + text.size() && number >= 0 && number <= maximum;
}

HeadPlace parse_place(std::string_view text) {
  const auto wrong = [&] {
    return input_error("\"{}\" is not a head; expected BLOCK:LAYER.HEAD or LAYER.HEAD, numbered from 0",
                       cut_off(std::string(text), 60));
  };
  HeadPlace place;
  std::string_view numbers = text;
  if (const std::size_t colon = text.find(':'); colon != std::string_view::npos) {
    const auto block = from_name<BlockKind>(text.substr(0, colon));
    if (!block) throw wrong();
    place.block = *block;
    numbers = text.substr(colon + 1);
  }
  const std::size_t dot = numbers.find('.');
  if (dot == std::string_view::npos ||
      !take_number(numbers.substr(0, dot), Limits::max_view_layers - 1, place.layer) ||
      !take_number(numbers.substr(dot + 1), Limits::max_view_heads - 1, place.head))
    throw wrong();
  return place;
}

}  // namespace

std::set<HeadPlace> parse_head_places(std::string_view text) {
  std::set<HeadPlace> places;
  if (text.empty() || text == "none") return places;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    places.insert(parse_place(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return places;
}

std::string to_string(const std::set<HeadPlace>& places) {
  std::string text;
  for (const HeadPlace& place : places)
    text += fmt::format("{}{}{}.{}", text.empty() ? "" : ",",
                        place.block == BlockKind::self ? "" : fmt::format("{}:", to_name(place.block)),
                        place.layer, place.head);
  return text;
}

}  // namespace headscope
