#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// One text of a PO file.
struct PoEntry {
  std::string context;             ///< what tells it from the same text elsewhere; empty: nothing
  std::string id;                  ///< the English text, for one where it has a plural
  std::string plural;              ///< the English text for several; empty: none
  std::vector<std::string> texts;  ///< its translation, or one for each plural form
};

struct PoFile {
  std::string header;  ///< "Language: zh_CN\n…"
  std::vector<PoEntry> entries;
};

/// The entries of a file as gettext has them ("The Format of PO Files" of its manual): comments, fuzzy,
/// obsolete and untranslated entries are left out. Throws Error (input) that names the line.
PoFile read_po(std::string_view text, const std::string& name);

}  // namespace headscope
