#pragma once
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "core/base/budget.h"

namespace headscope {

class JsonField;

/// A row of a table of the meanings of a text in a file.
template <typename Value>
struct Named {
  const char* name;
  Value value;
};
/// A row of a table by the "type" of an object: how the object is read.
template <typename Result>
using Kind = Named<Result (*)(const JsonField&)>;

/// A value of a JSON file with its location for error messages. Every accessor throws Error (input) that
/// names the file and the field, what was found and what was expected, if the value has another type.
class JsonField {
 public:
  /// All outlive the field; `budget` is the file's, for readers that count work. `path` is the location in
  /// the file, "view" or "bookmarks[2]".
  JsonField(const nlohmann::json& value, const std::string& file, std::string path = "",
            WorkBudget* budget = nullptr)
      : value_(&value), file_(&file), budget_(budget), path_(std::move(path)) {}

  /// A member of an object. Throws if it is missing.
  JsonField at(const char* name) const;
  /// A member of an object; none if it is absent or null.
  std::optional<JsonField> find(const char* name) const;
  /// A member of an object; null if it is absent.
  JsonField member(const char* name) const;
  /// Present, and not null.
  bool has(const char* name) const { return find(name).has_value(); }
  /// An element of a list.
  JsonField item(std::size_t index) const;
  std::size_t items() const;
  /// The results of read(item) for every element of a list.
  template <typename Read>
  auto each(const Read& read) const {
    std::vector<std::invoke_result_t<const Read&, const JsonField&>> all;
    for (std::size_t i = 0; i < items(); ++i) all.push_back(read(item(i)));
    return all;
  }

  const std::string& text() const;
  /// One character.
  char32_t character() const;
  bool flag() const;
  bool flag(const char* name, bool otherwise) const;
  std::int64_t integer(std::int64_t minimum, std::int64_t maximum) const;
  double number() const;
  double number(double minimum, double maximum) const;
  /// Greater than 0.
  double positive(double maximum) const;
  bool is_text() const;
  bool is_object() const;
  bool is_list() const;
  bool is_null() const;
  void expect_object() const;
  /// The row of a table of Named values whose name equals the text.
  template <typename Rows>
  const auto& one_of(const Rows& rows) const;
  /// The object, read as the kind that its "type" names.
  template <typename Kinds>
  auto read_kind(const Kinds& kinds) const {
    return at("type").one_of(kinds).value(*this);
  }

  const nlohmann::json& json() const { return *value_; }
  const std::string& file() const { return *file_; }
  const std::string& path() const { return path_; }
  WorkBudget& budget() const { return *budget_; }
  /// "tokenizer.json: model.vocab"
  std::string place() const;
  /// "{}: {} is {}; expected …" with the file, the field, what was found and `expected`.
  template <typename... Args>
  Error wrong(const char* text, const Args&... expected) const {
    return input_error(text, *file_, name(), found(), expected...);
  }

 private:
  std::string name() const;  // "model.vocab"
  std::string found() const;

  const nlohmann::json* value_;
  const std::string* file_;
  WorkBudget* budget_;
  std::string path_;
};

template <typename Rows>
const auto& JsonField::one_of(const Rows& rows) const {
  std::string names;
  for (const auto& row : rows) {
    if (text() == row.name) return row;
    names += (names.empty() ? "" : ", ") + std::string(row.name);
  }
  throw wrong("{}: {} is {}; expected one of: {}", names);
}

}  // namespace headscope
