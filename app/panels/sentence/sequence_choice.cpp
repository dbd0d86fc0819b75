#include "app/panels/sentence/sequence_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "app/panels/widgets/glyphs.h"
#include "app/panels/widgets/imgui_calls.h"
#include "app/panels/widgets/theme.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/workspace.h"
#include "core/base/utf8.h"
#include "core/source/capture/capture.h"
#include "core/source/source.h"

namespace headscope {
namespace {

/// "2: the cat sat on mats".
std::string sequence_title(const Capture& capture, int index) {
  constexpr std::size_t longest = 90;
  const Capture::Sequence& sequence = capture.sequences()[index];
  const auto& tokens =
      sequence.tokens.empty() && sequence.target_tokens ? *sequence.target_tokens : sequence.tokens;
  std::string text;
  for (const Token& token : tokens) {
    if (text.size() > longest) break;
    text += (text.empty() ? "" : " ") + shown_token(token.text);
  }
  return fmt::format("{}: {}", index + 1, drawn_text(cut_off(text, longest)));
}

void draw_list(const Capture& capture, Inputs& inputs) {
  const int count = static_cast<int>(capture.sequences().size());
  draw_seen_rows(count, [&](int i) {
    ImGui::PushID(i);
    const bool clicked = list_line(sequence_title(capture, i).c_str(), i == inputs.sequence);
    const bool entered = ImGui::IsItemFocused() && key_pressed(Key::enter);
    if (clicked || entered) inputs.sequence = i;
    if (entered) ImGui::CloseCurrentPopup();
    anchor(fmt::format("sequence {}", i));
    ImGui::PopID();
  });
}

}  // namespace

void draw_sequence_choice(Workspace& work, Ui& ui, Side side) {
  Inputs& inputs = work.of(side);
  const Trace& trace = *work.trace(side);
  const Capture* const shown = trace.about().capture;
  const bool known = shown != nullptr && trace.inputs.capture == inputs.capture;
  const std::string file = drawn_text(std::filesystem::path(inputs.capture).filename().string());
  const std::string name =
      known && !shown->model().empty() ? drawn_text(shown->model()) + " · " + file : file;
  ImGui::AlignTextToFramePadding();
  const float room = ImGui::GetContentRegionAvail().x;
  muted_text(ui.style, fit_text(name, room * 0.4F));
  tooltip(ui.tr("Attention that was computed elsewhere; the text is the capture's own.") +
          ("\n" + drawn_text(inputs.capture)));
  anchor(side_prefix(side) + "capture");
  if (!known) return;
  const Capture& capture = *shown;
  const int count = static_cast<int>(capture.sequences().size());
  ImGui::SameLine();
  ImGui::SetNextItemWidth(-FLT_MIN);
  const std::string now = sequence_title(capture, std::min(inputs.sequence, count - 1));
  ImGui::BeginDisabled(count < 2);
  if (begin_list("###sequence", now.c_str())) {
    draw_list(capture, inputs);
    ImGui::EndCombo();
  }
  ImGui::EndDisabled();
  anchor(side_prefix(side) + "sequence");
  tooltip(count < 2 ? std::string(ui.tr("This capture holds one sequence."))
                    : ui.tr.plural("Which of {} sequence is shown", "Which of {} sequences is shown", count,
                                   count));
  for (const BlockTrace& block : trace.blocks)
    if (const auto warning = block.maps ? block.maps->warning() : std::nullopt) {
      colored_line(palette(ui.style.theme).error,
                   fit_text(ui.tr(*warning), ImGui::GetContentRegionAvail().x));
      tooltip(ui.tr(*warning));
      anchor("doubt");
      break;
    }
}

}  // namespace headscope
