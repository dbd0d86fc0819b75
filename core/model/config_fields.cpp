#include "core/model/config_fields.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/utf8.h"
#include "core/io/strict_json.h"

namespace headscope {

using Json = nlohmann::json;

ConfigFields::ConfigFields(const Json& object, std::string source, std::string path)
    : object_(object), source_(std::move(source)), path_(std::move(path)) {}

const Json* ConfigFields::find(const char* name) const {
  const auto found = object_.find(name);
  return found == object_.end() || found->is_null() ? nullptr : &*found;
}

const char* ConfigFields::first(Names names) const {
  for (const char* name : names)
    if (find(name) != nullptr) return name;
  return nullptr;
}

std::string ConfigFields::found(const char* name) const {
  const Json* value = find(name);
  return value == nullptr ? "null" : shown(*value);
}

std::string ConfigFields::name_of(Names names) const {
  const char* name = first(names);
  return path_ + (name == nullptr ? *names.begin() : name);
}

bool ConfigFields::has(const char* name) const {
  return find(name) != nullptr;
}

bool ConfigFields::is_null(const char* name) const {
  const auto found = object_.find(name);
  return found != object_.end() && found->is_null();
}

Index ConfigFields::whole(Names names, Index fallback, Index minimum, Index maximum) const {
  const char* name = first(names);
  if (name == nullptr) return fallback;
  const Json& value = *find(name);
  const auto number = integer_in(value, minimum, maximum);
  if (!number) throw wrong("{}: {} is {}; expected a whole number from {} to {}", name, minimum, maximum);
  return static_cast<Index>(*number);
}

double ConfigFields::above_zero(Names names, double fallback, double maximum) const {
  const char* name = first(names);
  if (name == nullptr) return fallback;
  const Json& value = *find(name);
  if (!value.is_number() || !(value.get<double>() > 0) || value.get<double>() > maximum)
    throw wrong("{}: {} is {}; expected a number above {}, at most {}", name, 0, maximum);
  return value.get<double>();
}

bool ConfigFields::flag(const char* name, bool fallback) const {
  const Json* value = find(name);
  if (value == nullptr) return fallback;
  if (!value->is_boolean()) throw wrong("{}: {} is {}; expected true or false", name);
  return value->get<bool>();
}

std::string ConfigFields::text(Names names, const std::string& fallback) const {
  const char* name = first(names);
  if (name == nullptr) return fallback;
  if (!find(name)->is_string()) throw wrong("{}: {} is {}; expected a string", name);
  return find(name)->get<std::string>();
}

std::vector<Index> ConfigFields::tokens(const char* name) const {
  constexpr std::size_t maximum = 10'000;
  const Json* value = find(name);
  if (value == nullptr) return {};
  const Json list = value->is_array() ? *value : Json::array({*value});
  std::vector<Index> tokens;
  for (const Json& token : list) {
    const auto number = integer_in(token, INT64_MIN, INT32_MAX);
    if (!number || list.size() > maximum)
      throw wrong("{}: {} is {}; expected the number of a token, or a list of them", name);
    if (*number >= 0) tokens.push_back(static_cast<Index>(*number));
  }
  return tokens;
}

std::optional<Index> ConfigFields::token(const char* name, std::optional<Index> fallback) const {
  if (!object_.contains(name)) return fallback;
  const std::vector<Index> list = tokens(name);
  return list.empty() ? std::nullopt : std::optional(list.front());
}

std::vector<std::string> ConfigFields::texts(const char* name) const {
  constexpr std::size_t maximum = 10'000;
  const Json* value = find(name);
  if (value == nullptr) return {};
  std::vector<std::string> list;
  const auto refuse = [&] { return wrong("{}: {} is {}; expected a list of strings", name); };
  if (!value->is_array() || value->size() > maximum) throw refuse();
  for (const Json& text : *value) {
    if (!text.is_string()) throw refuse();
    list.push_back(text.get<std::string>());
  }
  return list;
}

std::vector<double> ConfigFields::factors(const char* name, Index count) const {
  const Json* value = find(name);
  const auto refuse = [&] {
    return wrong("{}: {} is {}; expected a list of length {}, of numbers above 0", name, count);
  };
  if (value == nullptr || !value->is_array() || std::ssize(*value) != count) throw refuse();
  std::vector<double> list;
  for (const Json& number : *value) {
    if (!number.is_number() || !(number.get<double>() > 0)) throw refuse();
    list.push_back(number.get<double>());
  }
  return list;
}

std::optional<ConfigFields> ConfigFields::object(const char* name) const {
  const Json* value = find(name);
  if (value == nullptr) return std::nullopt;
  if (!value->is_object()) throw wrong("{}: {} is {}; expected an object", name);
  return ConfigFields(*value, source_, path_ + name + ".");
}

std::string ConfigFields::nested() const {
  for (const auto& [name, value] : object_.items())
    if (value.is_object()) return cut_off(name, 60);
  return "";
}

void ConfigFields::expect_multiple(Names names, Index value, Names of, Index divisor) const {
  if (value % divisor != 0)
    throw input_error("{}: {} is {}; expected a multiple of {}, which is {}", source_, name_of(names), value,
                      name_of(of), divisor);
}

}  // namespace headscope
