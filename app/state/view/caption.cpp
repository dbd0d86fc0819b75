#include "app/state/view/caption.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/state/view/compared_cell.h"
#include "core/analysis/arithmetic_stages.h"
#include "core/base/utf8.h"
#include "core/scene/readable_numbers.h"
#include "core/scene/scene.h"
#include "core/scene/view_kinds.h"

namespace headscope {
namespace {

std::string token_text(const std::vector<Token>& tokens, int i) {
  return tokens[i].text;
}

std::string said_token(const std::vector<Token>& tokens, int i) {
  const std::string& text = tokens[i].text;
  return std::ranges::count(tokens, text, &Token::text) > 1 ? fmt::format("{} ({})", text, i + 1) : text;
}

bool is_in(const BlockTrace& block, const Cell& cell) {
  return cell.head >= 0 && cell.head < block.heads() && cell.query >= 0 && cell.query < block.n_q() &&
         cell.key >= 0 && cell.key < block.n_k();
}

/// With thousands of keys in a row, hardly any weight is large enough for two decimals.
bool is_long(const FilteredLayer& shown) {
  constexpr Index many_keys = 1000;
  return shown.part || shown.block->single || shown.block->n_k() > many_keys;
}

constexpr float tiny = 0.00095F;
std::string number_of_long(float weight) {
  return weight > 0 && weight < tiny ? with_minus(fmt::format("{:.1e}", weight)) : presented_number(weight);
}

/// The number on the map; for a cell that is not on the map, its weight.
std::string number_of(const Translator& tr, const FilteredLayer& shown, const Cell& cell) {
  const BlockTrace& block = *shown.block;
  const bool on_map = shown.row(cell.query) >= 0 && shown.column(cell.key) >= 0 &&
                      cell.head < shown.heads() && shown.weights(cell.head) != nullptr;
  if (block.weightless(shown.layer, cell.head, cell.query, cell.key)) return tr("blocked");
  const auto reported = is_long(shown) ? number_of_long : presented_number;
  if (!on_map || shown.part)
    return reported(block.shown_maps().weight(shown.layer, cell.head, cell.query, cell.key));
  const ShownWeight weight = shown_weight(shown, cell.head, cell.query, cell.key);
  return weight.state == cell_shown ? reported(weight.weight) : tr("hidden");
}

/// Not in stages of the arithmetic before there is a weight, and those after it has been used, which are
/// about other numbers.
bool shows_weight(const View& view) {
  if (!view.row().has_steps || view.steps.page != StepsPage::cell || view.steps.stage.empty()) return true;
  static const std::vector<std::string> names = stage_names();
  const auto place = [](const std::string& name) { return std::ranges::find(names, name); };
  const auto stage = place(view.steps.stage);
  return stage >= place("softmax") && stage <= place("values");
}

/// Adds both tokens if A and B differ in one place.
void add_token(std::string& reported, const std::string& token) {
  if (reported != token) reported += (reported.empty() ? "" : "|") + token;
}

/// Rounds so that the printed difference is the difference of the printed numbers.
constexpr double printed_parts = 1000;
std::string compared_number(float weight) {
  const bool small = weight > 0 && weight < 0.5 / printed_parts;
  return small ? presented_number(weight) : with_minus(fmt::format("{:.3f}", weight));
}
std::string compared_difference(float a, float b) {
  const auto printed = [](float weight) { return std::round(weight * printed_parts); };
  const double difference = printed(b) - printed(a);
  if (difference == 0) return "0.000";
  return fmt::format("{}{:.3f}", difference < 0 ? "−" : "", std::abs(difference) / printed_parts);
}

/// Weights of two sides of a long text as multiples of the same power of ten, so that they can be compared.
struct ComparedTiny {
  int exponent = 0;
  ComparedTiny(float a, float b) : exponent(static_cast<int>(std::floor(std::log10(std::max(a, b))))) {}
  double parts(float weight) const { return std::round(100 * weight / std::pow(10.0, exponent)); }
  std::string text(double parts) const { return with_minus(fmt::format("{:.2f}e{}", parts / 100, exponent)); }
};

/// For both sides, with their difference if both have a number.
std::optional<CellCaption> compared(const Translator& tr, const Selection& state, const Comparison& c,
                                    CellCaption caption) {
  const ComparedPlace place = focused_place(c, state);
  if (!place.any()) return {};
  Both<std::optional<float>> weights;
  for (const Side side : both_sides) {
    const FilteredLayer& shown = side == Side::b ? *c.shown_b : *c.shown_a;
    std::string number = "–";
    if (has_cell(c, place, side)) {
      const Cell cell = cell_at(c, caption.head, place, side);
      number = number_of(tr, shown, cell);
      add_token(caption.query, token_text(shown.block->tokens, cell.query));
      add_token(caption.key, token_text(shown.block->key_tokens, cell.key));
      add_token(caption.said_query, said_token(shown.block->tokens, cell.query));
      add_token(caption.said_key, said_token(shown.block->key_tokens, cell.key));
      const ShownWeight weight = shown_weight(shown, cell.head, cell.query, cell.key);
      if (weight.state != cell_filtered) weights[side] = weight.weight;
      if (weights[side] && number != tr("blocked")) number = compared_number(weight.weight);
    }
    caption.numbers.emplace_back(letter(side), number);
  }
  if (caption.query.empty()) return {};  // its tokens are in two sentences
  const bool both = weights.a && weights.b;
  if (both && is_long(*c.shown_a) && std::max(*weights.a, *weights.b) < tiny &&
      std::max(*weights.a, *weights.b) > 0) {
    const ComparedTiny scale(*weights.a, *weights.b);
    const double a = scale.parts(*weights.a), b = scale.parts(*weights.b);
    for (auto& [name, number] : caption.numbers)
      if (number != tr("blocked")) number = scale.text(name == "A" ? a : b);
    caption.numbers.emplace_back("B − A", scale.text(b - a));
    return caption;
  }
  if (both) caption.numbers.emplace_back("B − A", compared_difference(*weights.a, *weights.b));
  return caption;
}

}  // namespace

std::optional<CellCaption> caption_of(const Translator& tr, const ViewState& state,
                                      const FilteredLayer& shown, const std::vector<HeadLabel>& labels,
                                      const Comparison* comparison) {
  CellCaption caption;
  if (comparison != nullptr) {
    caption.head = std::min(state.view.head.value_or(0), comparison->heads - 1);
    caption.title = head_title(tr, labels, shown.layer, caption.head);
    return caption.head < 0 ? std::nullopt : compared(tr, state, *comparison, caption);
  }
  // While painting, show the locked cell.
  const std::optional<Cell> lock = state.lock_in(*shown.block),
                            cell = state.brush.on && lock ? lock : state.focus(*shown.block);
  if (!cell || shown.layer >= shown.block->layer_count() || !is_in(*shown.block, *cell)) return {};
  caption.head = cell->head;
  caption.title = shown.block->cells.rollout == Rollout::off ? head_title(tr, labels, shown.layer, cell->head)
                                                             : std::string(tr("Rollout"));
  caption.query = token_text(shown.block->tokens, cell->query);
  caption.key = token_text(shown.block->key_tokens, cell->key);
  caption.said_query = said_token(shown.block->tokens, cell->query);
  caption.said_key = said_token(shown.block->key_tokens, cell->key);
  if (shows_weight(state.view)) caption.numbers.emplace_back("", number_of(tr, shown, *cell));
  return caption;
}

std::string spoken(const CellCaption& caption) {
  std::string text = caption.title.empty() ? "" : caption.title + ", ";
  const auto& [query, key] = std::pair(caption.said_query.empty() ? caption.query : caption.said_query,
                                       caption.said_key.empty() ? caption.key : caption.said_key);
  text += fmt::format("{} → {}", query, key);
  for (const auto& [name, number] : caption.numbers)
    text += name.empty() ? ", " + number : fmt::format(", {}: {}", name, number);
  return text;
}

const std::string& LiveText::say(const std::string& view, const std::string& cell) {
  const bool first = view_.empty(), changed = view != view_;
  view_ = view;
  if (changed && !first) {
    with_view_ = cell;
    text_ = cell.empty() ? view : view + ". " + cell;
  } else if (first || cell != with_view_) {
    with_view_ = text_ = cell;
  }
  return text_;
}

bool is_number_text(std::string_view text) {
  constexpr std::string_view minus = "−";
  if (text.starts_with(minus)) text.remove_prefix(minus.size());
  return is_ascii(text);
}

std::string presented_number(float weight) {
  if (weight < 0) return "−" + presented_number(-weight);
  // A weight that is not the whole row is not shown as 1.
  if (weight < 1 && weight >= 0.9995F) return "> 0.999";
  if (weight < 1 && weight >= 0.995F) return fmt::format("{:.3f}", weight);
  if (weight == 0 || weight >= 0.0095F) return fmt::format("{:.2f}", weight);
  if (weight >= 0.00095F) return fmt::format("{:.3f}", weight);
  return "< 0.001";
}

}  // namespace headscope
