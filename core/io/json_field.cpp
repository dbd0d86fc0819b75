#include "core/io/json_field.h"

#include <nlohmann/json.hpp>

#include "core/base/utf8.h"
#include "core/io/strict_json.h"

namespace headscope {

std::string JsonField::name() const {
  return cut_off(printable(path_), 100);
}

std::string JsonField::place() const {
  return path_.empty() ? *file_ : *file_ + ": " + name();
}

std::string JsonField::found() const {
  return printable(shown(*value_));
}

JsonField JsonField::at(const char* name) const {
  JsonField field = member(name);
  if (field.is_null()) throw input_error("{}: {} is missing", *file_, field.path_);
  return field;
}

std::optional<JsonField> JsonField::find(const char* name) const {
  JsonField field = member(name);
  return field.is_null() ? std::nullopt : std::optional(std::move(field));
}

JsonField JsonField::member(const char* name) const {
  static const nlohmann::json null;
  expect_object();
  const auto found = value_->find(name);
  return {found == value_->end() ? null : *found, *file_, path_.empty() ? name : path_ + "." + name, budget_};
}

std::size_t JsonField::items() const {
  if (!is_list()) throw wrong("{}: {} is {}; expected a list");
  return value_->size();
}

JsonField JsonField::item(std::size_t index) const {
  return {(*value_)[index], *file_, path_ + "[" + std::to_string(index) + "]", budget_};
}

const std::string& JsonField::text() const {
  if (!is_text()) throw wrong("{}: {} is {}; expected a string");
  return value_->get_ref<const std::string&>();
}

char32_t JsonField::character() const {
  std::size_t i = 0;
  const std::string& all = text();
  const auto c = all.empty() ? 0 : next_code_point(all, i);
  if (all.empty() || i != all.size()) throw wrong("{}: {} is {}; expected one character");
  return c;
}

bool JsonField::flag() const {
  if (!value_->is_boolean()) throw wrong("{}: {} is {}; expected true or false");
  return value_->get<bool>();
}

bool JsonField::flag(const char* name, bool otherwise) const {
  const auto field = find(name);
  return field ? field->flag() : otherwise;
}

std::int64_t JsonField::integer(std::int64_t minimum, std::int64_t maximum) const {
  if (const auto number = integer_in(*value_, minimum, maximum)) return *number;
  if (minimum == maximum) throw wrong("{}: {} is {}; expected {}", minimum);
  throw wrong("{}: {} is {}; expected a whole number from {} to {}", minimum, maximum);
}

double JsonField::number() const {
  if (!value_->is_number()) throw wrong("{}: {} is {}; expected a number");
  return value_->get<double>();
}

double JsonField::number(double minimum, double maximum) const {
  if (value_->is_number() && value_->get<double>() >= minimum && value_->get<double>() <= maximum)
    return value_->get<double>();
  throw wrong("{}: {} is {}; expected a number from {} to {}", minimum, maximum);
}

double JsonField::positive(double maximum) const {
  if (value_->is_number() && value_->get<double>() > 0 && value_->get<double>() <= maximum)
    return value_->get<double>();
  throw wrong("{}: {} is {}; expected a number above {}, at most {}", 0, maximum);
}

bool JsonField::is_text() const {
  return value_->is_string();
}
bool JsonField::is_object() const {
  return value_->is_object();
}
bool JsonField::is_list() const {
  return value_->is_array();
}
bool JsonField::is_null() const {
  return value_->is_null();
}

void JsonField::expect_object() const {
  if (is_object()) return;
  if (path_.empty()) throw input_error("{}: {}; expected an object", *file_, found());
  throw wrong("{}: {} is {}; expected an object");
}

}  // namespace headscope
