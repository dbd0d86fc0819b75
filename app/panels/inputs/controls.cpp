#include "app/panels/inputs/controls.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/dialogs/document_lists.h"
#include "app/panels/inputs/source_bar.h"
#include "app/panels/map/color_controls.h"
#include "app/panels/map/map_memory.h"
#include "app/panels/sentence/sequence_choice.h"
#include "app/panels/views/sides.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/actions/adjust.h"
#include "app/state/actions/navigation.h"
#include "app/state/app.h"
#include "core/source/source.h"

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
  const float typed_width = ui.style.font_size * 3.6F;
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - typed_width -
                          ImGui::GetStyle().ItemInnerSpacing.x);
  int step = nearest_step(ui.inputs.d_model);
  if (ImGui::SliderInt("###d_model step", &step, 0, static_cast<int>(d_model_steps.size()) - 1, "",
                       ImGuiSliderFlags_NoInput))
    change_d_model(work, d_model_steps[static_cast<std::size_t>(step)]);
  note_sliding();
  tooltip(ui.tr("Common sizes; type any other in the field."));
  ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
  ImGui::SetNextItemWidth(-FLT_MIN);
  int d_model = ui.inputs.d_model;
  if (typed_int("###d_model", d_model, 1, Limits::max_d_model)) change_d_model(work, d_model);
}

/// All numbers from 1 to `largest`; those that do not divide `number` are disabled, with the reason.
bool divisor_popup(Ui& ui, const char* id, const char* what, int number, int largest, int& chosen) {
  bool changed = false;
  if (!ImGui::BeginPopup(id)) return false;
  const float size = std::round(ui.style.font_size * 2.1F);
  for (int i = 1; i <= largest; ++i) {
    const bool divides = number % i == 0, on = chosen == i;
    if ((i - 1) % 8 != 0) ImGui::SameLine(0, 2);
    ImGui::PushID(i);
    ImGui::BeginDisabled(!divides);
    if (const ChosenColors colors(on); ImGui::Button(std::to_string(i).c_str(), {size, 0})) {
      chosen = i;
      changed = true;
      ImGui::CloseCurrentPopup();
    }
    anchor("divisor " + std::to_string(i));
    ImGui::EndDisabled();
    if (!divides) tooltip(ui.tr("{} does not divide {} {}", i, what, number));
    ImGui::PopID();
  }
  ImGui::EndPopup();
  return changed;
}

void heads_field(Ui& ui) {
  label_field(ui, &Inputs::heads);
  ImGui::PushID("heads");
  const float inner = ImGui::GetStyle().ItemInnerSpacing.x;
  if (icon_button("fewer", Icon::minus, ui.tr("Next smaller number of heads that divides d_model")))
    step_heads(ui.inputs, -1);
  anchor("heads fewer");
  ImGui::SameLine(0, inner);
  const float width = ImGui::GetContentRegionAvail().x - ImGui::GetFrameHeight() - inner;
  if (button(
          std::to_string(ui.inputs.heads), "heads",
          ui.tr.plural("{0} head, d_k = {1} / {0} = {2}", "{0} heads, d_k = {1} / {0} = {2}", ui.inputs.heads,
                       ui.inputs.heads, ui.inputs.d_model, ui.inputs.d_model / ui.inputs.heads),
          width))
    ImGui::OpenPopup("divisors");
  ImGui::SameLine(0, inner);
  if (icon_button("more", Icon::plus, ui.tr("Next larger number of heads that divides d_model")))
    step_heads(ui.inputs, 1);
  anchor("heads more");
  int heads = ui.inputs.heads;
  if (divisor_popup(ui, "divisors", "d_model", ui.inputs.d_model, Limits::max_heads, heads))
    set_heads(ui.inputs, heads);
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

/// The second sentence of a pair, if the model reads one.
void pair_switch(Ui& ui, const Source* source) {
  bool pair = ui.inputs.key_sentence.has_value();
  const bool can = source != nullptr && source->reads_pairs();
  ImGui::BeginDisabled(!can && !pair);
  if (check("Second sentence (cross-attention)", ui.tr("Second sentence (a pair)"), pair,
            can ? ui.tr("Both sentences are read together, with the model's separators and token types.")
                : ui.tr("This model reads one sentence, and no pair as BERT does.")))
    set_cross(ui.inputs, pair);
  ImGui::EndDisabled();
}

/// What the decoder reads: its own output, or a text.
void target_switch(Ui& ui, const Trace& trace) {
  const bool decodes = trace.blocks.size() > 1;
  bool own = ui.inputs.target.has_value();
  ImGui::BeginDisabled(!decodes && !own);
  if (check("target", ui.tr("Target text of your own"), own,
            decodes ? ui.tr("What the decoder reads after its start token; else it reads what it generates.")
                    : ui.tr("Only an encoder–decoder such as T5 or Marian reads a target.")))
    set_target(ui.inputs, own, trace);
  ImGui::EndDisabled();
}

/// Replaces a control that has no effect on a model or a capture.
void fixed_field(const Ui& ui, InputField::Member member, const char* text) {
  label_field(ui, member);
  ImGui::Button((std::string(text) + "###fixed " + ui.tr(input_field(member).label)).c_str(), {-FLT_MIN, 0});
  tooltip(ui.inputs.captured() ? not_of_captures(ui.tr) : not_of_models(ui.tr));
}

std::string fixed_number(int number) {
  return number > 0 ? std::to_string(number) : "–";
}

/// A section of fields with what a capture says about them.
void fixed_section(const Ui& ui, const char* text, const char* id, bool open,
                   std::initializer_list<std::pair<InputField::Member, std::string>> fields) {
  if (!section(text, id, open)) return;
  ImGui::BeginDisabled();
  for (const auto& [member, value] : fields) fixed_field(ui, member, value.c_str());
  ImGui::EndDisabled();
  anchor(std::string("fixed ") + id);
}

/// Shows the same controls as other sources, so that they are easy to find: those that work, and for the rest
/// the known values.
void draw_capture_controls(Workspace& work, Ui& ui) {
  const Translator& tr = ui.tr;
  draw_capture_hint(ui);
  const BlockShape& shape = ui.block->shape;
  fixed_section(ui, tr("Layer"), "layer", true,
                {{&Inputs::d_model, fixed_number(shape.d_model)},
                 {&Inputs::heads, fixed_number(shape.heads)},
                 {&Inputs::seed, "–"},
                 {&Inputs::vectors, "–"},
                 {&Inputs::positions, "–"}});
  fixed_section(ui, tr("Mask"), "mask", true, {{&Inputs::mask_fill, "–"}});
  fixed_section(ui, tr("Softmax"), "softmax", true, {{&Inputs::temperature, "–"}, {&Inputs::dropout, "–"}});
  if (section(tr("Display"), "display")) draw_display_controls(ui);
  if (section(tr("Bookmarks"), "bookmarks", !work.bookmarks.empty())) draw_bookmarks(work, ui.style);
  if (section(tr("History"), "steps", false)) draw_history(work);
  fixed_section(ui, tr("Projections"), "weights", false,
                {{&Inputs::weights, "–"},
                 {&Inputs::gain_q, "–"},
                 {&Inputs::gain_k, "–"},
                 {&Inputs::kv_heads, fixed_number(shape.kv_heads)}});
  fixed_section(ui, tr("Layer stack"), "stack", false, {{&Inputs::layers, fixed_number(shape.layers)}});
}

/// Where a model's positions come from.
const char* positions_text(const Ui& ui) {
  if (!ui.model) return "–";
  switch (ui.model->position_kind) {
    case PositionKind::learned:
      return ui.tr("learned");
    case PositionKind::sinusoidal:
      return ui.tr("sinusoidal");
    case PositionKind::rotary:
      return ui.tr("rotary");
    case PositionKind::relative:
      return ui.tr("relative bias");
  }
  return "–";
}

/// The fields of the seeded layer with the model's values, and the options that a model has.
void draw_model_controls(Workspace& work, Ui& ui) {
  hint(ui.style, not_of_models(ui.tr));
  anchor("not of models");
  ImGui::BeginDisabled();
  if (const std::optional<BlockShape> shape = known_shape(ui)) {
    Inputs values = values_of_model(ui.inputs, *shape);
    Ui shown = ui.with(values);
    d_model_field(work, shown);
    heads_field(shown);
  } else {
    fixed_field(ui, &Inputs::d_model, "–");
    fixed_field(ui, &Inputs::heads, "–");
    anchor("unknown heads");
  }
  fixed_field(ui, &Inputs::seed, "–");
  fixed_field(ui, &Inputs::vectors, ui.tr("the model's own"));
  fixed_field(ui, &Inputs::positions, positions_text(ui));
  ImGui::EndDisabled();
  const Trace& trace = work.edits_b() ? *work.other_runner.trace() : *work.trace();
  pair_switch(ui, trace.source.get());
  target_switch(ui, trace);
}

void draw_words_switch(Ui& ui) {
  bool words = ui.state.view.words;
  const char* const why_not = why_no_pieces(ui.inputs);
  ImGui::BeginDisabled(why_not != nullptr);
  if (check("words", ui.tr("Pieces as words"), words,
            why_not != nullptr
                ? ui.tr(why_not)
                : ui.tr("Pieces of a word are shown as one: weights to a word are summed, from a word "
                        "averaged. The model's own tokens stay as they are.")))
    show_words(ui.state, words);
  ImGui::EndDisabled();
}

}  // namespace

void draw_layer_controls(Workspace& work, Ui& ui) {
  if (ui.inputs.trained()) return draw_model_controls(work, ui);
  d_model_field(work, ui);
  heads_field(ui);
  seed_field(ui);
  draw_input_fields(work, ui);
  cross_switch(ui);
}

void draw_display_controls(Ui& ui) {
  View& view = ui.state.view;
  const Translator& tr = ui.tr;
  draw_colormap_choice(ui);
  draw_range_choice(ui);
  bool numbers = view.numbers == Numbers::automatic;
  if (check("Numbers in cells", tr("Numbers in cells"), numbers,
            tr("Two significant digits, where they fit.")))
    view.numbers = numbers ? Numbers::automatic : Numbers::off;
  draw_words_switch(ui);
  label_field(tr("Rows × columns"), tr("How the heads are arranged; 0 means chosen to fit the window."));
  const float half = (ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ItemInnerSpacing.x) / 2;
  ImGui::SetNextItemWidth(half);
  typed_int("###rows", view.rows, 0, Limits::max_heads);
  tooltip(tr("Rows; 0: automatic"));
  ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
  ImGui::SetNextItemWidth(half);
  typed_int("###columns", view.columns, 0, Limits::max_heads);
  tooltip(tr("Columns; 0: automatic"));
}

void draw_controls(App& app, Ui& ui) {
  const Translator& tr = ui.tr;
  draw_edited_side(app, ui);
  if (ui.inputs.captured()) return draw_capture_controls(app, ui);
  if (section(tr("Layer"), "layer")) draw_layer_controls(app, ui);
  if (section(tr("Mask"), "mask")) draw_mask_controls(app, ui);
  if (section(tr("Softmax"), "softmax")) draw_softmax_controls(ui);
  if (section(tr("Display"), "display")) draw_display_controls(ui);
  if (section(tr("Bookmarks"), "bookmarks", !app.bookmarks.empty())) draw_bookmarks(app, ui.style);
  if (section(tr("History"), "steps", false)) draw_history(app);
  const bool trained = ui.inputs.trained();
  if (section(tr("Projections"), "weights", false)) draw_weight_controls(app, ui);
  if (!section(tr("Layer stack"), "stack", false)) return;
  if (!trained) return draw_stack_controls(ui);
  hint(ui.style, not_of_models(tr));
  const std::optional<BlockShape> shape = known_shape(ui);
  if (!shape) return;
  Inputs values = values_of_model(ui.inputs, *shape);
  Ui of_model = ui.with(values);
  ImGui::BeginDisabled();
  draw_stack_controls(of_model);
  ImGui::EndDisabled();
}

}  // namespace headscope
