#include "core/text/tokenizer/field.h"

#include <nlohmann/json.hpp>

#include "core/base/code_points.h"
#include "core/base/utf8.h"
#include "core/io/strict_json.h"

namespace headscope::tokenizers {

Field Field::child(const nlohmann::json& value, std::string path) const {
  Field field(value, *file_, *budget_);
  field.path_ = std::move(path);
  return field;
}

std::string Field::name() const {
  return cut_off(printable(path_), 100);
}

Error Field::no_object() const {
  return input_error("{}: {}; expected an object", *file_, found());
}

std::string Field::place() const {
  return path_.empty() ? *file_ : *file_ + ": " + name();
}

std::string Field::found() const {
  return printable(shown(*value_));
}

Field Field::at(const char* name) const {
  if (auto field = find(name)) return *field;
  const std::string path = path_.empty() ? name : path_ + "." + name;
  throw input_error("{}: {} is missing", *file_, path);
}

std::optional<Field> Field::find(const char* name) const {
  if (!value_->is_object()) throw wrong("{}: {} is {}; expected an object");
  const auto found = value_->find(name);
  if (found == value_->end() || found->is_null()) return {};
  return child(*found, path_.empty() ? name : path_ + "." + name);
}

std::size_t Field::items() const {
  if (!value_->is_array()) throw wrong("{}: {} is {}; expected a list");
  return value_->size();
}

Field Field::item(std::size_t index) const {
  return child((*value_)[index], path_ + "[" + std::to_string(index) + "]");
}

const std::string& Field::text() const {
  if (!value_->is_string()) throw wrong("{}: {} is {}; expected a string");
  return value_->get_ref<const std::string&>();
}

char32_t Field::character() const {
  std::size_t i = 0;
  const std::string& all = text();
  const auto c = all.empty() ? 0 : next_code_point(all, i);
  if (all.empty() || i != all.size()) throw wrong("{}: {} is {}; expected one character");
  return static_cast<char32_t>(c);
}

bool Field::flag() const {
  if (!value_->is_boolean()) throw wrong("{}: {} is {}; expected true or false");
  return value_->get<bool>();
}

bool Field::flag(const char* name, bool otherwise) const {
  const auto field = find(name);
  return field ? field->flag() : otherwise;
}

std::int64_t Field::integer(std::int64_t minimum, std::int64_t maximum) const {
  if (const auto number = integer_in(*value_, minimum, maximum)) return *number;
  throw wrong("{}: {} is {}; expected a whole number from {} to {}", minimum, maximum);
}

double Field::number() const {
  if (!value_->is_number()) throw wrong("{}: {} is {}; expected a number");
  return value_->get<double>();
}

bool Field::is_text() const {
  return value_->is_string();
}
bool Field::is_object() const {
  return value_->is_object();
}
bool Field::is_list() const {
  return value_->is_array();
}

}  // namespace headscope::tokenizers
