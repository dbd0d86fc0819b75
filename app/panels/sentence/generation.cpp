#include <fmt/format.h>

#include <algorithm>

#include "app/panels/sentence/sentence.h"
#include "app/panels/sentence/translation_line.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/actions/continue_text.h"
#include "app/state/workspace.h"

namespace headscope {

void draw_generation(Workspace& work, Ui& ui) {
  if (draw_translation(work, ui) || !can_generate(work)) return;
  const bool running = work.generation.running();
  GenerationSettings& settings = work.generation.settings;
  const std::string label = running ? ui.tr("Stop") : ui.tr("Continue text");
  const std::string why_not = running ? std::string() : cannot_continue(work);
  if (!why_not.empty() && is_low_window()) return;
  ImGui::BeginDisabled(!why_not.empty());
  // What is next to it does not move.
  const float width =
      std::max(ImGui::CalcTextSize(ui.tr("Stop")).x, ImGui::CalcTextSize(ui.tr("Continue text")).x) +
      2 * ImGui::GetStyle().FramePadding.x;
  if (ImGui::Button((label + "###generate").c_str(), {width, 0})) toggle_generation(work);
  ImGui::EndDisabled();
  anchor("generate");
  tooltip(why_not.empty() ? ui.tr("Lets the model go on with the text, a token at a time") : why_not);
  ImGui::SameLine();
  if (icon_button("sampling", Icon::more, ui.tr("How the next tokens are chosen")))
    ImGui::OpenPopup("sampling");
  anchor("sampling");
  ImGui::SameLine();
  const std::string how =
      settings.draws ? ui.tr("drawn at temperature {}", fmt::format("{:.2g}", settings.sampling.temperature))
                     : std::string(ui.tr("always the likeliest token"));
  // The reason is shown, not only in a tooltip.
  muted_text(
      ui.style,
      fit_text(why_not.empty()
                   ? how + " · " + ui.tr.plural("at most {} token", "at most {} tokens", settings.max_tokens)
                   : why_not,
               ImGui::GetContentRegionAvail().x));
  if (!ImGui::BeginPopup("sampling")) return;
  ImGui::BeginDisabled(running);
  int draws = settings.draws ? 1 : 0;
  if (choose("draws", {{ui.tr("Likeliest")}, {ui.tr("Drawn")}}, draws)) settings.draws = draws == 1;
  const auto field = [&](const char* text) {
    framed_text(text);
    ImGui::SameLine(ui.style.font_size * 8);
    ImGui::SetNextItemWidth(ui.style.font_size * 6);
  };
  field(ui.tr("Tokens"));
  typed_int("###max tokens", settings.max_tokens, 1, Limits::max_window_tokens);
  ImGui::BeginDisabled(!settings.draws);
  field(ui.tr("Temperature"));
  typed_double("###sample temperature", settings.sampling.temperature, Limits::min_temperature,
               Limits::max_temperature, "%.3g");
  field(ui.tr("Top k"));
  int top_k = static_cast<int>(settings.sampling.top_k);
  if (typed_int("###top k", top_k, 0, 1 << 24)) settings.sampling.top_k = top_k;
  tooltip(ui.tr("Sample only from this many of the likeliest tokens; 0 means all."));
  field(ui.tr("Top p"));
  typed_double("###top p", settings.sampling.top_p, 0, 1, "%.3g");
  tooltip(ui.tr("Draw among the likeliest tokens that together reach this probability."));
  field(ui.tr("Seed"));
  typed_seed("###sample seed", settings.seed);
  ImGui::EndDisabled();
  ImGui::EndDisabled();
  ImGui::EndPopup();
}

}  // namespace headscope
