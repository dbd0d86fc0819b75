#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

#include "app/panels/dialogs/dialogs.h"
#include "app/panels/widgets/imgui_calls.h"
#include "app/panels/widgets/theme.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/app.h"
#include "app/state/document/figure_export.h"
#include "core/figure/boards/draw_parts.h"
#include "core/figure/canvas/formats.h"
#include "core/figure/figure_size.h"
#include "core/io/file.h"
#include "core/io/formats.h"

namespace headscope {
namespace {

using What = ExportDialog::What;

constexpr float fields_width = 31;  // multiples of the font size

void what_field(const Translator& tr, ExportDialog& dialog) {
  auto chosen = static_cast<int>(dialog.what);
  label_field(tr("Export"));
  if (choose("export what", {{tr("Figure")}, {tr("Arrays")}, {tr("Table of heads")}}, chosen))
    choose_what_to_export(dialog, static_cast<What>(chosen));
}

void file_field(App& app, Ui& ui) {
  ExportDialog& dialog = app.dialogs.figure;
  label_field(ui.tr("File"), ui.tr("Where to write the file; the extension sets the format."));
  const float browse = ImGui::CalcTextSize("…").x + 4 * ImGui::GetStyle().FramePadding.x;
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - browse - ImGui::GetStyle().ItemInnerSpacing.x);
  if (typed_text("###path", dialog.path)) dialog.ask_overwrite = false;
  anchor("export path");
  ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
  if (ImGui::Button("…###browse", {browse, 0})) browse_for_export(app);
  tooltip(ui.tr("Choose a file"));
}

/// "PNG" for ".png".
std::string format_name(const std::string& ending) {
  if (ending == ".safetensors") return "safetensors";
  std::string name;
  for (const char c : ending.substr(1)) name += static_cast<char>(c - ('a' <= c && c <= 'z' ? 'a' - 'A' : 0));
  return name;
}

void format_field(const Translator& tr, ExportDialog& dialog) {
  const std::vector<std::string> known = export_endings(dialog.what);
  const auto now = std::ranges::find(known, ending(dialog.path));
  int format = now == known.end() ? -1 : static_cast<int>(now - known.begin());
  std::vector<std::string> names;
  for (const std::string& one : known) names.push_back(format_name(one));
  std::vector<Choice> choices;
  for (std::size_t i = 0; i < known.size(); ++i) {
    Choice& choice = choices.emplace_back(Choice{names[i].c_str()});
    if (dialog.what != What::figure) continue;
    const FigureFormatRow& row = figure_formats()[i];
    choice.enabled = row.is_built_in == nullptr || row.is_built_in();
    choice.help = tr(choice.enabled ? row.help : TR("Not in this build; export SVG and print it to a PDF"));
  }
  label_field(tr("Format"));
  if (!choose("format", choices, format)) return;
  std::filesystem::path changed(dialog.path);
  changed.replace_extension(known[format]);
  dialog.path = changed.string();
  dialog.ask_overwrite = false;
}

void size_fields(Workspace& work, ExportDialog& dialog) {
  const Translator& tr = work.tr;
  label_field(tr("Size"));
  auto chosen = static_cast<int>(dialog.size);
  std::vector<Choice> choices{{tr("As on screen"), tr("Same proportions as the view in this window")}};
  for (const FigureSize& size : figure_sizes()) choices.push_back({tr(size.title), tr(size.help)});
  choices.push_back({tr("Custom")});
  choose("size", choices, chosen);
  choose_export_size(dialog, static_cast<ExportDialog::Size>(chosen));
  fit_export_size(work, dialog);
  ImGui::BeginDisabled(dialog.size != ExportDialog::Size::by_hand);
  label_field(tr("Width × height (inches)"));
  const float half = (ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ItemInnerSpacing.x) / 2;
  ImGui::SetNextItemWidth(half);
  typed_double("###width", dialog.width, 1, 100, "%.2f");
  ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
  ImGui::SetNextItemWidth(half);
  typed_double("###height", dialog.height, 1, 100, "%.2f");
  ImGui::EndDisabled();
  label_field(tr("Resolution (dpi)"), tr("For PNG, and for large maps embedded as images in SVG and PDF"));
  typed_double("###dpi", dialog.dpi, 10, 1200, "%.0f");
}

void title_field(Ui& ui) {
  View& view = ui.state.view;
  label_field(ui.tr("Title"));
  ImGui::Checkbox("###show title", &view.show_title);
  anchor("show title");
  tooltip(ui.tr("Show a title in the figure"));
  ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
  ImGui::SetNextItemWidth(-FLT_MIN);
  ImGui::BeginDisabled(!view.show_title);
  typed_text("###title", view.title, ui.tr("automatic title"));
  anchor("title");
  ImGui::EndDisabled();
}

void font_field(Ui& ui, ExportDialog& dialog) {
  label_field(ui.tr("Font"), ui.tr("Fonts for papers that are installed here; the command line takes any."));
  ImGui::SetNextItemWidth(-FLT_MIN);
  const char* const usual = ui.tr("Sans-serif");
  const bool open = ImGui::BeginCombo("###font", dialog.font.empty() ? usual : dialog.font.c_str());
  anchor("export font");
  if (!open) return;
  if (ImGui::Selectable(usual, dialog.font.empty())) dialog.font.clear();
  for (const std::string& family : dialog.fonts)
    if (ImGui::Selectable(family.c_str(), family == dialog.font)) dialog.font = family;
  ImGui::EndCombo();
}

/// On the line of the switch before it if both fit, which keeps the dialog small.
void check_beside(const char* name, const char* text, bool& on, const char* help) {
  next_in_line(ImGui::GetFrameHeight() + ImGui::GetStyle().ItemInnerSpacing.x + ImGui::CalcTextSize(text).x);
  check(name, text, on, help);
}

void figure_fields(Workspace& work, Ui& ui, ExportDialog& dialog) {
  size_fields(work, dialog);
  font_field(ui, dialog);
  int language = static_cast<int>(dialog.language);
  label_field(ui.tr("Language"));
  std::vector<Choice> names;
  for (const LanguageRow& row : languages()) names.push_back({row.name});
  if (choose("language", names, language)) dialog.language = static_cast<Language>(language);
  title_field(ui);
  check("tight", ui.tr("Tight margins"), dialog.tight,
        ui.tr("Cuts the page to what is drawn, with a small margin."));
  check_beside("letters", ui.tr("Letters (a), (b)"), dialog.extras.letters,
               ui.tr("Before the titles of several maps."));
  if (!ui.scene->marks.empty())
    check_beside("marks", ui.tr("Marks"), dialog.extras.marks,
                 ui.tr("The boxes and arrows that were added to maps."));
  if (has_effect(*ui.scene))
    check_beside("effect", ui.tr("Effect on the prediction"), dialog.extras.effect,
                 ui.tr("Below the maps, the probabilities that A and B give the next token."));
  // The next switch goes on the same line if both fit, which keeps the dialog small.
  const ImGuiStyle& style = ImGui::GetStyle();
  const char* next = ui.tr("Keep the session in the file");
  next_in_line(ImGui::GetFrameHeight() + style.ItemInnerSpacing.x + ImGui::CalcTextSize(next).x);
}

void data_fields(const Ui& ui, ExportDialog& dialog) {
  if (ui.block->layer_count() < 2) return;
  int one = dialog.one_layer ? 1 : 0;
  label_field(ui.tr("Layers"));
  choose("export layers", {{ui.tr("All")}, {ui.tr("Layer in view")}}, one);
  dialog.one_layer = one == 1;
}

void session_field(const Translator& tr, ExportDialog& dialog) {
  if (dialog.what == What::heads) return;
  ImGui::BeginDisabled(ending(dialog.path) == ".csv");
  check("keep session", tr("Keep the session in the file"), dialog.keep_session,
        tr("With it the file can be opened again here. Without it the file holds nothing of the sentence but "
           "its tokens as labels."));
  ImGui::EndDisabled();
}

const char* explanation(const Ui& ui, What what) {
  const ViewKind kind = ui.state.view.kind;
  if (what == What::arrays && has_own_arrays(kind, ui.inputs))
    return view_kind(kind).changes_runs ? TR("The numbers of this view, with the question.")
                                        : TR("The numbers of this view.");
  return what == What::arrays  ? TR("All tokens and heads, whatever the view hides.")
         : what == What::heads ? TR("The numbers of all heads, in the order of the view.")
                               : TR("Heads, colours, ranges, layout and theme are as on screen.");
}

/// Always takes one line, so that nothing below it moves.
void message(Ui& ui, const ExportDialog& dialog) {
  const Translator& tr = ui.tr;
  const float width = ImGui::GetContentRegionAvail().x;
  const bool empty = dialog.path.empty();
  const std::string problem = empty ? tr("the output file name is empty; expected a path") : dialog.problem;
  if (!problem.empty()) {
    error_text(ui.style, fit_text(problem, width));
    tooltip(problem);
  } else if (dialog.ask_overwrite) {
    warning_text(ui.style, tr("This file already exists."));
  } else if (dialog.running.started()) {
    const WorkProgress* progress = dialog.running.progress();
    const WorkProgress::Now now = progress == nullptr ? WorkProgress::Now{} : progress->now();
    const std::string left =
        now.seconds_left > 1 ? "  ·  " + tr("about {} s left", std::lround(now.seconds_left)) : "";
    hint(ui.style, tr("Writing…") + left);
  } else {
    const std::string found = dialog.what == What::figure ? findings_text(tr, dialog.findings) : "";
    if (found.empty())
      muted_text(ui.style, fit_text(tr(explanation(ui, dialog.what)), width));
    else
      warning_text(ui.style, fit_text(found, width));
  }
}

void buttons(Workspace& work, Ui& ui, ExportDialog& dialog) {
  const Translator& tr = ui.tr;
  const bool possible = !dialog.running.started() && !dialog.path.empty() && !ui.stale;
  bool start = false;
  if (dialog.running.started()) {
    if (dialog_button(tr("Stop"), "export stop")) dialog.running.stop();
  } else {
    ImGui::BeginDisabled(!possible);
    start = dialog_button(dialog.ask_overwrite ? tr("Overwrite") : tr("Export"), "export start");
    ImGui::EndDisabled();
  }
  ImGui::SameLine();
  if (dialog_button(tr("Cancel"), "export cancel")) dialog.open = false;
  // Enter presses the button wherever the focus is, except for the Enter that opened the dialog.
  const bool enter = key_pressed(Key::enter) || key_pressed(Key::keypad_enter);
  start = start || (enter && possible && !ImGui::IsItemFocused() && !ImGui::IsWindowAppearing());
  if (start && dialog.open) start_export(work, dialog);
}

/// The size in inches, and below it in pixels if the figure contains any.
std::array<std::string, 2> size_texts(const Translator& tr, const ExportDialog& dialog,
                                      const FigurePreview& preview) {
  const auto inches = [](double value) { return fmt::format("{:.2f}", value); };
  const auto pixels = [&](double value) { return std::lround(value * dialog.dpi); };
  const FigureFormatRow* const format = find_format(figure_formats(), dialog.path);
  return {tr("{} × {} inches", inches(preview.width), inches(preview.height)),
          format == nullptr || !format->pixels
              ? ""
              : tr("{} × {} pixels", pixels(preview.width), pixels(preview.height))};
}

void draw_page(Ui& ui, const FigurePreview& preview, ImVec2 from, ImVec2 room) {
  const ImVec2 scale = ImGui::GetIO().DisplayFramebufferScale;
  const Picture& picture = *preview.picture;
  const float width = static_cast<float>(picture.width) / std::max(scale.x, 0.1F),
              height = static_cast<float>(picture.height) / std::max(scale.y, 0.1F);
  // A preview made for another size is scaled down until the right one is ready.
  const float share = std::min({1.0F, room.x / width, room.y / height});
  const ImVec2 low{std::floor(from.x + (room.x - share * width) / 2),
                   std::floor(from.y + (room.y - share * height) / 2)};
  const ImVec2 high{low.x + share * width, low.y + share * height};
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImU32 edge = palette(ui.style.theme).muted;
  list.AddRectFilled({low.x + 2, low.y + 2}, {high.x + 3, high.y + 3}, IM_COL32(0, 0, 0, 60));
  if (const ImTextureID texture = ui.painter.picture(PainterSlots::page, preview.picture))
    list.AddImage(texture, low, high);
  list.AddRect({low.x - 1, low.y - 1}, {high.x + 1, high.y + 1}, edge);
  note_place("export page", low, high);
}

/// The figure to be exported, on its page, with its size below.
void draw_figure_preview(Workspace& work, Ui& ui, ExportDialog& dialog, ImVec2 size) {
  const float lines = 2 * ImGui::GetTextLineHeightWithSpacing(), edge = 4;
  const ImVec2 scale = ImGui::GetIO().DisplayFramebufferScale, from = ImGui::GetCursorScreenPos();
  const ImVec2 room{size.x - 2 * edge, size.y - lines - 2 * edge};
  const auto preview = room.x < 1 || room.y < 1
                           ? nullptr
                           : export_preview(work, dialog, static_cast<int>(room.x * scale.x),
                                            static_cast<int>(room.y * scale.y));
  if (preview) draw_page(ui, *preview, {from.x + edge, from.y + edge}, room);
  ImGui::Dummy({size.x, size.y - lines});
  anchor("export preview");
  if (!preview) return;
  for (const std::string& text : size_texts(ui.tr, dialog, *preview)) {
    const std::string fitting = fit_text(text, size.x);
    const float space = (size.x - ImGui::CalcTextSize(fitting.c_str()).x) / 2;
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(0.0F, space));
    muted_text(ui.style, fitting);
  }
}

/// The fields, with the figure next to them if it fits.
void parts(App& app, Ui& ui) {
  ExportDialog& dialog = app.dialogs.figure;
  const float font = ImGui::GetFontSize(), room = ImGui::GetContentRegionAvail().x;
  const float narrow = std::min(fields_width * font, std::max(26 * font, 0.56F * room));
  // The space is reserved even without a figure: the fields stay under the pointer.
  const float picture = room - narrow - font;
  const bool beside = picture >= 8 * font;
  if (!ImGui::BeginTable("parts", beside ? 2 : 1)) return;
  ImGui::TableSetupColumn("fields", ImGuiTableColumnFlags_WidthStretch);
  if (beside) ImGui::TableSetupColumn("preview", ImGuiTableColumnFlags_WidthFixed, picture);
  ImGui::TableNextColumn();
  const float top = ImGui::GetCursorPosY();
  what_field(ui.tr, dialog);
  file_field(app, ui);
  format_field(ui.tr, dialog);
  if (dialog.what == What::figure)
    figure_fields(app, ui, dialog);
  else
    data_fields(ui, dialog);
  session_field(ui.tr, dialog);
  const float height = ImGui::GetCursorPosY() - top - ImGui::GetStyle().ItemSpacing.y;
  if (beside && dialog.what == What::figure) {
    ImGui::TableNextColumn();
    draw_figure_preview(app, ui, dialog, {picture, height});
  }
  ImGui::EndTable();
}

/// In a window that is too low the fields scroll and what is below them stays visible.
void scrolled_parts(App& app, Ui& ui) {
  const ImGuiStyle& style = ImGui::GetStyle();
  const float below = ImGui::GetTextLineHeightWithSpacing() + ImGui::GetFrameHeightWithSpacing() +
                      style.ItemSpacing.y + style.WindowPadding.y;
  const float maximum = ImGui::GetMainViewport()->Size.y * 0.92F - ImGui::GetCursorPosY() - below;
  float& height = *ImGui::GetStateStorage()->GetFloatRef(ImGui::GetID("height"));
  const bool scrolls = height > maximum;
  if (scrolls)
    ImGui::BeginChild("fields", {0, std::max(1.0F, maximum)}, false, ImGuiWindowFlags_NavFlattened);
  const float top = ImGui::GetCursorPosY();
  parts(app, ui);
  height = ImGui::GetCursorPosY() - top;
  if (scrolls) ImGui::EndChild();
}

}  // namespace

void draw_export_dialog(App& app, Ui& ui) {
  ExportDialog& dialog = app.dialogs.figure;
  constexpr float preview_width = 31;
  // Same width for files without a preview: the choice stays under the pointer.
  if (!begin_dialog("export", ui.tr("Export"), dialog.open, fields_width + preview_width)) return;
  scrolled_parts(app, ui);
  message(ui, dialog);
  buttons(app, ui, dialog);
  if (key_pressed(Key::escape)) dialog.open = false;
  if (!dialog.open) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
}

}  // namespace headscope
