#include "core/io/gguf_metadata.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "core/base/utf8.h"
#include "core/io/file.h"

namespace headscope {

const GgufValue* GgufMetadata::find(std::string_view key) const {
  const auto found = header_->metadata.find(key);
  return found == header_->metadata.end() ? nullptr : &found->second;
}

Error GgufMetadata::wrong(const char* text, std::string_view key) const {
  return input_error(text, source_, key);
}

std::optional<std::string> GgufMetadata::text(std::string_view key) const {
  const GgufValue* const value = find(key);
  if (value == nullptr) return std::nullopt;
  const auto* const text = std::get_if<std::string>(value);
  if (text == nullptr) throw wrong("{}: {}: expected a text", key);
  if (find_invalid_utf8(*text) != std::string::npos) throw wrong("{}: {} is not valid UTF-8", key);
  return *text;
}

std::optional<double> GgufMetadata::number(std::string_view key) const {
  const GgufValue* const value = find(key);
  if (value == nullptr) return std::nullopt;
  std::optional<double> number;
  if (const auto* floating = std::get_if<double>(value)) number = *floating;
  if (const auto* integer = std::get_if<std::int64_t>(value)) number = static_cast<double>(*integer);
  if (const auto* natural = std::get_if<std::uint64_t>(value)) number = static_cast<double>(*natural);
  if (const auto* list = std::get_if<std::vector<double>>(value); list != nullptr && !list->empty()) {
    if (std::ranges::any_of(*list, [&](double one) { return one != list->front(); }))
      throw wrong("{}: {}: expected the same number for every layer", key);
    number = list->front();
  }
  if (!number || !std::isfinite(*number)) throw wrong("{}: {}: expected a number", key);
  return number;
}

std::optional<std::int64_t> GgufMetadata::whole(std::string_view key, std::int64_t maximum) const {
  const std::optional<double> number = this->number(key);
  if (!number) return std::nullopt;
  if (*number != std::floor(*number) || *number < 0 || *number > static_cast<double>(maximum))
    throw input_error("{}: {} is {}; expected a whole number from 0 to {}", source_, key, *number, maximum);
  return static_cast<std::int64_t>(*number);
}

std::optional<bool> GgufMetadata::flag(std::string_view key) const {
  const GgufValue* const value = find(key);
  if (value == nullptr) return std::nullopt;
  const auto* const flag = std::get_if<bool>(value);
  if (flag == nullptr) throw wrong("{}: {}: expected true or false", key);
  return *flag;
}

const std::vector<std::string>* GgufMetadata::texts(std::string_view key) const {
  const GgufValue* const value = find(key);
  if (value == nullptr) return nullptr;
  const auto* const texts = std::get_if<std::vector<std::string>>(value);
  if (texts == nullptr) throw wrong("{}: {}: expected a list of texts", key);
  const auto invalid = std::ranges::find_if(
      *texts, [](const std::string& text) { return find_invalid_utf8(text) != std::string::npos; });
  if (invalid != texts->end())
    throw input_error("{}: {}: number {} is not valid UTF-8", source_, key, invalid - texts->begin());
  return texts;
}

const std::vector<double>* GgufMetadata::numbers(std::string_view key) const {
  const GgufValue* const value = find(key);
  if (value == nullptr) return nullptr;
  const auto* const numbers = std::get_if<std::vector<double>>(value);
  if (numbers == nullptr) throw wrong("{}: {}: expected a list of numbers", key);
  return numbers;
}

namespace {

std::string shown_text(const std::string& text) {
  return cut_off(text, 60);
}
std::string shown_number(double number) {
  return fmt::format("{}", number);
}
template <typename Value, typename Show>
std::string shown_list(const std::vector<Value>& list, const Show& show) {
  constexpr std::size_t most = 8;
  if (list.size() > most) return "[…]";
  std::vector<std::string> items;
  std::ranges::transform(list, std::back_inserter(items), show);
  return fmt::format("[{}]", fmt::join(items, ", "));
}

}  // namespace

std::string shown(const GgufValue& value) {
  struct Show {
    std::string operator()(bool flag) const { return flag ? "true" : "false"; }
    std::string operator()(std::int64_t number) const { return std::to_string(number); }
    std::string operator()(std::uint64_t number) const { return std::to_string(number); }
    std::string operator()(double number) const { return shown_number(number); }
    std::string operator()(const std::string& text) const { return shown_text(text); }
    std::string operator()(const std::vector<double>& list) const { return shown_list(list, shown_number); }
    std::string operator()(const std::vector<std::string>& list) const {
      return shown_list(list, shown_text);
    }
  };
  return std::visit(Show{}, value);
}

bool is_gguf(const std::string& path) {
  return ending(path) == ".gguf";
}

}  // namespace headscope
