#include "app/panels/inputs/source_bar.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "app/panels/inputs/controls.h"
#include "app/panels/widgets/glyphs.h"
#include "app/panels/widgets/imgui_calls.h"
#include "app/panels/widgets/theme.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/app.h"
#include "app/state/document/adjust.h"
#include "app/state/document/document.h"
#include "app/state/document/open_model.h"
#include "app/state/document/side_texts.h"
#include "app/state/text/source_card.h"
#include "app/state/view/navigation.h"
#include "core/scene/readable_numbers.h"
#include "core/scene/source_title.h"
#include "core/scene/view_kinds.h"
#include "core/source/source.h"

namespace headscope {

namespace {

/// A path without folders in its middle: "/home/…/models/gpt2".
std::string fit_path(const std::string& path, float width) {
  const auto fits = [width](const std::string& text) { return ImGui::CalcTextSize(text.c_str()).x <= width; };
  if (fits(path)) return path;
  const std::size_t first = path.find('/', 1);
  for (std::size_t at = first; at != std::string::npos; at = path.find('/', at + 1))
    for (const std::string& front : {path.substr(0, first), std::string()})
      if (const std::string text = front + (front.empty() ? "…" : "/…") + path.substr(at); fits(text))
        return text;
  return fit_text(std::filesystem::path(path).filename().string(), width);
}

void draw_lines(const Ui& ui, const std::vector<SourceCard::Line>& lines) {
  const float room = ImGui::GetContentRegionAvail().x, gap = ui.style.font_size * 0.6F;
  float labels = 0;
  for (const SourceCard::Line& line : lines)
    labels = std::max(labels, ImGui::CalcTextSize(line.label.c_str()).x);
  labels = std::min(labels, room * 0.5F);
  for (const SourceCard::Line& line : lines) {
    ImGui::BeginGroup();
    muted_text(ui.style, fit_text(line.label, labels));
    ImGui::SameLine(labels + gap);
    wrapped_text(line.value, room - labels - gap);
    ImGui::EndGroup();
    anchor(std::string("card ") + line.mark);
    tooltip(line.help);
  }
}

void draw_name(const Ui& ui, const SourceCard& card) {
  ImGui::PushFont(nullptr, ui.style.large);
  wrapped_text(drawn_text(card.name));
  ImGui::PopFont();
  anchor("card name");
}

/// Properties, and the path, which a click copies.
void draw_facts(const Ui& ui, const SourceCard& card) {
  draw_lines(ui, card.lines);
  const std::string path = drawn_text(card.path);
  const float width = ImGui::GetContentRegionAvail().x;
  const std::string shown = fit_path(path, width - 2 * ImGui::GetStyle().FramePadding.x);
  if (button(shown, "card path", path + "\n" + ui.tr("Click to copy"), width))
    ImGui::SetClipboardText(card.path.c_str());
}

/// The second sentence of a pair, for a model that reads one.
void pair_switch(Ui& ui, const Trace& trace) {
  bool pair = ui.inputs.key_sentence.has_value();
  if (!pair && !trace.about().reads_pairs) return;
  if (check("Second sentence (cross-attention)", ui.tr("Second sentence (a pair)"), pair,
            ui.tr("Both sentences are read together, with the model's separators and token types.")))
    set_cross(ui.inputs, pair);
}

/// What the decoder of an encoder–decoder reads: its own output, or a text.
void target_switch(Ui& ui, const Trace& trace) {
  bool own = ui.inputs.target.has_value();
  if (!own && !trace.about().reads_target) return;
  if (check("target", ui.tr("Target text of your own"), own,
            ui.tr("What the decoder reads after its start token; else it reads what it generates.")))
    set_target(ui.inputs, own, trace);
}

/// The language of the sentence, or the one to translate to, of a translator of many.
void choose_language(Ui& ui, const char* id, const char* label, const std::vector<std::string>& languages,
                     std::string& chosen) {
  framed_text(label);
  ImGui::SameLine();
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
  std::vector<std::string> rows{""};  // as the model says
  rows.insert(rows.end(), languages.begin(), languages.end());
  const auto text = [&](const std::string& row) {
    return row.empty() ? ui.tr("As the model says") : row.c_str();
  };
  const std::string* const taken = choose_row(
      id, text(chosen), rows, [&](const std::string& row) { return row == chosen; },
      [&](const std::string& row) { return Choice{text(row)}; });
  if (taken != nullptr) chosen = *taken;
}

void language_choices(Ui& ui, const std::vector<std::string>& known) {
  if (known.empty()) return;
  choose_language(ui, "source language", ui.tr("Source language"), known, ui.inputs.source_language);
  choose_language(ui, "target language", ui.tr("Target language"), known, ui.inputs.target_language);
}

}  // namespace

void draw_opening(Workspace& work) {
  if (!work.opening.busy()) return;
  const LoadProgress& progress = work.opening.progress();
  const float em = ImGui::GetFontSize();
  ImGui::AlignTextToFramePadding();
  ImGui::Dummy({em * 0.3F, 0});
  ImGui::SameLine();
  const std::string name = model_name(work.opening.folder());
  const std::string text = work.tr("Opening {}…", drawn_text(name));
  const float cancel = ImGui::CalcTextSize(work.tr("Cancel")).x + 2 * ImGui::GetStyle().FramePadding.x + em;
  ImGui::TextUnformatted(
      fit_text(text, std::max(em * 4, ImGui::GetContentRegionAvail().x - cancel - em * 14)).c_str());
  ImGui::SameLine();
  const std::string sizes = progress.total > 0
                                ? fmt::format("{} / {}", size_text(progress.done), size_text(progress.total))
                                : std::string();
  ImGui::ProgressBar(static_cast<float>(progress.share()),
                     {std::max(em * 4, ImGui::GetContentRegionAvail().x - cancel), 0}, sizes.c_str());
  anchor("opening");
  tooltip(work.tr("The weights stay in their files and are mapped; each number is looked at once."));
  ImGui::SameLine();
  if (button(work.tr("Cancel"), "cancel opening")) work.opening.cancel();
}

void draw_waiting(Workspace& work, const Ui& ui) {
  const bool opens = work.opening.busy();
  const std::string text =
      opens ? ui.tr("Opening {}…", drawn_text(model_name(work.opening.folder()))) : waiting_text(ui);
  const ImVec2 from = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  const float em = ui.style.font_size, width = std::min(room.x * 0.8F, em * 24);
  ImGui::SetCursorScreenPos({from.x + (room.x - width) / 2, from.y + room.y * 0.35F});
  ImGui::BeginGroup();
  ImGui::PushFont(nullptr, ui.style.large);
  colored_text(palette(ui.style.theme).muted, text, width + 1);
  ImGui::PopFont();
  if (ui.error.empty()) {
    const LoadProgress& progress = work.opening.progress();
    // The progress of a run is unknown: a part of the bar moves to and fro.
    const float moving = std::abs(std::fmod(static_cast<float>(ImGui::GetTime()) * 0.7F, 2.0F) - 1);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float height = em * 0.7F;
    const float begin = opens ? 0 : moving * 0.8F;
    const float end = opens ? static_cast<float>(progress.share()) : begin + 0.2F;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(at, {at.x + width, at.y + height}, palette(ui.style.theme).accent_soft, height / 2);
    list.AddRectFilled({at.x + width * begin, at.y}, {at.x + width * end, at.y + height},
                       palette(ui.style.theme).accent, height / 2);
    ImGui::Dummy({width, height});
  }
  ImGui::EndGroup();
  anchor("waiting");
}

namespace {

/// The card of the edited inputs' model; its trace if it has been run.
struct OpenedCard {
  OpenedCard(Workspace& work, const Ui& ui) : trace(*work.trace(work.edited_side())) {
    run = !waits_for_model(ui) && trace.inputs.model == ui.inputs.model;
    card = model_card(ui.tr, ui.inputs, ui.model.get(), run ? &trace : nullptr);
  }
  const Trace& trace;
  bool run;
  SourceCard card;
};

}  // namespace

void draw_model_card(Workspace& work, Ui& ui) {
  const OpenedCard of(work, ui);
  draw_name(ui, of.card);
  // "gpt2 · GPT-2 · 12 layers × 12 heads" without the name
  const std::string title = of.run ? source_title(ui.tr, of.trace) : std::string();
  if (const std::size_t dot = title.find(" · "); dot != std::string::npos)
    hint(ui.style, title.substr(dot + 4));
  anchor("card summary");
  if (!of.run) return;
  if (!of.card.notes.empty()) {
    warning_text(ui.style, drawn_text(of.card.notes));
    anchor("card notes");
  }
  pair_switch(ui, of.trace);
  language_choices(ui, of.trace.about().languages);
  target_switch(ui, of.trace);
}

void draw_model_facts(Workspace& work, Ui& ui) {
  draw_facts(ui, OpenedCard(work, ui).card);
}

void draw_capture_card(Workspace& work, Ui& ui) {
  const Trace& trace = *work.trace(work.edited_side());
  const bool run = trace.inputs.capture == ui.inputs.capture;
  const SourceCard card = capture_card(ui.tr, ui.inputs, run ? &trace : nullptr);
  draw_name(ui, card);
  draw_facts(ui, card);
  if (!card.notes.empty()) {
    framed_text(ui.tr("Some of it is assumed"));
    info_after("assumed", drawn_text(card.notes));
  }
  framed_text(
      fit_text(ui.tr("Weights from elsewhere"), ImGui::GetContentRegionAvail().x - ImGui::GetFrameHeight()));
  info_after(
      "capture",
      ui.tr("The weights of a capture were computed elsewhere: layer, mask, softmax and projections do "
            "not change them. “Restore notebook defaults” leads back to a layer from a seed."));
}

void locate_button(App& app, const Inputs& lost, const char* mark) {
  if (button(app.tr("Locate…"), mark,
             lost.about().computes
                 ? app.tr("Says where the model's folder is now; the session keeps all else.")
                 : app.tr("Says where the capture's file is now; the session keeps all else.")))
    command_locate_source(app);
}

}  // namespace headscope
