#include "core/inputs/sweep.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "core/base/translate.h"
#include "core/inputs/cost.h"

namespace headscope {
namespace {

template <typename Value>
inline constexpr bool is_number_type =
    std::is_same_v<Value, int> || std::is_same_v<Value, double> || std::is_same_v<Value, std::uint64_t>;

template <typename Member>
using ValueOf = std::remove_cvref_t<decltype(std::declval<Inputs&>().*std::declval<Member>())>;

/// With a typographic minus; zero has none.
std::string signed_text(std::string text) {
  if (!text.starts_with('-')) return text;
  text.erase(0, 1);
  return (text.find_first_not_of("0.") == std::string::npos ? "" : "−") + text;
}

constexpr std::string_view mask_prefix = "mask.";
constexpr double max_whole = 1LL << 53;      // up to here all are doubles
constexpr double max_mask_tokens = 1 << 20;  // of a mask, independent of the sentence

/// Calls use(parameter) for the numeric parameters of the part.
template <typename Use>
void for_each_number(MaskKind kind, const Use& use) {
  for (const MaskParameter& parameter : mask_kind(kind).parameters)
    if (parameter.number != nullptr) use(parameter);
}

bool has(MaskKind kind, std::string_view number) {
  bool found = false;
  for_each_number(kind, [&](const MaskParameter& parameter) { found = found || parameter.number == number; });
  return found;
}

/// The text form of a mask with this number.
std::string_view example_of(std::string_view number) {
  constexpr std::string_view examples[] = {"bigbird:1,global=0,random=2", "dilated:1,2", "padding:8"};
  const auto found = std::ranges::find_if(
      examples, [&](std::string_view form) { return has(parse_mask_part(form).kind, number); });
  return found == std::end(examples) ? "" : *found;
}

void set_parameter(MaskPart& part, const MaskParameter& parameter, double value) {
  std::visit(
      [&](auto member) {
        using Value = std::remove_cvref_t<decltype(part.*member)>;
        if constexpr (is_number_type<Value>)
          part.*member = static_cast<Value>(value);
        else if constexpr (std::is_same_v<Value, std::vector<int>>)
          part.*member = {static_cast<int>(value)};
      },
      parameter.member);
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
  if (i + 1 == sweep.frames) return sweep.to;  // exactly, without rounding
  return sweep.from + (sweep.to - sweep.from) * i / (sweep.frames - 1);
}

}  // namespace

bool is_number(const InputField& field) {
  return std::visit([](auto member) { return is_number_type<ValueOf<decltype(member)>>; }, field.member);
}

bool is_integer(const InputField& field) {
  return !std::holds_alternative<double Inputs::*>(field.member);
}

std::vector<std::string> sweep_names() {
  std::vector<std::string> names;
  for (const InputField& field : input_fields())
    if (is_number(field)) names.emplace_back(field.name);
  for (const MaskKindRow& row : mask_kinds())
    for_each_number(row.kind, [&](const MaskParameter& parameter) {
      const std::string name = fmt::format("{}{}", mask_prefix, parameter.number);
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    });
  return names;
}

const MaskParameter* find_mask_number(std::string_view name) {
  const MaskParameter* found = nullptr;
  if (!name.starts_with(mask_prefix)) return found;
  name.remove_prefix(mask_prefix.size());
  for (const MaskKindRow& row : mask_kinds())
    for_each_number(row.kind, [&](const MaskParameter& parameter) {
      if (found == nullptr && parameter.number == name) found = &parameter;
    });
  return found;
}

std::string Sweep::name() const {
  return of_mask != nullptr ? fmt::format("{}{}", mask_prefix, of_mask->number) : field->name;
}
const char* Sweep::label() const {
  if (of_mask == nullptr) return field->label;
  if (!std::holds_alternative<std::vector<int> MaskPart::*>(of_mask->member)) return of_mask->label;
  const auto row = std::ranges::find_if(
      mask_kinds(), [&](const MaskKindRow& kind) { return has(kind.kind, of_mask->number); });
  return row->label;
}
std::pair<double, double> Sweep::limits() const {
  if (of_mask == nullptr) return number_limits(*field);
  const bool seed = std::holds_alternative<std::uint64_t MaskPart::*>(of_mask->member);
  return {of_mask->minimum, seed ? max_whole : max_mask_tokens};
}
bool Sweep::whole() const {
  return of_mask != nullptr || is_integer(*field);
}

const InputField* find_input_field(std::string name) {
  std::ranges::replace(name, '-', '_');
  const auto found = std::ranges::find(input_fields(), name,
                                       [](const InputField& field) { return std::string(field.name); });
  return found == input_fields().end() ? nullptr : &*found;
}

std::pair<double, double> number_limits(const InputField& field) {
  if (std::holds_alternative<std::uint64_t Inputs::*>(field.member)) return {0, max_whole};
  return {field.minimum, field.maximum};
}

void set_number(Inputs& inputs, const Sweep& sweep, double value) {
  if (sweep.of_mask == nullptr) return set_field(inputs, *sweep.field, value);
  for (MaskPart& part : inputs.mask)
    if (has(part.kind, sweep.of_mask->number)) set_parameter(part, *sweep.of_mask, value);
}

SweepValues sweep_values(const Sweep& sweep, Inputs inputs) {
  SweepValues result;
  const bool whole = sweep.whole();
  if (sweep.of_mask != nullptr && std::ranges::none_of(inputs.mask, [&](const MaskPart& part) {
        return has(part.kind, sweep.of_mask->number);
      }))
    throw input_error("{} is no number of the mask; expected a part that has it, such as --mask {}",
                      sweep.name(), example_of(sweep.of_mask->number));
  std::vector<double> tried;
  for (int i = 0; i < sweep.frames; ++i) {
    const double value = whole ? std::round(at(sweep, i)) : at(sweep, i);
    if (!tried.empty() && tried.back() == value) continue;
    tried.push_back(value);
    set_number(inputs, sweep, value);
    try {
      validate(inputs);
      check_parameter_count(inputs);
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
  constexpr int maximum = 6;
  double step = std::numeric_limits<double>::infinity();
  for (std::size_t i = 1; i < values.size(); ++i) step = std::min(step, std::abs(values[i] - values[i - 1]));
  for (int decimals = 0; decimals <= maximum; ++decimals) {
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
