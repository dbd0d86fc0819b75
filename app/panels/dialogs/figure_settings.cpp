#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "app/panels/dialogs/figure_page.h"
#include "app/panels/map/map_pointer.h"
#include "app/panels/widgets/imgui_calls.h"
#include "app/panels/widgets/theme.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/app.h"
#include "app/state/document/figure_export.h"
#include "core/figure/boards/draw_parts.h"
#include "core/figure/canvas/formats.h"
#include "core/figure/figure_size.h"
#include "core/io/formats.h"

namespace headscope {
namespace {

using What = ExportDialog::What;

void what_field(const Translator& tr, ExportDialog& dialog) {
  auto chosen = static_cast<int>(dialog.what);
  if (choose("export what", {{tr("Figure")}, {tr("Arrays")}, {tr("Table of heads")}}, chosen))
    choose_what_to_export(dialog, static_cast<What>(chosen));
}

/// "85 mm", "13.3 × 7.5 in".
std::string size_text(const Translator& tr, const FigureSize& size) {
  if (size.as_on_screen) return "";
  if (!size.height) return tr("{} mm", fmt::format("{:.4g}", size.width * mm_per_inch));
  return tr("{} × {} in", fmt::format("{:.3g}", size.width), fmt::format("{:.3g}", *size.height));
}

/// A line of the list of sizes, with what it measures at its end.
bool size_line(const Ui& ui, const char* title, const std::string& measure, bool on,
               const std::string& mark) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, room = ImGui::CalcTextSize(measure.c_str()).x;
  const bool clicked = choice_line({title}, on, mark);
  if (room > 0 && ImGui::CalcTextSize(title).x + room + ImGui::GetFontSize() < width)
    ImGui::GetWindowDrawList()->AddText({at.x + width - room, at.y}, palette(ui.style.theme).muted,
                                        measure.c_str());
  return clicked;
}

void custom_fields(const Translator& tr, ExportDialog& dialog) {
  constexpr double low = FigureLimits::min_inches * mm_per_inch,
                   high = FigureLimits::max_inches * mm_per_inch;
  double width = dialog.width * mm_per_inch, height = dialog.typed_height * mm_per_inch;
  label_field(tr("Width (mm)"));
  ImGui::SetNextItemWidth(-FLT_MIN);
  if (typed_double("###width", width, low, high, "%.1f")) dialog.width = width / mm_per_inch;
  label_field(tr("Height (mm)"), tr("0: as high as the figure needs"));
  ImGui::SetNextItemWidth(-FLT_MIN);
  if (typed_double("###height", height, 0, high, "%.1f"))
    dialog.typed_height = height < low ? 0 : height / mm_per_inch;
}

/// On a phone they open.
void list_of_sizes(const Translator& tr, ExportDialog& dialog) {
  const auto sizes = figure_sizes();
  std::vector<std::string> texts;
  int chosen = static_cast<int>(std::size(sizes));
  for (const FigureSize& size : sizes) {
    if (dialog.size == &size) chosen = static_cast<int>(texts.size());
    const std::string measure = size_text(tr, size);
    texts.push_back(tr(size.title) + (measure.empty() ? "" : "  ·  " + measure));
  }
  texts.emplace_back(tr("Custom"));
  std::vector<Choice> choices;
  for (const std::string& text : texts) choices.push_back({text.c_str()});
  label_field(tr("For"));
  ImGui::SetNextItemWidth(-FLT_MIN);
  if (choose_in_field("size", choices, chosen, choices[chosen].text))
    choose_export_size(dialog, chosen < std::ssize(sizes) ? &sizes[chosen] : nullptr);
  if (dialog.size == nullptr) custom_fields(tr, dialog);
}

void size_fields(Workspace& work, const Ui& ui, ExportDialog& dialog) {
  const Translator& tr = ui.tr;
  if (ui.style.finger > 0) {
    list_of_sizes(tr, dialog);
    return fit_export_size(work, dialog);
  }
  muted_text(ui.style, tr("For"));
  std::size_t i = 0;
  for (const FigureSize& size : figure_sizes()) {
    if (size_line(ui, tr(size.title), size_text(tr, size), dialog.size == &size, fmt::format("size {}", i++)))
      choose_export_size(dialog, &size);
    tooltip(tr(size.help));
  }
  if (size_line(ui, tr("Custom"), "", dialog.size == nullptr, fmt::format("size {}", i)))
    choose_export_size(dialog, nullptr);
  if (dialog.size == nullptr) custom_fields(tr, dialog);
  fit_export_size(work, dialog);
}

void file_field(App& app, const Ui& ui) {
  ExportDialog& dialog = app.dialogs.figure;
  label_field(ui.tr("File"), ui.tr("Where to write the file; the extension sets the format."));
  // A browser has one folder for what it downloads, and asks where to write it, if at all.
  const bool chooses = !app.desktop.page_address;
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x;
  const float browse = chooses ? ImGui::CalcTextSize("…").x + 4 * ImGui::GetStyle().FramePadding.x + gap : 0;
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - browse);
  if (typed_text("###path", dialog.path)) dialog.ask_overwrite = false;
  anchor("export path");
  if (!chooses) return;
  ImGui::SameLine(0, gap);
  if (ImGui::Button("…###browse", {browse - gap, 0})) browse_for_export(app);
  anchor("export browse");
  tooltip(ui.tr("Choose a file"));
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

void text_fields(const Translator& tr, ExportDialog& dialog) {
  const bool as_on_screen = dialog.size != nullptr && dialog.size->as_on_screen;
  ImGui::BeginDisabled(as_on_screen);
  label_field(tr("Text (pt)"), tr("Size of labels; the rest of the text scales with it"));
  ImGui::SetNextItemWidth(-FLT_MIN);
  typed_double("###text size", dialog.font_size, FigureLimits::min_text, FigureLimits::max_text, "%.1f");
  ImGui::EndDisabled();
  const FigureFormatRow* const format = find_format(figure_formats(), dialog.path);
  ImGui::BeginDisabled(format == nullptr || !format->pixels);
  label_field(tr("Resolution (dpi)"), tr("Of PNG"));
  ImGui::SetNextItemWidth(-FLT_MIN);
  typed_double("###dpi", dialog.dpi, FigureLimits::min_dpi, FigureLimits::max_dpi, "%.0f");
  ImGui::EndDisabled();
}

void title_field(Ui& ui, ExportDialog& dialog, const View& drawn) {
  bool shown = drawn.show_title;
  label_field(ui.tr("Title"));
  if (choice_mark("###show title", shown, true)) {
    shown = !shown;
    dialog.look.titled = ui.state.view.show_title = shown;
  }
  anchor("show title");
  tooltip(ui.tr("Show a title in the figure"));
  ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
  ImGui::SetNextItemWidth(-FLT_MIN);
  ImGui::BeginDisabled(!shown);
  typed_text("###title", ui.state.view.title, ui.tr("automatic title"));
  anchor("title");
  ImGui::EndDisabled();
}

/// One bar for all heads, or one for each.
void bar_field(const Ui& ui, ExportDialog& dialog, const View& drawn) {
  if (drawn.row().cells != CellsAs::maps) return;
  int chosen = is_per_head(drawn.range.kind) ? 1 : 0;
  label_field(ui.tr("Colour bar"));
  if (!choose("export bar", {{ui.tr("One, shared")}, {ui.tr("Per head")}}, chosen)) return;
  const Range own = ui.view().range.kind;
  dialog.look.range =
      chosen == 0 ? (is_per_head(own) ? Range::shared : own) : (is_per_head(own) ? own : Range::head);
}

void colormap_field(const Translator& tr, ExportDialog& dialog, const View& drawn) {
  if (drawn.row().cells != CellsAs::maps) return;
  label_field(tr("Colours"));
  ImGui::SetNextItemWidth(-FLT_MIN);
  const bool open = begin_list("###export colormap", to_name(drawn.colormap));
  anchor("export colormap");
  if (!open) return;
  for (const ColormapRow& row : colormaps()) {
    if (list_line(row.name, row.value == drawn.colormap)) dialog.look.colormap = row.value;
    anchor(std::string("export colormap ") + row.name);
  }
  ImGui::EndCombo();
}

/// Which of the heads in view are in the figure; one stays.
void heads_field(const Ui& ui, ExportDialog& dialog, std::size_t drawn) {
  const std::vector<int>& heads = ui.scene->heads;
  if (!ui.view().row().arranges || heads.size() < 2) return;
  label_field(ui.tr("Heads"));
  ImGui::SetNextItemWidth(-FLT_MIN);
  const std::string preview =
      drawn == heads.size() ? ui.tr("All heads") : ui.tr("{} of {}", drawn, heads.size());
  const bool open = begin_list("###export heads", preview.c_str());
  anchor("export heads");
  if (!open) return;
  for (const int head : heads) {
    bool shown = !dialog.look.hidden.contains(head);
    ImGui::BeginDisabled(shown && drawn == 1);
    if (ImGui::Checkbox(drawn_text(head_title(ui, head)).c_str(), &shown)) {
      if (shown)
        dialog.look.hidden.erase(head);
      else
        dialog.look.hidden.insert(head);
    }
    ImGui::EndDisabled();
    anchor("export head " + std::to_string(head + 1));
  }
  ImGui::EndCombo();
}

void theme_field(const Translator& tr, ExportDialog& dialog, const View& drawn) {
  int theme = static_cast<int>(drawn.theme);
  label_field(tr("Theme"));
  if (choose("export theme", {{tr("Light")}, {tr("Dark")}}, theme))
    dialog.look.theme = static_cast<Theme>(theme);
}

void font_field(const Ui& ui, ExportDialog& dialog) {
  label_field(ui.tr("Font"), ui.tr("Fonts for papers that are installed here; the command line takes any."));
  ImGui::SetNextItemWidth(-FLT_MIN);
  const char* const usual = ui.tr("Sans-serif");
  const bool open = begin_list("###font", dialog.font.empty() ? usual : dialog.font.c_str());
  anchor("export font");
  if (!open) return;
  if (list_line(usual, dialog.font.empty())) dialog.font.clear();
  for (const std::string& family : dialog.fonts)
    if (list_line(family.c_str(), family == dialog.font)) dialog.font = family;
  ImGui::EndCombo();
}

void language_field(const Translator& tr, ExportDialog& dialog) {
  int language = static_cast<int>(dialog.language);
  label_field(tr("Language"));
  std::vector<Choice> names;
  for (const LanguageRow& row : languages()) names.push_back({row.name});
  if (choose("language", names, language)) dialog.language = static_cast<Language>(language);
}

void letters_field(const Translator& tr, Letters& letters) {
  label_field(tr("Letters"), tr("Before the titles of several maps."));
  ImGui::SetNextItemWidth(-FLT_MIN);
  const bool open = begin_list("###letters", tr(to_label(letters)));
  anchor("letters");
  if (!open) return;
  for (const EnumName<Letters>& name : enum_names(letters)) {
    if (list_line(tr(name.label), name.value == letters)) letters = name.value;
    anchor(std::string("letters ") + name.name);
  }
  ImGui::EndCombo();
}

void switches(const Ui& ui, ExportDialog& dialog) {
  letters_field(ui.tr, dialog.extras.letters);
  if (!ui.scene->marks.empty())
    check("marks", ui.tr("Marks"), dialog.extras.marks,
          ui.tr("The boxes and arrows that were added to maps."));
  if (has_effect(*ui.scene))
    check("effect", ui.tr("Effect on the prediction"), dialog.extras.effect,
          ui.tr("Below the maps, the probabilities that A and B give the next token."));
  check("tight", ui.tr("Tight margins"), dialog.tight,
        ui.tr("Cuts the page to what is drawn, with a small margin."));
}

void session_field(const Translator& tr, ExportDialog& dialog) {
  if (dialog.what == What::heads) return;
  ImGui::BeginDisabled(ending(dialog.path) == ".csv");
  check("keep session", tr("Keep the session in the file"), dialog.keep_session,
        tr("With it the file can be opened again here. Without it the file holds nothing of the sentence but "
           "its tokens as labels."));
  ImGui::EndDisabled();
}

void smallest_text(const Ui& ui, const ExportDialog& dialog) {
  const double smallest = dialog.findings.smallest_text;
  if (smallest <= 0) return ImGui::NewLine();
  const std::string text = ui.tr("Smallest text: {} pt", fmt::format("{:.1f}", smallest));
  const std::string warning = small_text(ui.tr, dialog.findings);
  warning.empty() ? muted_text(ui.style, text) : warning_text(ui.style, text);
  anchor("smallest text");
  if (!warning.empty()) tooltip(warning);
}

/// Can be selected, and copied whole.
void caption_field(App& app, const Ui& ui, const ExportDialog& dialog) {
  if (dialog.caption.empty()) return;
  muted_text(ui.style, ui.tr("Caption"));
  ImGui::SameLine();
  if (small_button(ui.tr("Copy"), "copy caption", ui.tr("A draft, to be changed")) && app.desktop.put_text)
    app.desktop.put_text(dialog.caption);
  const float width = ImGui::GetContentRegionAvail().x;
  std::string lines = broken_text(dialog.caption, width - 3 * ImGui::GetStyle().FramePadding.x);
  const auto count = 1 + std::ranges::count(lines, '\n');
  ImGui::InputTextMultiline(
      "###caption", &lines,
      {width, static_cast<float>(count) * ImGui::GetTextLineHeight() + 2 * ImGui::GetStyle().FramePadding.y},
      ImGuiInputTextFlags_ReadOnly | ImGuiInputTextFlags_NoHorizontalScroll);
  anchor("caption");
}

void figure_fields(App& app, Ui& ui, ExportDialog& dialog) {
  const Scene scene = figure_scene(app, dialog);
  const View& drawn = scene.view;
  text_fields(ui.tr, dialog);
  title_field(ui, dialog, drawn);
  heads_field(ui, dialog, scene.heads.size());
  colormap_field(ui.tr, dialog, drawn);
  bar_field(ui, dialog, drawn);
  theme_field(ui.tr, dialog, drawn);
  font_field(ui, dialog);
  language_field(ui.tr, dialog);
  switches(ui, dialog);
}

void data_fields(const Ui& ui, ExportDialog& dialog) {
  if (ui.block->layer_count() < 2) return;
  int one = dialog.one_layer ? 1 : 0;
  label_field(ui.tr("Layers"));
  choose("export layers", {{ui.tr("All")}, {ui.tr("Layer in view")}}, one);
  dialog.one_layer = one == 1;
}

}  // namespace

void draw_figure_settings(App& app, Ui& ui, ExportDialog& dialog) {
  const bool of_figure = dialog.what == What::figure;
  what_field(ui.tr, dialog);
  if (of_figure) size_fields(app, ui, dialog);
  file_field(app, ui);
  format_field(ui.tr, dialog);
  of_figure ? figure_fields(app, ui, dialog) : data_fields(ui, dialog);
  session_field(ui.tr, dialog);
  if (!of_figure) return;
  smallest_text(ui, dialog);
  caption_field(app, ui, dialog);
}

}  // namespace headscope
