#include <fmt/printf.h>
#include <imgui.h>
#include <imgui_internal.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "app/panels/widgets/glyphs.h"
#include "app/panels/widgets/widget_memory.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/text/text_edit.h"
#include "core/base/round_up.h"
#include "core/base/utf8.h"

namespace headscope {
namespace {

/// ImGui's number fields report the number only in the frame of a keystroke; it is kept until the field loses
/// focus. Whether there was a keystroke is kept, too: ImGui reports one when a menu takes the focus.
template <typename T>
constexpr std::size_t ints_in = divide_up(sizeof(T), sizeof(int));

template <typename T>
void keep(ImGuiID id, T value) {
  const auto parts = std::bit_cast<std::array<int, ints_in<T>>>(value);
  for (std::size_t i = 0; i < parts.size(); ++i)
    ImGui::GetStateStorage()->SetInt(id + static_cast<ImGuiID>(i), parts[i]);
}

template <typename T>
T kept(ImGuiID id) {
  std::array<int, ints_in<T>> parts{};
  for (std::size_t i = 0; i < parts.size(); ++i)
    parts[i] = ImGui::GetStateStorage()->GetInt(id + static_cast<ImGuiID>(i));
  return std::bit_cast<T>(parts);
}

template <typename T>
bool take_typed(ImGuiID id, bool edited, T typed, T& value, T low, T high) {
  ImGuiStorage& storage = *ImGui::GetStateStorage();
  const ImGuiID was_edited = id + static_cast<ImGuiID>(ints_in<T>);
  if (ImGui::IsItemActivated()) storage.SetBool(was_edited, false);
  if (edited) {
    keep(id, typed);
    storage.SetBool(was_edited, true);
  }
  if (!ImGui::IsItemDeactivatedAfterEdit() || !storage.GetBool(was_edited)) return false;
  typed = kept<T>(id);
  if (!(typed == typed)) return false;
  typed = std::clamp(typed, low, high);
  const bool changed = typed != value;
  value = typed;
  return changed;
}

}  // namespace

bool typed_int(const char* id, int& value, int low, int high) {
  int typed = value;
  const bool edited = ImGui::InputInt(id, &typed, 0, 0, ImGuiInputTextFlags_AutoSelectAll);
  anchor(id + 3);
  return take_typed(ImGui::GetID(id), edited, typed, value, low, high);
}

bool typed_int_or(const char* zero, const char* id, int& value, int high) {
  std::string text = value > 0 ? std::to_string(value) : std::string();
  const bool edited = ImGui::InputTextWithHint(
      id, zero, &text, ImGuiInputTextFlags_CharsDecimal | ImGuiInputTextFlags_AutoSelectAll);
  anchor(id + 3);
  return take_typed(ImGui::GetID(id), edited, std::atoi(text.c_str()), value, 0, high);
}

bool typed_double(const char* id, double& value, double low, double high, const char* format) {
  double typed = value;
  const bool edited = ImGui::InputDouble(id, &typed, 0, 0, format, ImGuiInputTextFlags_AutoSelectAll);
  anchor(id + 3);
  return take_typed(ImGui::GetID(id), edited, typed, value, low, high);
}

bool typed_seed(const char* id, std::uint64_t& value) {
  std::uint64_t typed = value;
  ImGui::InputScalar(id, ImGuiDataType_U64, &typed, nullptr, nullptr, "%llu",
                     ImGuiInputTextFlags_AutoSelectAll);
  anchor(id + 3);
  const bool changed = typed != value;
  value = typed;
  return changed;
}

namespace {

double number_of(ImGuiDataType type, const void* value) {
  return type == ImGuiDataType_S32     ? *static_cast<const int*>(value)
         : type == ImGuiDataType_Float ? static_cast<double>(*static_cast<const float*>(value))
                                       : *static_cast<const double*>(value);
}

void set_number(ImGuiDataType type, void* value, double number) {
  if (type == ImGuiDataType_S32) *static_cast<int*>(value) = static_cast<int>(std::lround(number));
  if (type == ImGuiDataType_Float) *static_cast<float*>(value) = static_cast<float>(number);
  if (type == ImGuiDataType_Double) *static_cast<double*>(value) = number;
}

/// By one in the last digit that is shown; on a logarithmic scale in the second, if that is more.
double stepped(const SliderRange& range, double number, int by) {
  const double low = number_of(range.type, range.low), high = number_of(range.type, range.high);
  const char* const point = std::strstr(range.format, "%.");
  double unit = range.type == ImGuiDataType_S32 ? 1 : point == nullptr ? low : std::pow(10, '0' - point[2]);
  if ((range.flags & ImGuiSliderFlags_Logarithmic) != 0 && number > 0)
    unit = std::max(unit, std::pow(10, std::floor(std::log10(number) + 1e-9) - 1));
  return std::clamp((std::round(number / unit) + by) * unit, low, high);
}

std::string written(const SliderRange& range, const void* value) {
  const double number = number_of(range.type, value);
  if (range.written != nullptr) return range.written(number);
  return range.type == ImGuiDataType_S32 ? fmt::sprintf(range.format, static_cast<int>(number))
                                         : fmt::sprintf(range.format, number);
}

/// A button at an end of a slider.
bool step_button(const char* id, Icon icon, const SliderRange& range, void* value, int by) {
  const double before = number_of(range.type, value);
  if (icon_button((std::string(id + 3) + (by < 0 ? " fewer" : " more")).c_str(), icon, {}))
    set_number(range.type, value, stepped(range, before, by));
  hear_name(by < 0 ? "−" : "+");
  return number_of(range.type, value) != before;
}

}  // namespace

bool slider(const char* id, const SliderRange& range, void* value, float width) {
  const bool steps = finger_height() > 0;
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x;
  if (width <= 0) width = ImGui::GetContentRegionAvail().x;
  bool changed = steps && step_button(id, Icon::minus, range, value, -1);
  if (steps) {
    ImGui::SameLine(0, gap);
    width -= 2 * (width_of_icon() + gap);
  }
  ImGui::SetNextItemWidth(std::max(1.0F, width));
  const double before = number_of(range.type, value);
  // ImGui writes the number under the knob. Ctrl+click shows it there for typing.
  const bool typed = ImGui::TempInputIsActive(ImGui::GetID(id));
  if (!typed) ImGui::PushStyleColor(ImGuiCol_Text, 0U);
  changed |= ImGui::SliderScalar(id, range.type, value, range.low, range.high, range.format,
                                 ImGuiSliderFlags_AlwaysClamp | range.flags);
  if (!typed) ImGui::PopStyleColor();
  if (listener() != nullptr) {
    const std::string text = written(range, value);  // "": in a field beside it
    hear_value(HeardRole::slider, text.empty() ? fmt::format("{:.4g}", number_of(range.type, value)) : text);
  }
  anchor(range.mark != nullptr ? range.mark : id + 3);
  if (range.help != nullptr) tooltip(range.help);
  // Where it moves along a list, its ends are no numbers of that.
  if (range.written != nullptr && listener() != nullptr)
    hear_help(written(range, range.low) + " – " + written(range, range.high) +
              (range.help != nullptr ? std::string("\n") + range.help : ""));
  if (steps && ImGui::IsItemActive()) widget_memory()->finger.taken = true;
  // ImGui moves the knob to where a finger comes down, also one that is to scroll.
  if (steps && ImGui::IsMouseDown(ImGuiMouseButton_Left) &&
      widget_memory()->finger.way != Finger::Way::across) {
    set_number(range.type, value, before);
    changed = false;
  }
  if (!steps) return changed;
  ImGui::SameLine(0, gap);
  return step_button(id, Icon::plus, range, value, 1) || changed;
}

bool value_slider(const char* id, const SliderRange& range, void* value, float width) {
  const float column = ImGui::GetFontSize() * 2.9F;
  if (width <= 0) width = ImGui::GetContentRegionAvail().x;
  const auto draw_number = [&](float end) {
    const std::string text = written(range, value);
    ImGui::AlignTextToFramePadding();
    const float from = ImGui::GetCursorPosX();
    ImGui::SetCursorPosX(std::max(from, end - ImGui::CalcTextSize(text.c_str()).x));
    const Unheard told_by_the_slider;
    ImGui::TextUnformatted(text.c_str());
  };
  if (finger_height() > 0) {
    // The number ends the line of the label, and the slider has a line of its own.
    width += ImGui::GetCursorPosX() - ImGui::GetCursorStartPos().x;
    draw_number(ImGui::GetCursorStartPos().x + width);
    ImGui::BeginGroup();
    const bool changed = slider(id, range, value, width);
    ImGui::EndGroup();
    return changed;
  }
  ImGui::BeginGroup();
  const bool changed = slider(id, range, value, width - column);
  ImGui::SameLine(0, 0);
  draw_number(ImGui::GetCursorPosX() + column);
  ImGui::EndGroup();
  return changed;
}

bool typed_text(const char* id, std::string& value, const char* empty_hint, ImGuiInputTextFlags flags) {
  constexpr int max_bytes = max_glyphs;
  const std::string before = cut_off(value, max_bytes);
  std::string shown = before;
  const auto cut = [](ImGuiInputTextCallbackData* data) {
    if (data->BufTextLen <= max_bytes) return 0;
    const auto end = static_cast<int>(
        previous_character({data->Buf, static_cast<std::size_t>(data->BufTextLen)}, max_bytes));
    data->DeleteChars(end, data->BufTextLen - end);
    return 0;
  };
  const bool done =
      ImGui::InputTextWithHint(id, empty_hint, &shown, flags | ImGuiInputTextFlags_CallbackEdit, cut);
  if (shown != before) value = std::move(shown);
  return done;
}

}  // namespace headscope
