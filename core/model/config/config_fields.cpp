#include "core/model/config/config_fields.h"

#include <nlohmann/json.hpp>

#include "core/base/utf8.h"
#include "core/io/strict_json.h"

namespace headscope {

JsonField ConfigFields::member(const char* name) const {
  const JsonField field = JsonField::member(name);
  if (names_ == nullptr) return field;
  const auto known = names_->find(field.path());
  return known == names_->end() ? field : JsonField(field.json(), field.file(), known->second);
}

JsonField ConfigFields::first(Names names) const {
  for (const char* name : names)
    if (has(name)) return member(name);
  return member(*names.begin());
}

bool ConfigFields::is_null(const char* name) const {
  return json().contains(name) && !has(name);
}

Index ConfigFields::whole(Names names, Index fallback, Index minimum, Index maximum) const {
  const JsonField field = first(names);
  return field.is_null() ? fallback : static_cast<Index>(field.integer(minimum, maximum));
}

double ConfigFields::above_zero(Names names, double fallback, double maximum) const {
  const JsonField field = first(names);
  return field.is_null() ? fallback : field.positive(maximum);
}

std::string ConfigFields::text(Names names, const std::string& fallback) const {
  const JsonField field = first(names);
  return field.is_null() ? fallback : field.text();
}

std::vector<Index> ConfigFields::tokens(const char* name) const {
  constexpr std::size_t maximum = 10'000;
  if (!has(name)) return {};
  const nlohmann::json value = member(name).json(),
                       list = value.is_array() ? value : nlohmann::json::array({value});
  std::vector<Index> tokens;
  for (const nlohmann::json& token : list) {
    const auto number = integer_in(token, INT64_MIN, INT32_MAX);
    if (!number || list.size() > maximum)
      throw wrong("{}: {} is {}; expected the number of a token, or a list of them", name);
    if (*number >= 0) tokens.push_back(static_cast<Index>(*number));
  }
  return tokens;
}

std::optional<Index> ConfigFields::token(const char* name, std::optional<Index> fallback) const {
  if (!json().contains(name)) return fallback;
  const std::vector<Index> list = tokens(name);
  return list.empty() ? std::nullopt : std::optional(list.front());
}

std::vector<std::string> ConfigFields::texts(const char* name) const {
  constexpr std::size_t maximum = 10'000;
  if (!has(name)) return {};
  const JsonField list = member(name);
  if (!list.is_list() || list.items() > maximum ||
      !std::ranges::all_of(list.json(), [](const nlohmann::json& text) { return text.is_string(); }))
    throw list.wrong("{}: {} is {}; expected a list of strings");
  return list.json().get<std::vector<std::string>>();
}

std::vector<double> ConfigFields::factors(const char* name, Index count) const {
  const JsonField list = member(name);
  const auto is_factor = [](const nlohmann::json& number) {
    return number.is_number() && number.get<double>() > 0;
  };
  if (!list.is_list() || std::ssize(list.json()) != count || !std::ranges::all_of(list.json(), is_factor))
    throw list.wrong("{}: {} is {}; expected a list of length {}, of numbers above 0", count);
  return list.json().get<std::vector<double>>();
}

std::optional<ConfigFields> ConfigFields::object(const char* name) const {
  const auto field = find(name);
  if (!field) return std::nullopt;
  field->expect_object();
  return ConfigFields(*field, names_);
}

std::string ConfigFields::nested() const {
  for (const auto& [name, value] : json().items())
    if (value.is_object()) return cut_off(name, 60);
  return "";
}

void ConfigFields::expect_multiple(Names names, Index value, Names of, Index divisor) const {
  if (value % divisor != 0)
    throw input_error("{}: {} is {}; expected a multiple of {}, which is {}", file(), first(names).path(),
                      value, first(of).path(), divisor);
}

}  // namespace headscope
