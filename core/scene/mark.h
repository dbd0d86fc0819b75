#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/analysis/filter.h"
#include "core/inputs/names.h"
#include "core/scene/label_place.h"

namespace headscope {

enum class MarkKind { box, arrow };
std::span<const EnumName<MarkKind>> enum_names(MarkKind);

/// What a user added to the maps: a box around cells or an arrow to them, with a short text. All from 0.
struct Mark {
  static constexpr std::size_t max_marks = 100, max_text = 80;  ///< max_text: in characters

  MarkKind kind = MarkKind::box;
  std::optional<TokenRange> queries, keys;  ///< none: all, so that a box is around whole columns or rows
  std::optional<int> layer, head;           ///< none: in the maps of all
  std::string text;
  std::optional<LabelPlace> place = {};  ///< the middle of the text; none: where it covers no large weight
  bool operator==(const Mark&) const = default;

  bool is_in(int of_layer, int of_head) const {
    return layer.value_or(of_layer) == of_layer && head.value_or(of_head) == of_head;
  }
  bool contains(int query, int key) const {
    const auto has = [](const std::optional<TokenRange>& range, int token) {
      return !range || (token >= range->begin && token < range->end);
    };
    return has(queries, query) && has(keys, key);
  }
};
/// As much of a text as a mark can have.
std::string_view fitting_mark_text(std::string_view text);

}  // namespace headscope
