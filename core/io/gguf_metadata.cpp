#include "core/io/gguf_metadata.h"

#include <algorithm>
#include <cmath>

#include "core/io/file.h"

namespace headscope {

const GgufValue* GgufMetadata::find(std::string_view key) const {
  const auto found = header_->metadata.find(key);
  return found == header_->metadata.end() ? nullptr : &found->second;
}

Error GgufMetadata::wrong(std::string_view key, const char* expected) const {
  return input_error("{}: {}: expected {}", source_, key, expected);
}

std::optional<std::string> GgufMetadata::text(std::string_view key) const {
  const GgufValue* const value = find(key);
  if (value == nullptr) return std::nullopt;
  const auto* const text = std::get_if<std::string>(value);
  if (text == nullptr) throw wrong(key, "a text");
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
      throw wrong(key, "the same number for every layer");
    number = list->front();
  }
  if (!number || !std::isfinite(*number)) throw wrong(key, "a number");
  return number;
}

std::optional<std::int64_t> GgufMetadata::whole(std::string_view key, std::int64_t maximum) const {
  const std::optional<double> number = this->number(key);
  if (!number) return std::nullopt;
  if (*number != std::floor(*number) || *number < 0 || *number > static_cast<double>(maximum))
    throw wrong(key, "a whole number in the range of this key");
  return static_cast<std::int64_t>(*number);
}

std::optional<bool> GgufMetadata::flag(std::string_view key) const {
  const GgufValue* const value = find(key);
  if (value == nullptr) return std::nullopt;
  const auto* const flag = std::get_if<bool>(value);
  if (flag == nullptr) throw wrong(key, "true or false");
  return *flag;
}

const std::vector<std::string>* GgufMetadata::texts(std::string_view key) const {
  const GgufValue* const value = find(key);
  if (value == nullptr) return nullptr;
  const auto* const texts = std::get_if<std::vector<std::string>>(value);
  if (texts == nullptr) throw wrong(key, "a list of texts");
  return texts;
}

const std::vector<double>* GgufMetadata::numbers(std::string_view key) const {
  const GgufValue* const value = find(key);
  if (value == nullptr) return nullptr;
  const auto* const numbers = std::get_if<std::vector<double>>(value);
  if (numbers == nullptr) throw wrong(key, "a list of numbers");
  return numbers;
}

bool is_gguf(const std::string& path) {
  return ending(path) == ".gguf";
}

}  // namespace headscope
