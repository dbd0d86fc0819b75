#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// One text of a PO file.
struct PoEntry {
  std::string context;             ///< distinguishes it from the same text elsewhere; may be empty
  std::string id;                  ///< the English text; its singular if it has a plural
  std::string plural;              ///< the English plural; empty: none
  std::vector<std::string> texts;  ///< its translation, or one for each plural form
};

struct PoFile {
  std::string header;  ///< "Language: zh_CN\n…"
  std::vector<PoEntry> entries;
};

/// The entries of a gettext file (manual, "The Format of PO Files"), without comments and fuzzy, obsolete or
/// untranslated entries. Throws Error (input) that names the line.
PoFile read_po(std::string_view text, const std::string& name);

}  // namespace headscope
