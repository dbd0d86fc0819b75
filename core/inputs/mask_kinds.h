#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/inputs/mask_part.h"

namespace headscope {

/// One parameter of a kind of mask: its member in a part, its text form, and its control in the window.
struct MaskParameter {
  using Member = std::variant<int MaskPart::*, std::uint64_t MaskPart::*, std::vector<int> MaskPart::*,
                              std::string MaskPart::*, std::vector<PaintedRun> MaskPart::*>;

  Member member;
  std::string_view option = "";  ///< "seed" in "seed=7", which may be left out; "": positional, first
  int minimum = 0;               ///< of a number
  bool of_keys = false;          ///< a list of tokens: of keys; otherwise of queries and keys
  const char* label = nullptr;   ///< English, to be translated; nullptr: the window sets it by other means
  const char* help = "";
  const char* letter = nullptr;  ///< of a number in formulas, and in what a lesson says of a mask
  const char* number = nullptr;  ///< its name in a sweep, after "mask."; nullptr: not a number
};

struct MaskKindRow {
  MaskKind kind;
  std::string_view name;  ///< before the colon of the text form
  std::string_view form;  ///< the text form in short, for help
  const char* mark;       ///< of its switch in the state dump; "": a file's is its text form
  const char* label;      ///< English, to be translated; "": the window has no action for it
  const char* help;       ///< English, to be translated
  /// Patterns say which keys a query may see, and together allow the union (no pattern: everything). The
  /// others are constraints: a cell blocked by any of them is blocked.
  bool pattern = false;
  std::span<const MaskParameter> parameters = {};  ///< empty for a path or painted cells
  std::string_view whole_form = form;              ///< the same in full, for error messages

  /// The list of tokens among the parameters, or nullptr.
  const MaskParameter* token_list() const;
  /// Whether the window has a control for every parameter.
  bool has_controls() const;
};

/// In the order of MaskKind. core/attention/build_mask.cpp says which cells each blocks or allows.
std::span<const MaskKindRow> mask_kinds();
const MaskKindRow& mask_kind(MaskKind kind);

}  // namespace headscope
