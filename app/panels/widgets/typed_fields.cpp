#include <fmt/printf.h>
#include <imgui.h>
#include <imgui_internal.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>

#include "app/panels/widgets/glyphs.h"
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

bool value_slider(const char* id, const SliderRange& range, void* value, float width) {
  const float column = ImGui::GetFontSize() * 2.9F;
  if (width <= 0) width = ImGui::GetContentRegionAvail().x;
  ImGui::BeginGroup();
  ImGui::SetNextItemWidth(std::max(1.0F, width - column));
  // ImGui writes the number under the knob. Ctrl+click shows it there for typing.
  const bool typed = ImGui::TempInputIsActive(ImGui::GetID(id));
  if (!typed) ImGui::PushStyleColor(ImGuiCol_Text, 0U);
  const bool changed = ImGui::SliderScalar(id, range.type, value, range.low, range.high, range.format,
                                           ImGuiSliderFlags_AlwaysClamp | range.flags);
  if (!typed) ImGui::PopStyleColor();
  anchor(range.mark != nullptr ? range.mark : id + 3);
  const std::string text =
      range.type == ImGuiDataType_S32     ? fmt::sprintf(range.format, *static_cast<const int*>(value))
      : range.type == ImGuiDataType_Float ? fmt::sprintf(range.format, *static_cast<const float*>(value))
                                          : fmt::sprintf(range.format, *static_cast<const double*>(value));
  ImGui::SameLine(0, 0);
  ImGui::AlignTextToFramePadding();
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(0.0F, column - ImGui::CalcTextSize(text.c_str()).x));
  ImGui::TextUnformatted(text.c_str());
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
