#include "app/panels/views/steps_view.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "app/panels/views/cell_steps.h"
#include "app/panels/views/steps_chain.h"
#include "app/panels/views/steps_pages.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/view/steps.h"
#include "core/analysis/arithmetic_stages.h"

namespace headscope {
namespace {

/// A page of the view. Texts are English, to be translated.
struct PageRow {
  StepsPage page;
  const char* text;
  const char* help;
  void (*draw)(Ui& ui);
};
constexpr PageRow pages[] = {
    {StepsPage::cell, TR("One cell"), TR("How one weight and its query's output are computed"),
     draw_cell_steps},
    {StepsPage::cost, TR("Cost"), TR("Parameters, multiply–adds and memory of the layer"), draw_steps_page},
    {StepsPage::streaming, TR("Streamed softmax"), TR("The same softmax, computed block by block"),
     draw_steps_page},
};

/// Whether every line that the controls free is needed for the arithmetic.
bool has_little_room(const Ui& ui) {
  return ImGui::GetContentRegionAvail().y < 20 * ui.style.font_size;
}

void choose_page(Ui& ui, bool in_list) {
  std::vector<Choice> choices;
  const bool captured = ui.inputs.captured();
  for (const PageRow& row : pages) {
    const bool can = !captured || row.page == StepsPage::cell;
    choices.push_back({ui.tr(row.text), can ? ui.tr(row.help) : ui.tr(capture_has_no_steps), can});
  }
  int chosen = static_cast<int>(ui.state.view.page);
  if (!(in_list ? choose_in_list("steps pages", choices, chosen) : choose("steps pages", choices, chosen)))
    return;
  ui.state.view.page = static_cast<StepsPage>(chosen);
  // On a manual change of page it starts at its beginning.
  if (ui.state.view.page == StepsPage::streaming) ui.state.view.stage = "block 1";
  ui.state.next_step.reset();
  // It is already drawn in this frame, scrolled to its beginning.
  auto scene = std::make_shared<Scene>(*ui.scene);
  scene->view.page = ui.state.view.page;
  scene->view.stage = ui.state.view.stage;
  ui.scene = std::move(scene);
}

/// "3  q · k, term by term"
std::string listed(const Ui& ui, const std::string& step, std::size_t place) {
  const char* title = stage_title(step, *ui.trace, *ui.block);
  return std::to_string(place + 1) + (title == nullptr ? "" : std::string("  ") + ui.tr(title));
}

/// The steps as a chain, by their numbers if they do not fit, and the buttons to move through them.
void draw_stepper(Ui& ui, bool in_list) {
  const std::vector<std::string> steps = steps_of(*ui.scene);
  if (steps.empty()) return;
  const char* const play = ui.state.next_step ? ui.tr("Pause") : ui.tr("Play");
  next_in_line(ui.style.font_size * (in_list ? 4 : 10));
  if (icon_button("step before", Icon::left, ui.tr("Previous step (Shift+Space, PgUp)")))
    change_step(ui.state, steps, -1);
  anchor("step before");
  ImGui::SameLine();
  if (icon_button("step next", Icon::right, ui.tr("Next step (Space, PgDn)")))
    change_step(ui.state, steps, 1);
  anchor("step next");
  next_in_line(ImGui::CalcTextSize(play).x + 2 * ImGui::GetStyle().FramePadding.x);
  if (ImGui::Button((std::string(play) + "###play").c_str())) play_steps(ui.state, steps, ImGui::GetTime());
  anchor("play");
  const auto present = static_cast<int>(present_step(ui.state.view, steps));
  int chosen = present;
  if (!in_list && draw_steps_chain(ui, steps, chosen)) {
    if (chosen != present) change_step(ui.state, steps, chosen - present);
    return;
  }
  ImGui::SameLine();
  // A long row has too many blocks for buttons.
  constexpr std::size_t max_buttons = 40;
  if (steps.size() > max_buttons) {
    int number = present + 1;
    const std::string of_all = "%d / " + std::to_string(steps.size());
    ImGui::SetNextItemWidth(std::min(14 * ui.style.font_size, ImGui::GetContentRegionAvail().x));
    if (ImGui::SliderInt("###step", &number, 1, static_cast<int>(steps.size()), of_all.c_str(),
                         ImGuiSliderFlags_AlwaysClamp))
      change_step(ui.state, steps, number - 1 - present);
    anchor("step slider");
    return;
  }
  std::vector<Choice> choices;
  std::vector<std::string> numbers;
  for (std::size_t i = 0; i < steps.size(); ++i)
    numbers.push_back(in_list ? listed(ui, steps[i], i) : std::to_string(i + 1));
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const char* title = stage_title(steps[i], *ui.trace, *ui.block);
    choices.push_back({numbers[i].c_str(), title == nullptr ? "" : ui.tr(title)});
  }
  const std::string place = std::to_string(present + 1) + " / " + std::to_string(steps.size());
  if (in_list ? choose_in_list("steps", choices, chosen, place.c_str()) : choose("steps", choices, chosen))
    change_step(ui.state, steps, chosen - present);
}

void choose_matrices(Ui& ui, bool in_list) {
  int chosen = static_cast<int>(ui.state.steps.matrices);
  if (!in_list) next_in_line(ui.style.font_size * 13);
  const std::vector<Choice> choices{
      {ui.tr("Auto"), ui.tr("Small matrices as digits, large ones as colours")},
      {ui.tr("Digits"), ui.tr("All matrices as digits")},
      {ui.tr("Colour"), ui.tr("All matrices as colours: blue below 0, red above")}};
  if (in_list ? choose_in_list("matrices", choices, chosen) : choose("matrices", choices, chosen))
    ui.state.steps.matrices = static_cast<StepsLook::Matrices>(chosen);
}

}  // namespace

void draw_steps_view(Ui& ui) {
  const auto in_view = [&] { return std::ranges::find(pages, ui.state.view.page, &PageRow::page); };
  ui.state.steps_room.above = ui.state.steps_room.below = false;
  if (ui.style.presented) return in_view()->draw(ui);
  const bool in_list = has_little_room(ui);
  choose_page(ui, in_list);
  const auto row = in_view();
  if (in_list) draw_stepper(ui, true);
  if (row->page == StepsPage::cell) choose_matrices(ui, in_list);
  if (!in_list) draw_stepper(ui, false);
  row->draw(ui);
}

}  // namespace headscope
