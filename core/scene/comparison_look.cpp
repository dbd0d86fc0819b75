#include "core/scene/comparison_look.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/utf8.h"
#include "core/inputs/fields.h"
#include "core/inputs/names.h"
#include "core/scene/labels.h"
#include "core/scene/mask_words.h"
#include "core/scene/range.h"
#include "core/scene/readable_numbers.h"
#include "core/text/token_label.h"

namespace headscope {
namespace {

std::string text_at(const std::vector<Token>& tokens, int place) {
  return place < 0 ? "" : token_label(cut_off(tokens[place].text, longest_label));
}

std::vector<std::string> aligned_texts(const std::vector<AlignedToken>& places, const std::vector<Token>& a,
                                       const std::vector<Token>& b) {
  std::vector<std::string> result;
  for (const AlignedToken& place : places) {
    const std::string left = text_at(a, place.a), right = text_at(b, place.b);
    if (place.b < 0)
      result.push_back("− " + left);
    else if (place.a < 0)
      result.push_back("+ " + right);
    else
      result.push_back(left == right ? left : left + " → " + right);
  }
  return result;
}

/// Of the ablated heads of a side: "all heads", "without 1.2, 1.3".
std::string heads_name(const Translator& tr, const std::set<HeadPlace>& off, bool layers) {
  constexpr std::size_t most = 3;
  if (off.empty()) return tr("all heads");
  if (off.size() > most) return tr("without {} heads", off.size());
  std::string heads;
  for (const HeadPlace& place : off)
    heads += (heads.empty() ? "" : tr(", ")) +
             (layers ? head_number(place.layer, place.head) : std::to_string(place.head + 1));
  return layers ? tr("without {}", heads) : tr("without head {}", heads);
}

/// The value of a field for a title; empty if it takes more than a few words.
struct ValueName {
  const Translator& tr;
  const InputField& field;
  bool layers, brief;

  std::string operator()(const std::set<HeadPlace>& off) const { return heads_name(tr, off, layers); }
  std::string operator()(const std::vector<MaskPart>& mask) const {
    if (mask.empty()) return tr("no mask");
    if (mask.size() != 1) return mask_names(mask);
    return mask_words(tr, mask.front());
  }
  std::string switch_name(bool on) const {
    // Their labels are sentences.
    if (field.member == InputField::Member(&Inputs::scale)) return tr(on ? TR("scaled") : TR("not scaled"));
    if (field.member == InputField::Member(&Inputs::share_layers))
      return tr(on ? TR("shared layers") : TR("separate layers"));
    return tr("{}: {}", tr(field.label), tr(on ? TR("on") : TR("off")));
  }
  std::string numbered(const std::string& value) const {
    return brief ? value : tr("{} {}", tr(field.label), value);
  }
  std::string mask_names(const std::vector<MaskPart>& mask) const {
    std::string names;
    for (const MaskPart& part : mask) names += (names.empty() ? "" : " + ") + (*this)(std::vector{part});
    return names;
  }
  template <typename Value>
  std::string operator()(const Value& value) const {
    if constexpr (std::is_same_v<Value, bool>)
      return switch_name(value);
    else if constexpr (std::is_enum_v<Value>)
      return brief ? tr(to_label(value)) : tr("{}: {}", tr(field.label), tr(to_label(value)));
    else if constexpr (std::is_floating_point_v<Value>)
      return numbered(fmt::format("{:.3g}", value));
    else if constexpr (std::is_arithmetic_v<Value>)
      return numbered(fmt::format("{}", value));
    else
      return "";
  }
};

template <typename Value>
Value value_of(const Inputs& inputs, Value Inputs::*member) {
  if constexpr (std::is_same_v<Value, int>)
    if (member == &Inputs::kv_heads && inputs.kv_heads == 0) return inputs.heads;
  return inputs.*member;
}

bool is_text(const InputField& field) {
  return field.member == InputField::Member(&Inputs::sentence) ||
         field.member == InputField::Member(&Inputs::key_sentence) ||
         field.member == InputField::Member(&Inputs::target);
}

/// A and B are compared by their colours, which no row has of its own.
RangeChoice compared_range(RangeChoice choice) {
  if (choice.kind == Range::row) choice.kind = Range::head;
  return choice;
}

}  // namespace

std::array<std::string, 2> side_names(const Translator& tr, const Inputs& a, const Inputs& b, bool layers,
                                      bool brief) {
  std::array<std::string, 2> names;
  constexpr int most = 2;
  int different = 0;
  bool named = true;
  for (const InputField& field : input_fields())
    std::visit(
        [&](auto member) {
          if (is_text(field)) return;  // both are shown
          const auto condition = std::ranges::find(field_conditions(), field.member, &FieldCondition::member);
          const bool counts = condition == field_conditions().end() || condition->met(a) || condition->met(b);
          if (a.*member == b.*member || !counts || ++different > most) return;
          const ValueName name{tr, field, layers, brief};
          const std::array<std::string, 2> values{name(value_of(a, member)), name(value_of(b, member))};
          for (std::size_t side = 0; side < names.size(); ++side) {
            named &= !values[side].empty();
            names[side] += (names[side].empty() ? "" : tr(", ")) + values[side];
          }
        },
        field.member);
  return named && different <= most ? names : std::array<std::string, 2>{};
}

std::string equality_note(const Translator& tr, const Comparison& c, int head) {
  float largest = 0, rounding = 0;
  const int first = std::max(head, 0), end = head < 0 ? c.heads : std::min(head + 1, c.heads);
  for (int h = first; h < end; ++h) {
    largest = std::max(largest, c.largest[h]);
    rounding = std::max(rounding, c.rounding[h]);
  }
  if (largest > 0) return "";
  if (rounding == 0 && head >= 0 &&
      is_ablated(*c.shown_a->block, c.shown_a->layer, head) !=
          is_ablated(*c.shown_b->block, c.shown_b->layer, head))
    return tr("The weights are the same; the output of this head is ablated in one of the two.");
  if (rounding == 0) return tr("A and B are the same here.");
  return tr("A and B are equal here within float32 rounding: no cell differs by more than {}.",
            printed_difference(rounding));
}

std::string difference_title(const Translator& tr, const Comparison& c, int head) {
  const std::size_t h = head;
  return c.largest[h] == 0 && c.rounding[h] > 0 ? tr("B − A: equal within float32 rounding")
                                                : std::string("B − A");
}

ComparisonLook comparison_look(const Comparison& c, RangeChoice choice) {
  choice = compared_range(choice);
  ComparisonLook look;
  look.rows = aligned_texts(c.queries.tokens, c.shown_a->block->tokens, c.shown_b->block->tokens);
  look.columns = aligned_texts(c.keys.tokens, c.shown_a->block->key_tokens, c.shown_b->block->key_tokens);
  if (c.heads == 0) return look;
  const std::vector<ColorRange> a = color_ranges(*c.shown_a, choice),
                                b = color_ranges(*c.shown_b, choice, HeldMap::b);
  const float maximum = *std::max_element(c.of_colors.begin(), c.of_colors.end());
  for (int h = 0; h < c.heads; ++h) {
    look.weights.push_back({std::min(a[h].low, b[h].low),
                            std::max(a[h].high, b[h].high),
                            a[h].logarithm,
                            a[h].below || b[h].below,
                            a[h].above || b[h].above,
                            {},
                            a[h].cells_beyond + b[h].cells_beyond});
    const float given = choice.kind == Range::fixed ? a[h].high - a[h].low : 1;
    const bool fits = choice.kind != Range::unit && choice.kind != Range::fixed;
    const float own = !fits ? given : is_per_head(choice.kind) ? c.of_colors[h] : maximum;
    const ColorLimits* const held =
        choice.held_limits(HeldMap::difference, c.shown_a->block->shape.kind, c.shown_a->layer, h);
    const float end = held != nullptr ? static_cast<float>(held->high) : own > 0 ? own : 1;
    const bool beyond = c.largest[h] > end;
    look.difference.push_back({-end, end, false, beyond, beyond, {}});
  }
  return look;
}

std::string compared_name(const Translator& tr, const RangeChoice& choice, const FilteredLayer& shown) {
  const std::string name = colors_name(tr, compared_range(choice), *shown.block, shown.layer);
  return shown.block->cells_of(shown.layer).is_share && shown.block->cells.value == CellValue::weight
             ? tr("{}; B − A: difference of the weights", name)
             : tr("{}; B − A: the difference", name);
}

}  // namespace headscope
