#include "app/panels/inputs/controls.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/inputs/color_controls.h"
#include "app/panels/inputs/document_lists.h"
#include "app/panels/ui/sides.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/app.h"
#include "app/state/document/adjust.h"
#include "app/state/view/navigation.h"

namespace headscope {
namespace {

constexpr std::array d_model_steps{8,   16,  24,  32,  48,   64,   96,   128,  192, 256,
                                   384, 512, 768, 960, 1024, 1536, 2048, 3072, 4096};

int nearest_step(int d_model) {
  const auto closer = [d_model](int a, int b) { return std::abs(a - d_model) < std::abs(b - d_model); };
  return static_cast<int>(std::ranges::min_element(d_model_steps, closer) - d_model_steps.begin());
}

void d_model_field(Workspace& work, Ui& ui) {
  label_field(ui, &Inputs::d_model);
  int step = nearest_step(ui.inputs.d_model), d_model = ui.inputs.d_model;
  constexpr int first = 0, last = static_cast<int>(d_model_steps.size()) - 1;
  const SliderRange range{ImGuiDataType_S32,
                          &first,
                          &last,
                          "",
                          ImGuiSliderFlags_NoInput,
                          nullptr,
                          ui.tr("Common sizes; type any other in the field."),
                          [](double place) { return std::to_string(d_model_steps[std::lround(place)]); }};
  bool typed = false;
  const bool moved = slider_with_field("###d_model step", range, &step, [&] {
    typed = typed_int("###d_model", d_model, 1, Limits::max_d_model);
  });
  if (moved) change_d_model(work, d_model_steps[step]);
  if (typed) change_d_model(work, d_model);
}

/// The divisors of d_model.
bool heads_popup(const Ui& ui, int& chosen) {
  bool changed = false;
  if (!ImGui::BeginPopup("divisors")) return false;
  const float size = std::round(ui.style.font_size * 2.1F);
  const int d_model = ui.inputs.d_model;
  int shown = 0;
  for (int heads = 1; heads <= std::min(d_model, Limits::max_heads); ++heads) {
    if (d_model % heads != 0) continue;
    constexpr int in_row = 8;
    if (shown++ % in_row != 0) ImGui::SameLine(0, 2);
    const ChosenColors colors(chosen == heads);
    if (button(std::to_string(heads), fmt::format("divisor {}", heads),
               fmt::format("d_k = {} / {} = {}", d_model, heads, d_model / heads), size)) {
      chosen = heads;
      changed = true;
      ImGui::CloseCurrentPopup();
    }
  }
  ImGui::EndPopup();
  return changed;
}

void heads_field(Ui& ui) {
  label_field(ui, &Inputs::heads);
  ImGui::PushID("heads");
  const HeardGroup group;
  const float inner = ImGui::GetStyle().ItemInnerSpacing.x;
  if (icon_button("fewer", Icon::minus, ui.tr("Next smaller number of heads that divides d_model")))
    step_heads(ui.inputs, -1);
  anchor("heads fewer");
  ImGui::SameLine(0, inner);
  const float width = ImGui::GetContentRegionAvail().x - ImGui::GetFrameHeight() - inner;
  const std::string count = std::to_string(ui.inputs.heads);
  if (button(
          count, "heads",
          ui.tr.plural("{0} head, d_k = {1} / {0} = {2}", "{0} heads, d_k = {1} / {0} = {2}", ui.inputs.heads,
                       ui.inputs.heads, ui.inputs.d_model, ui.inputs.d_model / ui.inputs.heads),
          width))
    ImGui::OpenPopup("divisors");
  hear_name(ui.tr("{}: {}", ui.tr(input_field(&Inputs::heads).label), count));
  ImGui::SameLine(0, inner);
  if (icon_button("more", Icon::plus, ui.tr("Next larger number of heads that divides d_model")))
    step_heads(ui.inputs, 1);
  anchor("heads more");
  int heads = ui.inputs.heads;
  if (heads_popup(ui, heads)) set_heads(ui.inputs, heads);
  ImGui::PopID();
}

void seed_field(Ui& ui) {
  label_field(ui, &Inputs::seed);
  const float button = ImGui::GetFrameHeight() + ImGui::GetStyle().ItemInnerSpacing.x;
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - button);
  typed_seed("###seed", ui.inputs.seed);
  ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
  if (icon_button("roll", Icon::die, ui.tr("New random seed"))) roll_seed(ui.inputs);
}

void draw_input_fields(Workspace& work, Ui& ui) {
  label_field(ui, &Inputs::vectors);
  int kind = static_cast<int>(ui.inputs.vectors);
  const bool small_enough = ui.inputs.d_model <= Limits::max_typed_d_model;
  if (choose("inputs",
             {{ui.tr("randn"), ui.tr("A random normal vector for each position, like the notebook's "
                                     "torch.randn; the words do not matter.")},
              {ui.tr("embedding"), ui.tr("One vector per distinct token, drawn from the seed and the token's "
                                         "text: the same word has the same vector everywhere.")},
              {ui.tr("Typed in"),
               small_enough ? ui.tr("The numbers of X, a row per token, typed or pasted.")
                            : ui.tr("Needs d_model of at most 16; reduce it first."),
               small_enough}},
             kind))
    set_vectors(ui.inputs, static_cast<VectorKind>(kind));
  if (ui.inputs.vectors == VectorKind::typed) draw_typed_x(work, ui);
  const bool embedding = ui.inputs.vectors == VectorKind::embedding;
  const std::string reason =
      embedding ? "" : ui.tr("Needs embedding inputs; other vectors already depend on the position.");
  label_field(ui, &Inputs::positions);
  int positions = embedding ? static_cast<int>(ui.inputs.positions) : 0;
  if (choose("positions",
             {{ui.tr("none"), reason, embedding},
              {ui.tr("sinusoidal"),
               embedding ? ui.tr("As in the paper: sin and cos of pos / 10000^(2i / d_model).") : reason,
               embedding}},
             positions))
    ui.inputs.positions = static_cast<Positions>(positions);
}

void cross_switch(Ui& ui) {
  bool cross = ui.inputs.cross();
  const InputField& field = input_field(&Inputs::key_sentence);
  if (check("Second sentence (cross-attention)", ui.tr(field.label), cross, ui.tr(field.help)))
    set_cross(ui.inputs, cross);
}

/// For sources whose tokens can be pieces of words.
void words_switch(Ui& ui) {
  bool words = ui.view().words;
  const char* const why_not = why_no_pieces(ui.inputs);
  if (why_not != nullptr && !words) return;
  ImGui::BeginDisabled(why_not != nullptr);
  if (check("words", ui.tr("Pieces as words"), words,
            why_not != nullptr
                ? ui.tr(why_not)
                : ui.tr("Pieces of a word are shown as one: weights to a word are summed, from a word "
                        "averaged. The model's own tokens stay as they are.")))
    show_words(ui.state, words);
  ImGui::EndDisabled();
}

void draw_arrangement(Ui& ui) {
  View& view = ui.state.view;
  const Translator& tr = ui.tr;
  label_field(tr("Rows × columns"), tr("How the heads are arranged; auto: as they fit the window."));
  const HeardGroup group;
  const float inner = ImGui::GetStyle().ItemInnerSpacing.x;
  const float half = (ImGui::GetContentRegionAvail().x - inner) / 2;
  ImGui::SetNextItemWidth(half);
  typed_int_or(tr("auto"), "###rows", view.rows, Limits::max_view_heads);
  hear_name(tr("Rows; leave empty for auto"));
  tooltip(tr("Rows; leave empty for auto"));
  ImGui::SameLine(0, inner);
  ImGui::SetNextItemWidth(half);
  typed_int_or(tr("auto"), "###columns", view.columns, Limits::max_view_heads);
  hear_name(tr("Columns; leave empty for auto"));
  tooltip(tr("Columns; leave empty for auto"));
}

}  // namespace

void draw_look_controls(Ui& ui) {
  View& view = ui.state.view;
  const ViewKindRow& row = view.row();
  const bool maps = row.cells != CellsAs::nothing || row.whole;
  if (!maps)
    hint(ui.style, ui.tr("These settings are for maps of attention, which this view does not show."));
  ImGui::BeginDisabled(!maps || row.cells == CellsAs::lines);
  bool numbers = view.numbers == Numbers::automatic;
  std::string help = ui.tr("Two significant digits, where they fit.");
  // Said here, where it moves nothing.
  if (std::exchange(ui.memory.maps.numbers_too_large, false))
    help += std::string("\n") + ui.tr("The cells are too small for them: enlarge a head, or show fewer.");
  if (check("Numbers in cells", ui.tr("Numbers in cells"), numbers, help))
    view.numbers = numbers ? Numbers::automatic : Numbers::off;
  ImGui::EndDisabled();
  ImGui::BeginDisabled(row.own_numbers);
  words_switch(ui);
  ImGui::EndDisabled();
  ImGui::BeginDisabled(!maps);
  draw_cells_choice(ui);
  draw_rollout_choice(ui);
  ImGui::EndDisabled();
  ImGui::BeginDisabled(!maps && !row.has_colormap);
  draw_colormap_choice(ui);
  ImGui::EndDisabled();
  ImGui::BeginDisabled(!maps);
  draw_range_choice(ui);
  ImGui::EndDisabled();
  draw_arrangement(ui);
}

/// What is changed most.
void draw_main_controls(App& app, Ui& ui) {
  if (ui.inputs.captured()) return draw_capture_card(app, ui);
  if (ui.inputs.trained()) {
    draw_model_card(app, ui);
  } else {
    d_model_field(app, ui);
    heads_field(ui);
    seed_field(ui);
  }
  draw_experiment_controls(app, ui);
}

/// All else that a run depends on, and what is known of a model.
void draw_more_controls(App& app, Ui& ui) {
  const auto heading = [&](const char* text) {
    ImGui::Spacing();
    muted_text(ui.style, text);
    hear_heading(4);
  };
  if (ui.inputs.trained()) {
    draw_model_facts(app, ui);
  } else {
    draw_input_fields(app, ui);
    cross_switch(ui);
    heading(ui.tr("Projections"));
    draw_weight_controls(app, ui);
    heading(ui.tr("Layer stack"));
    draw_stack_controls(ui);
    heading(ui.tr("Softmax"));
  }
  draw_advanced_controls(ui);
}

void draw_controls(App& app, Ui& ui) {
  const Translator& tr = ui.tr;
  // B's, whichever side the controls below edit; of an edited A that has ablated heads, its own.
  if (app.compares() && ui.inputs.about().ablates) draw_ablation_controls(app, ui);
  draw_edited_side(app, ui);
  draw_main_controls(app, ui);
  std::vector<const char*> more{"mask_fill", "scale", "dropout", "dropout_seed", "gain_q", "gain_k"};
  if (!ui.inputs.trained())
    more.insert(more.end(), {"inputs", "positions", "key_sentence", "typed", "weights", "sigma", "kv_heads",
                             "layers", "share_layers", "residual", "layer_norm", "feed_forward"});
  if (!ui.inputs.captured() && section(tr("More"), "more", false, more)) draw_more_controls(app, ui);
  if (section(tr("Appearance"), "look")) draw_look_controls(ui);
  if (section(tr("Bookmarks"), "bookmarks", !app.bookmarks.empty())) draw_bookmarks(app, ui.style);
  if (section(tr("History"), "steps", false)) draw_history(app);
}

const char* without_softmax(const Ui& ui) {
  const int layer = ui.shown->layer;
  if (!ui.view().row().one_layer || layer < 0 || ui.block->shape.is_softmax(layer)) return nullptr;
  return ui.tr("This layer has no softmax: temperature, masks and gains act in layers with attention alone.");
}

namespace {

bool changes_scores(InputField::Member member) {
  return std::ranges::any_of(std::array{&Inputs::temperature, &Inputs::gain_q, &Inputs::gain_k},
                             [&](double Inputs::*one) { return member == InputField::Member(one); });
}

}  // namespace

void label_field(const Ui& ui, InputField::Member member, const char* text) {
  const InputField& field = input_field(member);
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  std::string help = ui.tr(field.help);
  if (const char* const why = changes_scores(member) ? without_softmax(ui) : nullptr)
    help += std::string("\n") + why;
  label_field(text == nullptr ? ui.tr(field.label) : text, help);
  // The control may be below its label.
  const float line = ImGui::GetCursorScreenPos().y;
  if (is_outlined(field.name)) outline_field(from, {from.x + width, line + ImGui::GetFrameHeight()});
}

bool check(Ui& ui, const char* mark, bool Inputs::*member) {
  const InputField& field = input_field(member);
  const bool changed = check(mark, ui.tr(field.label), ui.inputs.*member, ui.tr(field.help));
  if (is_outlined(field.name)) outline_field(ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
  return changed;
}

}  // namespace headscope
