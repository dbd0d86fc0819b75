#pragma once
#include <concepts>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/work_budget.h"

namespace headscope::tokenizers {

/// A value of a JSON file with its location for error messages. Every accessor throws Error (input) if the
/// value has another type.
class Field {
 public:
  /// All outlive the field; `budget` is the file's.
  Field(const nlohmann::json& value, const std::string& file, WorkBudget& budget)
      : value_(&value), file_(&file), budget_(&budget) {}

  /// A member of an object. Throws if it is missing.
  Field at(const char* name) const;
  /// A member of an object; none if it is absent or null.
  std::optional<Field> find(const char* name) const;
  /// An element of a list.
  Field item(std::size_t index) const;
  std::size_t items() const;

  const std::string& text() const;
  /// One character.
  char32_t character() const;
  bool flag() const;
  bool flag(const char* name, bool otherwise) const;
  std::int64_t integer(std::int64_t minimum, std::int64_t maximum) const;
  double number() const;
  bool is_text() const;
  bool is_object() const;
  bool is_list() const;
  /// The row of a table whose `name` equals the value.
  template <typename Rows>
  const auto& one_of(const Rows& rows) const;

  const nlohmann::json& json() const { return *value_; }
  const std::string& file() const { return *file_; }
  const std::string& path() const { return path_; }
  WorkBudget& budget() const { return *budget_; }
  /// "tokenizer.json: model.vocab"
  std::string place() const;
  /// The Error for a file that is not an object.
  Error no_object() const;
  /// "{}: {} is {}; expected …" with the file, the field, what was found and `expected`.
  template <typename... Args>
  Error wrong(const char* text, const Args&... expected) const {
    return input_error(text, *file_, name(), found(), expected...);
  }

 private:
  std::string name() const;  // "model.vocab"
  std::string found() const;
  Field child(const nlohmann::json& value, std::string path) const;

  const nlohmann::json* value_;
  const std::string* file_;
  WorkBudget* budget_;
  std::string path_;
};

template <typename Rows>
const auto& Field::one_of(const Rows& rows) const {
  std::string names;
  for (const auto& row : rows) {
    if (text() == row.name) return row;
    names += (names.empty() ? "" : ", ") + std::string(row.name);
  }
  throw wrong("{}: {} is {}; expected one of: {}", names);
}

}  // namespace headscope::tokenizers
