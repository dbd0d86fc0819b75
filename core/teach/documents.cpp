#include "core/teach/documents.h"

#include <algorithm>

namespace headscope {

namespace document_files {
std::string_view find(std::string_view file_name);
}  // namespace document_files

std::span<const DocumentRow> documents() {
  static constexpr DocumentRow rows[] = {
      {"explore", TR("The window")},           {"teach", TR("Teaching with lessons")},
      {"hand-out", TR("Handing it out")},      {"figures", TR("Exporting figures")},
      {"models", TR("Trained models")},        {"captures", TR("Captures")},
      {"causes", TR("Causes and circuits")},   {"MASKS", TR("Kinds of masks")},
      {"LESSON", TR("How to write a lesson")}, {"COURSE", TR("How to write a course")},
      {"command-line", TR("Command line")},    {"python", TR("Python")},
      {"formats", TR("File formats")},         {"speed", TR("Speed")},
  };
  return rows;
}

const DocumentRow* find_document(std::string_view name) {
  const auto found = std::ranges::find(documents(), name, &DocumentRow::name);
  return found == documents().end() ? nullptr : &*found;
}

const DocumentRow* document_at(std::string_view address) {
  address = address.substr(0, address.find('#'));
  if (!address.ends_with(".md")) return nullptr;
  address = address.substr(address.rfind('/') + 1);
  return find_document(address.substr(0, address.find('.')));  // in whatever language
}

std::string_view document_text(std::string_view name, Language language) {
  const std::string_view own =
      document_files::find(fmt::format("{}.{}.md", name, language_row(language).code));
  return own.empty() ? document_files::find(fmt::format("{}.md", name)) : own;
}

}  // namespace headscope
