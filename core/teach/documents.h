#pragma once
#include <span>
#include <string_view>

#include "core/base/translate.h"

namespace headscope {

/// A page of the documentation that comes in the program.
struct DocumentRow {
  const char* name;   ///< of its file, without the extension
  const char* title;  ///< English, to be translated
};
std::span<const DocumentRow> documents();
/// nullptr if there is none of this name.
const DocumentRow* find_document(std::string_view name);
/// The one that a link in another leads to: "causes.md#circuits"; nullptr: none.
const DocumentRow* document_at(std::string_view address);
/// Its Markdown: in that language, otherwise in English.
std::string_view document_text(std::string_view name, Language language);

}  // namespace headscope
