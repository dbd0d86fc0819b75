#pragma once
#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/tensor.h"
#include "core/io/json_field.h"

namespace headscope {

/// What messages call the fields of a config that was written from other data, by their paths in it.
using FieldNames = std::map<std::string, std::string, std::less<>>;

/// The untrusted fields of one JSON object of a config. A field that is missing or null has its family's
/// default.
class ConfigFields : public JsonField {
 public:
  /// `names`, which may be nullptr, outlives the fields.
  explicit ConfigFields(const JsonField& object, const FieldNames* names = nullptr)
      : JsonField(object), names_(names) {}

  /// Whether it was written from other data (GGUF), whose fields mean what they say whatever the family.
  bool of_other_data() const { return names_ != nullptr && !names_->empty(); }
  /// As JsonField::member(), by its other name if it has one.
  JsonField member(const char* name) const;

  /// Alternative names of one field, the newest or most usual first; the first one present is used.
  using Names = std::initializer_list<const char*>;

  bool is_null(const char* name) const;
  /// As Python takes null where a class asks whether it is true.
  bool flag(const char* name, bool otherwise) const {
    return !is_null(name) && JsonField::flag(name, otherwise);
  }
  Index whole(Names names, Index fallback, Index minimum, Index maximum) const;
  double above_zero(Names names, double fallback, double maximum) const;
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

  /// The field `name` is wrong: as JsonField::wrong().
  template <typename... Args>
  Error wrong(const char* text, const char* name, const Args&... expected) const {
    return member(name).wrong(text, expected...);
  }
  /// Throws unless the field `names` is a multiple of the field `of`, which has the value `divisor`.
  void expect_multiple(Names names, Index value, Names of, Index divisor) const;

 private:
  /// The first of the names that is present, or else of all; null in the latter case.
  JsonField first(Names names) const;

  const FieldNames* names_;
};

}  // namespace headscope
