#include "core/base/translate.h"

#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>

#include "core/base/utf8.h"

namespace headscope {
namespace translations {
std::string_view find(std::string_view file_name);
}

namespace {

using Table = std::map<std::string, std::string, std::less<>>;

// Read once and never changed: a constant that happens to be kept as JSON.
const Table& chinese() {
  static const Table table = nlohmann::json::parse(translations::find("zh.json")).get<Table>();
  return table;
}

}  // namespace

Translator::Translator(Language language) : language_(language) {}

const char* Translator::operator()(const char* english) const {
  if (language_ == Language::en) return english;
  const auto found = chinese().find(std::string_view(english));
  return found == chinese().end() ? english : found->second.c_str();
}

std::string_view Translator::all_texts() const {
  return language_ == Language::zh ? translations::find("zh.json") : std::string_view();
}

std::string Translator::operator()(const Error& error) const {
  std::string text = error.text();
  std::vector<std::string> arguments = error.arguments();
  std::string place;
  constexpr std::string_view in_front = "{}: ";
  while (language_ != Language::en && chinese().find(text) == chinese().end() && text.starts_with(in_front)) {
    place += printable(arguments.front()) + "：";
    arguments.erase(arguments.begin());
    text.erase(0, in_front.size());
  }
  return place + fill((*this)(text.c_str()), arguments);
}

std::string Translator::fill(const std::string& text, const std::vector<std::string>& arguments) {
  std::string result;
  std::size_t next = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t close = text[i] == '{' ? text.find('}', i) : std::string::npos;
    if (close == std::string::npos || close - i > 2) {
      result += text[i];
      continue;
    }
    const std::size_t index = close == i + 1 ? next++ : static_cast<std::size_t>(text[i + 1] - '0');
    if (index < arguments.size()) result += printable(arguments[index]);  // names from anywhere
    i = close;
  }
  return result;
}

Language system_language() {
  for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"}) {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    return std::string_view(value).starts_with("zh") ? Language::zh : Language::en;
  }
  return Language::en;
}

}  // namespace headscope
