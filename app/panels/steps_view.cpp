#include "app/panels/steps_view.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "app/panels/cell_steps.h"
#include "app/panels/steps_chain.h"
#include "app/panels/steps_pages.h"
#include "app/panels/widgets.h"
#include "app/state/steps.h"
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
    {StepsPage::cost, TR("Cost"), TR("Parameters, multiplications and memory of the layer"), draw_steps_page},
    {StepsPage::streaming, TR("Streamed softmax"), TR("The same softmax, computed block by block"),
     draw_steps_page},
};

void choose_page(Ui& ui) {
  std::vector<Choice> choices;
  for (const PageRow& row : pages) choices.push_back({ui.tr(row.text), ui.tr(row.help)});
  int chosen = static_cast<int>(ui.state.view.page);
  if (!choose("steps pages", choices, chosen)) return;
  ui.state.view.page = static_cast<StepsPage>(chosen);
  ui.state.next_step.reset();
}

/// The steps as a chain, by their numbers where that has no room, and what goes through them.
void draw_stepper(Ui& ui) {
  const std::vector<std::string> steps = steps_of(*ui.scene);
  if (steps.empty()) return;
  const char* const play = ui.state.next_step ? ui.tr("Pause") : ui.tr("Play");
  next_in_line(ui.style.font_size * 10);
  if (icon_button("step before", Icon::left, ui.tr("Previous step (Shift+Space, PgUp)")))
    change_step(ui.state, steps, -1);
  anchor("step before");
  ImGui::SameLine();
  if (icon_button("step next", Icon::right, ui.tr("Next step (Space, PgDn)")))
    change_step(ui.state, steps, 1);
  anchor("step next");
  ImGui::SameLine();
  if (ImGui::Button((std::string(play) + "###play").c_str())) play_steps(ui.state, steps, ImGui::GetTime());
  anchor("play");
  const auto present = static_cast<int>(present_step(ui.state.view, steps));
  int chosen = present;
  if (draw_steps_chain(ui, steps, chosen)) {
    if (chosen != present) change_step(ui.state, steps, chosen - present);
    return;
  }
  ImGui::SameLine();
  std::vector<Choice> choices;
  std::vector<std::string> numbers;
  for (std::size_t i = 0; i < steps.size(); ++i) numbers.push_back(std::to_string(i + 1));
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const char* title = stage_title(steps[i]);
    choices.push_back({numbers[i].c_str(), title == nullptr ? "" : ui.tr(title)});
  }
  if (choose("steps", choices, chosen)) change_step(ui.state, steps, chosen - present);
}

void choose_matrices(Ui& ui) {
  int chosen = static_cast<int>(ui.state.steps.matrices);
  next_in_line(ui.style.font_size * 13);
  if (choose("matrices",
             {{ui.tr("Auto"), ui.tr("Small matrices as digits, large ones as colours")},
              {ui.tr("Digits"), ui.tr("All matrices as digits")},
              {ui.tr("Colour"), ui.tr("All matrices as colours: blue below 0, red above")}},
             chosen))
    ui.state.steps.matrices = static_cast<StepsLook::Matrices>(chosen);
}

}  // namespace

void draw_steps_view(Ui& ui) {
  const auto in_view = [&] { return std::ranges::find(pages, ui.state.view.page, &PageRow::page); };
  if (ui.style.presented) return in_view()->draw(ui);
  choose_page(ui);
  const auto row = in_view();
  if (row->page == StepsPage::cell) choose_matrices(ui);
  draw_stepper(ui);
  row->draw(ui);
}

}  // namespace headscope
