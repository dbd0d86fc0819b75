#include "core/inputs/sweep.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "core/base/translate.h"

namespace headscope {
namespace {

template <typename Value>
inline constexpr bool is_number_type =
    std::is_same_v<Value, int> || std::is_same_v<Value, double> || std::is_same_v<Value, std::uint64_t>;

template <typename Member>
using ValueOf = std::remove_cvref_t<decltype(std::declval<Inputs&>().*std::declval<Member>())>;

/// With a minus as people write it; a zero has none.
std::string signed_text(std::string text) {
  if (!text.starts_with('-')) return text;
  text.erase(0, 1);
  return (text.find_first_not_of("0.") == std::string::npos ? "" : "−") + text;
}

constexpr double most_tokens = 1 << 20;
constexpr MaskNumber mask_numbers[] = {
    {"mask.window", {.member = &MaskPart::window, .label = TR("Width w")}, most_tokens},
    {"mask.dilation", {.member = &MaskPart::dilation, .least = 1, .label = TR("Dilation d")}, most_tokens},
    {"mask.random", {.member = &MaskPart::random_keys, .label = TR("Keys r")}, most_tokens},
    {"mask.seed", {.member = &MaskPart::seed, .label = TR("Seed")}, 1LL << 53},
};

/// Whether parts of the mask have the number.
bool has(const std::vector<MaskPart>& mask, const MaskNumber& number) {
  return std::ranges::any_of(mask, [&](const MaskPart& part) {
    return std::ranges::any_of(mask_kind(part.kind).parameters, [&](const MaskParameter& parameter) {
      return parameter.member == number.parameter.member;
    });
  });
}

void set_field(Inputs& inputs, const InputField& field, double value) {
  std::visit(
      [&](auto member) {
        using Value = ValueOf<decltype(member)>;
        if constexpr (is_number_type<Value>) inputs.*member = static_cast<Value>(value);
      },
      field.member);
}

double at(const Sweep& sweep, int i) {
  if (i + 1 == sweep.frames) return sweep.to;  // not but for a rounding
  return sweep.from + (sweep.to - sweep.from) * i / (sweep.frames - 1);
}

}  // namespace

bool is_number(const InputField& field) {
  // The sequences of a capture are in a list, not on a scale.
  if (field.member == input_field(&Inputs::sequence).member) return false;
  return std::visit([](auto member) { return is_number_type<ValueOf<decltype(member)>>; }, field.member);
}

bool is_whole_number(const InputField& field) {
  return !std::holds_alternative<double Inputs::*>(field.member);
}

std::string number_field_names() {
  std::string names;
  for (const InputField& field : input_fields())
    if (is_number(field)) names += (names.empty() ? "" : ", ") + std::string(field.name);
  for (const MaskNumber& number : mask_numbers) names += ", " + std::string(number.name);
  return names;
}

const MaskNumber* find_mask_number(std::string_view name) {
  const auto found = std::ranges::find(mask_numbers, name, &MaskNumber::name);
  return found == std::end(mask_numbers) ? nullptr : found;
}

std::string Sweep::name() const {
  return of_mask != nullptr ? std::string(of_mask->name) : field->name;
}
const char* Sweep::label() const {
  return of_mask != nullptr ? of_mask->parameter.label : field->label;
}
std::pair<double, double> Sweep::limits() const {
  return of_mask != nullptr ? std::pair<double, double>(of_mask->parameter.least, of_mask->most)
                            : number_limits(*field);
}
bool Sweep::whole() const {
  return of_mask != nullptr || is_whole_number(*field);
}

const InputField* find_input_field(std::string name) {
  std::ranges::replace(name, '-', '_');
  const auto found = std::ranges::find(input_fields(), name,
                                       [](const InputField& field) { return std::string(field.name); });
  return found == input_fields().end() ? nullptr : &*found;
}

std::pair<double, double> number_limits(const InputField& field) {
  constexpr double most_whole = 1LL << 53;
  if (std::holds_alternative<std::uint64_t Inputs::*>(field.member)) return {0, most_whole};
  return {field.least, field.most};
}

void set_number(Inputs& inputs, const Sweep& sweep, double value) {
  if (sweep.of_mask == nullptr) return set_field(inputs, *sweep.field, value);
  for (MaskPart& part : inputs.mask) {
    if (const auto* number = std::get_if<int MaskPart::*>(&sweep.of_mask->parameter.member))
      part.*(*number) = static_cast<int>(value);
    else
      part.seed = static_cast<std::uint64_t>(value);
  }
}

SweepValues sweep_values(const Sweep& sweep, Inputs inputs) {
  SweepValues result;
  const bool whole = sweep.whole();
  if (sweep.of_mask != nullptr && !has(inputs.mask, *sweep.of_mask))
    throw input_error("{} is no number of the mask; expected a part that has it, such as --mask {}",
                      sweep.name(), "bigbird:1,global=0,random=2");
  std::vector<double> tried;
  for (int i = 0; i < sweep.frames; ++i) {
    const double value = whole ? std::round(at(sweep, i)) : at(sweep, i);
    if (!tried.empty() && tried.back() == value) continue;
    tried.push_back(value);
    set_number(inputs, sweep, value);
    try {
      validate(inputs);
      result.values.push_back(value);
    } catch (const Error& error) {
      if (!whole) throw;
      result.left_out.emplace_back(value, error);
    }
  }
  if (result.values.empty()) throw result.left_out.front().second;
  if (result.values.size() < 2)
    throw input_error("{} from {} to {} has one value that can be used, {}; expected two or more",
                      sweep.name(), sweep.from, sweep.to, result.values.front());
  return result;
}

std::vector<std::string> number_texts(const std::vector<double>& values) {
  constexpr int most = 6;
  double step = std::numeric_limits<double>::infinity();
  for (std::size_t i = 1; i < values.size(); ++i) step = std::min(step, std::abs(values[i] - values[i - 1]));
  for (int decimals = 0; decimals <= most; ++decimals) {
    const double unit = std::pow(10, -decimals);
    const bool enough = std::ranges::all_of(
        values, [&](double value) { return std::abs(std::round(value / unit) * unit - value) <= step / 20; });
    if (!enough) continue;
    std::vector<std::string> texts;
    for (const double value : values) texts.push_back(signed_text(fmt::format("{:.{}f}", value, decimals)));
    return texts;
  }
  std::vector<std::string> texts;
  for (const double value : values) texts.push_back(signed_text(fmt::format("{:.4g}", value)));
  return texts;
}

}  // namespace headscope
