#pragma once
#include <initializer_list>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/tensor.h"

namespace headscope {

/// The untrusted fields of one JSON object of a config. A field that is missing or null has its family's
/// default. Every function throws Error (input) that names file and field, what was found and what was
/// expected.
class ConfigFields {
 public:
  /// `path` is the object's location in the file, "" or "rope_scaling.". The object must outlive this.
  ConfigFields(const nlohmann::json& object, std::string source, std::string path = "");

  /// Alternative names of one field, the newest or most usual first; the first one present is used.
  using Names = std::initializer_list<const char*>;

  /// Present, and not null.
  bool has(const char* name) const;
  bool is_null(const char* name) const;
  Index whole(Names names, Index fallback, Index minimum, Index maximum) const;
  double above_zero(Names names, double fallback, double maximum) const;
  bool flag(const char* name, bool fallback) const;
  std::string text(Names names, const std::string& fallback) const;
  /// From one number or a list; negative ones mean none.
  std::vector<Index> tokens(const char* name) const;
  std::optional<Index> token(const char* name, std::optional<Index> fallback = std::nullopt) const;
  std::vector<std::string> texts(const char* name) const;
  /// A list of `count` positive numbers.
  std::vector<double> factors(const char* name, Index count) const;
  std::optional<ConfigFields> object(const char* name) const;
  /// The first name in the object whose value is itself an object, or "".
  std::string nested() const;

  /// The name used in the file, with its path; the first one if none is.
  std::string name_of(Names names) const;
  const std::string& source() const { return source_; }
  /// `text` begins "{}: {} is {}; expected", with more `{}` for `expected`.
  template <typename... Args>
  Error wrong(const char* text, const char* name, const Args&... expected) const {
    return input_error(text, source_, path_ + name, found(name), expected...);
  }
  /// Throws unless the field `names` is a multiple of the field `of`, which has the value `divisor`.
  void expect_multiple(Names names, Index value, Names of, Index divisor) const;
  const nlohmann::json& json() const { return object_; }

 private:
  const nlohmann::json* find(const char* name) const;
  /// The first of the names that is present; nullptr if none is.
  const char* first(Names names) const;
  /// The value, for messages.
  std::string found(const char* name) const;

  const nlohmann::json& object_;
  std::string source_, path_;
};

}  // namespace headscope
