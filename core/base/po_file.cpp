#include "core/base/po_file.h"

#include <algorithm>
#include <utility>

#include "core/base/error.h"

namespace headscope {
namespace {

class PoReader {
 public:
  explicit PoReader(std::string name) : name_(std::move(name)) {}

  void read_line(std::string_view line) {
    ++number_;
    line = trimmed(line);
    if (line.empty()) return;
    if (line.starts_with('#')) {
      if (begun_) end_entry();
      fuzzy_ = fuzzy_ || (line.starts_with("#,") && line.find("fuzzy") != std::string_view::npos);
      return;
    }
    if (!line.starts_with('"')) line = trimmed(line.substr(read_keyword(line)));
    if (string_ == nullptr || line.size() < 2 || !line.starts_with('"') || !line.ends_with('"')) refuse();
    append_value(line.substr(1, line.size() - 2));
  }

  PoFile finish() {
    end_entry();
    return std::move(file_);
  }

 private:
  [[noreturn]] void refuse() const {
    throw input_error("{}: line {}; expected msgctxt, msgid, msgid_plural or msgstr with a text in quotes",
                      name_, number_);
  }

  static std::string_view trimmed(std::string_view line) {
    constexpr std::string_view blank = " \t\r";
    line.remove_prefix(std::min(line.find_first_not_of(blank), line.size()));
    return line.substr(0, line.find_last_not_of(blank) + 1);
  }

  /// Returns its length. What follows goes into `string_`.
  std::size_t read_keyword(std::string_view line) {
    const std::size_t length = std::min(line.find_first_of(" \t\""), line.size());
    const std::string_view word = line.substr(0, length);
    const bool begins = word == "msgctxt" || (word == "msgid" && string_ != &entry_.context);
    if (begins) {
      end_entry();
      begun_ = true;
    }
    if (!begun_) refuse();
    if (word == "msgctxt")
      string_ = &entry_.context;
    else if (word == "msgid")
      string_ = &entry_.id;
    else if (word == "msgid_plural")
      string_ = &entry_.plural;
    else if (word == "msgstr" || word == "msgstr[" + std::to_string(entry_.texts.size()) + "]")
      string_ = &entry_.texts.emplace_back();
    else
      refuse();
    return length;
  }

  void append_value(std::string_view quoted) {
    for (std::size_t i = 0; i < quoted.size(); ++i) {
      if (quoted[i] == '"') refuse();
      if (quoted[i] != '\\') {
        *string_ += quoted[i];
        continue;
      }
      if (++i == quoted.size()) refuse();
      constexpr std::string_view escapes = "nt\"\\", meanings = "\n\t\"\\";
      const std::size_t which = escapes.find(quoted[i]);
      if (which == std::string_view::npos) refuse();
      *string_ += meanings[which];
    }
  }

  void end_entry() {
    if (begun_ && entry_.texts.empty()) refuse();
    const bool translated = begun_ && !fuzzy_ && !std::ranges::count(entry_.texts, "");
    if (begun_ && entry_.id.empty())
      file_.header = entry_.texts.front();
    else if (translated)
      file_.entries.push_back(std::move(entry_));
    entry_ = {};
    string_ = nullptr;
    if (begun_) fuzzy_ = false;
    begun_ = false;
  }

  std::string name_;
  int number_ = 0;
  PoFile file_;
  PoEntry entry_;
  std::string* string_ = nullptr;  // the one that quoted lines belong to
  bool begun_ = false, fuzzy_ = false;
};

}  // namespace

PoFile read_po(std::string_view text, const std::string& name) {
  PoReader reader(name);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    reader.read_line(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return reader.finish();
}

}  // namespace headscope
