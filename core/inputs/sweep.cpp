#include "core/inputs/sweep.h"

#include <algorithm>
#include <cmath>
#include <limits>

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
  return names;
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

void set_number(Inputs& inputs, const InputField& field, double value) {
  std::visit(
      [&](auto member) {
        using Value = ValueOf<decltype(member)>;
        if constexpr (is_number_type<Value>) inputs.*member = static_cast<Value>(value);
      },
      field.member);
}

SweepValues sweep_values(const Sweep& sweep, Inputs inputs) {
  SweepValues result;
  const bool whole = is_whole_number(*sweep.field);
  std::vector<double> tried;
  for (int i = 0; i < sweep.frames; ++i) {
    const double value = whole ? std::round(at(sweep, i)) : at(sweep, i);
    if (!tried.empty() && tried.back() == value) continue;
    tried.push_back(value);
    set_number(inputs, *sweep.field, value);
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
                      sweep.field->name, sweep.from, sweep.to, result.values.front());
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
