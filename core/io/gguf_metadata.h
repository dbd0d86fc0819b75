#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/error.h"
#include "core/io/gguf.h"

namespace headscope {

/// The untrusted metadata of a GGUF file, by its keys. What is missing is nothing; a value of another type,
/// or text that is not UTF-8, throws Error (input) that names the file and the key.
class GgufMetadata {
 public:
  GgufMetadata(const GgufHeader& header, std::string source) : header_(&header), source_(std::move(source)) {}

  const std::string& source() const { return source_; }
  const std::map<std::string, GgufValue, std::less<>>& all() const { return header_->metadata; }
  const GgufValue* find(std::string_view key) const;
  std::optional<std::string> text(std::string_view key) const;
  std::optional<double> number(std::string_view key) const;
  /// At least 0 and at most `maximum`; of a list, such as one of all layers, its only value.
  std::optional<std::int64_t> whole(std::string_view key, std::int64_t maximum) const;
  std::optional<bool> flag(std::string_view key) const;
  const std::vector<std::string>* texts(std::string_view key) const;
  const std::vector<double>* numbers(std::string_view key) const;
  /// `text` has places for the file and the key.
  Error wrong(const char* text, std::string_view key) const;

 private:
  const GgufHeader* header_;
  std::string source_;
};

/// A value in messages: its text, or the number.
std::string shown(const GgufValue& value);

/// Whether a path names a GGUF file, by its ending.
bool is_gguf(const std::string& path);

}  // namespace headscope
