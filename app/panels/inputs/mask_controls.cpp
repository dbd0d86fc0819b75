#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "app/panels/inputs/controls.h"
#include "app/panels/map/paint.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/app.h"
#include "app/state/document/adjust.h"
#include "app/state/document/file_commands.h"
#include "core/inputs/mask_kinds.h"
#include "core/scene/source_title.h"

namespace headscope {
namespace {

void small_int(Ui& ui, const char* mark, const char* name, const char* help, int& value, int low) {
  ImGui::PushID(name);
  label_field(name, help);
  constexpr int min_upper = 16, max_linear = 256;
  const int high = std::max({min_upper, value, static_cast<int>(ui.block->n_k())});
  // For a long text, widths range from a few tokens to all of them.
  const ImGuiSliderFlags curve = high > max_linear ? ImGuiSliderFlags_Logarithmic : 0;
  value_slider("###value", {ImGuiDataType_S32, &low, &high, "%d", curve, mark}, &value);
  value = std::clamp(value, low, Limits::max_tokens);
  tooltip(ui.tr("Ctrl+click to type"));
  ImGui::PopID();
}

/// Tokens as typed: numbered from 1, as everywhere in the window.
std::string join(const std::vector<int>& tokens) {
  std::string list;
  for (const int token : tokens) list += (list.empty() ? "" : ", ") + std::to_string(token + 1);
  return list;
}

constexpr int none_refused = -1;

/// Parses "2, 5-7" to tokens counted from 0; `refused` gets the last number that is no valid token.
std::vector<int> split(const std::string& list, int& refused) {
  refused = none_refused;
  std::vector<int> tokens;
  const char *at = list.c_str(), *const end = at + list.size();
  const auto number = [&]() -> std::optional<int> {
    int value = 0;
    const auto [after, failed] = std::from_chars(at, end, value);
    at = after == at ? at + 1 : after;
    if (failed != std::errc()) return {};
    if (value >= 1 && value <= Limits::max_tokens) return value - 1;
    refused = value;
    return {};
  };
  while (at < end) {
    const std::optional<int> first = number();
    if (!first) continue;
    tokens.push_back(*first);
    if (at == end || *at != '-') continue;
    ++at;
    const std::optional<int> last = number();
    for (int token = *first + 1; last && token <= *last; ++token) tokens.push_back(token);
  }
  std::ranges::sort(tokens);
  tokens.erase(std::unique(tokens.begin(), tokens.end()), tokens.end());
  return tokens;
}

/// Tokens as an editable list of numbers, and a popup in which the tokens can be clicked.
void token_list(Ui& ui, MaskPart& part, const MaskParameter& parameter, const std::vector<Token>& tokens) {
  label_field(ui.tr(parameter.label), ui.tr(parameter.help));
  std::string text = join(part.tokens);
  const float button = ImGui::GetFrameHeight() + ImGui::GetStyle().ItemInnerSpacing.x;
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - button);
  // Digits only: otherwise more could be pasted than ImGui can draw.
  const auto refuse = [](ImGuiInputTextCallbackData* data) { return data->EventChar > 127 ? 1 : 0; };
  ImGuiStorage& memory = *ImGui::GetStateStorage();
  const ImGuiID typed = ImGui::GetID("refused");
  int refused = memory.GetInt(typed, none_refused);
  if (ImGui::InputText("###tokens", &text, ImGuiInputTextFlags_CallbackCharFilter, refuse))
    part.tokens = split(text, refused);
  if (!ImGui::IsItemActive()) refused = none_refused;  // the list no longer has it
  memory.SetInt(typed, refused);
  anchor(std::string(mask_kind(part.kind).name) + " tokens");
  ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
  if (ImGui::ArrowButton("###list", ImGuiDir_Down)) ImGui::OpenPopup("tokens");
  const bool beyond = !part.tokens.empty() && part.tokens.back() >= std::ssize(tokens);
  if (refused != none_refused || beyond) {
    hint(ui.style,
         ui.tr.plural("Token {} does not exist; there is {} token, numbered from 1.",
                      "Token {} does not exist; there are {} tokens, numbered from 1.", tokens.size(),
                      refused != none_refused ? refused : part.tokens.back() + 1, tokens.size()));
    anchor("no such token");
  }
  if (!ImGui::BeginPopup("tokens")) return;
  draw_seen_rows(static_cast<int>(tokens.size()), [&](int i) {
    bool on = std::ranges::binary_search(part.tokens, i);
    ImGui::PushID(i);
    if (ImGui::Checkbox(fmt::format("{}  {}", i + 1, shown_token(tokens[i].text)).c_str(), &on))
      toggle_token(part, i);
    ImGui::PopID();
  });
  ImGui::EndPopup();
}

void parameter_field(Ui& ui, MaskPart& part, const MaskParameter& parameter) {
  const char *label = ui.tr(parameter.label), *help = ui.tr(parameter.help);
  if (const auto* number = std::get_if<int MaskPart::*>(&parameter.member)) {
    small_int(ui, parameter.label, label, help, part.**number, parameter.minimum);
  } else if (const auto* seed = std::get_if<std::uint64_t MaskPart::*>(&parameter.member)) {
    label_field(label, help);
    typed_seed("###seed", part.**seed);
  }
}

/// Whether a part is in all layers or in one; for a stack of several layers.
void layer_choice(Ui& ui, MaskPart& part) {
  const BlockShape& shape = ui.block->shape;
  if (shape.layers < 2 && !part.layer) return;
  const int layer = part.layer.value_or(ui.shown->layer);
  const bool masked = layer < 0 || layer >= shape.layers || shape.is_softmax(layer);
  const std::string one = ui.tr("Layer {}", layer + 1);
  int choice = part.layer ? 1 : 0;
  if (!choose("layers of the part",
              {{ui.tr("All layers"), ui.tr("This mask part is in every layer.")},
               {one.c_str(),
                masked ? ui.tr("This mask part is in this layer alone.")
                       : ui.tr("This layer has no softmax, and so no mask."),
                masked}},
              choice))
    return;
  part.layer = choice == 1 ? std::optional(layer) : std::nullopt;
  part.block = choice == 1 ? std::optional(shape.kind) : std::nullopt;
}

/// The tokens that the numbers of a part refer to; if it does not apply to the block in view, those of a
/// block it applies to.
const std::vector<Token>& listed_tokens(const Ui& ui, const MaskPart& part, const MaskParameter& list) {
  const BlockTrace* block = ui.block->tokens_alone ? ui.block->tokens_alone.get() : ui.block.get();
  if (!reaches(part, block->shape.kind) && ui.trace != nullptr)
    for (const BlockTrace& one : ui.trace->blocks)
      if (reaches(part, one.shape.kind)) {
        block = &one;
        break;
      }
  return !list.of_keys && block->n_q() > block->n_k() ? block->tokens : block->key_tokens;
}

void part_fields(Ui& ui, MaskPart& part) {
  const BlockTrace& block = *ui.block;
  const MaskKindRow& row = mask_kind(part.kind);
  ImGui::PushID(static_cast<int>(part.kind));
  ImGui::Indent();
  for (const MaskParameter& parameter : row.parameters) parameter_field(ui, part, parameter);
  if (const MaskParameter* list = row.token_list())
    token_list(ui, part, *list, listed_tokens(ui, part, *list));
  if (const auto found = oversize(part, block.n_q(), block.n_k()))
    hint(ui.style, ui.tr(found->note, to_string(part), found->tokens));
  layer_choice(ui, part);
  ImGui::Unindent();
  ImGui::PopID();
}

/// The model in view has the causal mask whatever the user chooses.
bool is_causal_itself(const Ui& ui) {
  return ui.inputs.about().own_mask && ui.trace && !waits_for_model(ui) && ui.block->shape.causal;
}

/// The kinds that are used most, as switches on as few lines as they fit.
void draw_kinds(Ui& ui) {
  bool first = true;
  for (const MaskKindRow& row : mask_kinds()) {
    if (row.pattern || !row.has_controls()) continue;
    const bool always = row.kind == MaskKind::causal && is_causal_itself(ui);
    const bool on = always || part_on(ui.inputs, row.kind);
    const char* const text = ui.tr(row.label);
    if (!std::exchange(first, false))
      next_in_line(ImGui::CalcTextSize(text).x + 2 * ImGui::GetStyle().FramePadding.x);
    ImGui::BeginDisabled(always);
    const ChosenColors colors(on);
    if (button(text, row.mark,
               always ? own_mask_text(ui.tr, *ui.trace, *ui.block, ui.view().layer) : ui.tr(row.help)))
      switch_part(ui.inputs, row.kind, !on);
    ImGui::EndDisabled();
  }
  for (const MaskKindRow& row : mask_kinds())
    if (!row.pattern && row.has_controls() && part_on(ui.inputs, row.kind))
      part_fields(ui, *find_part(ui.inputs, row.kind));
}

void draw_patterns(Ui& ui) {
  for (const MaskKindRow& row : mask_kinds()) {
    if (!row.pattern || !row.has_controls()) continue;
    bool on = part_on(ui.inputs, row.kind);
    if (check(row.mark, ui.tr(row.label), on, ui.tr(row.help))) switch_part(ui.inputs, row.kind, on);
    if (on) part_fields(ui, *find_part(ui.inputs, row.kind));
  }
}

/// Parts beyond the first of a kind, mask files and painted cells: toggled and removed here, created
/// elsewhere.
void other_parts(Ui& ui) {
  std::vector<MaskPart>& parts = ui.inputs.mask;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (mask_kind(parts[i].kind).has_controls() && find_part(ui.inputs, parts[i].kind) == &parts[i]) continue;
    ImGui::PushID(static_cast<int>(i));
    const bool remove = icon_button("remove", Icon::close, ui.tr("Remove this mask part"));
    ImGui::SameLine();
    const bool painted = parts[i].kind == MaskKind::painted;
    const std::string spec = to_string(parts[i]);
    check(painted ? mask_kind(parts[i].kind).mark : spec.c_str(),
          painted ? ui.tr("Painted cells") : spec.c_str(), parts[i].on);
    ImGui::PopID();
    if (remove) {
      parts.erase(parts.begin() + i);
      return;
    }
  }
}

/// The share of the cells in view that no mask blocks; none without tokens.
std::optional<double> visible_share(const Ui& ui) {
  const BlockTrace& block = ui.block->single ? *ui.block->single : *ui.block;
  if (waits_for_model(ui) || block.n_q() == 0 || block.n_k() == 0) return {};
  const Mask& mask = block.mask_of(std::clamp(ui.view().layer, 0, std::max(0, block.layer_count() - 1)));
  return mask.any() ? mask.density(block.heads()) : 1.0;
}

/// At the right end of the line.
void draw_visible_share(Ui& ui) {
  const std::optional<double> share = visible_share(ui);
  if (!share) return;
  const auto draw_at_end = [&](const std::string& whole) {
    ImGui::SameLine();
    const float room = ImGui::GetContentRegionAvail().x;
    const std::string text = fit_text(whole, room);
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + room - ImGui::CalcTextSize(text.c_str()).x);
    muted_text(ui.style, text);
    anchor("visible");
  };
  if (const char* const why = without_softmax(ui)) {
    draw_at_end(ui.tr("no softmax"));
    return tooltip(why);
  }
  // A window on a long text leaves less than a tenth of a percent visible.
  const double lesser = 100 * std::min(*share, 1 - *share);
  const int decimals = lesser == 0         ? 0
                       : lesser >= 0.95    ? 1
                       : lesser >= 0.0995  ? 2
                       : lesser >= 0.00995 ? 3
                                           : 4;
  const auto percent = [decimals](double part) { return fmt::format("{:.{}f}", 100 * part, decimals); };
  draw_at_end(ui.tr("{}% visible", percent(*share)));
  const BlockTrace& block = ui.block->single ? *ui.block->single : *ui.block;
  tooltip(ui.tr("{0}% of the {1} × {2} scores are computed; the other {3}% are blocked and save their time.",
                percent(*share), block.n_q(), block.n_k(), percent(1 - *share)));
}

void mask_heading(Ui& ui) {
  const Translator& tr = ui.tr;
  std::string help =
      tr("A mask blocks cells: causal, padding, segments, files and painted cells always; "
         "a cell is visible if any pattern allows it.");
  if (waits_for_model(ui) || !ui.trace)
    help = std::string(tr("The model's own mask is not known before it is open.")) + "\n" + help;
  else if (ui.inputs.about().own_mask)
    help = own_mask_text(tr, *ui.trace, *ui.block, ui.view().layer) + "\n" + help;
  const ImVec2 from = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  framed_text(tr(input_field(&Inputs::mask).label));
  hear_heading(3);
  info_after("mask", help);
  draw_visible_share(ui);
  if (is_outlined("mask")) outline_field(from, {from.x + width, from.y + ImGui::GetFrameHeight()});
}

}  // namespace

void draw_mask_value(Ui& ui) {
  const Translator& tr = ui.tr;
  label_field(ui, &Inputs::mask_fill);
  int fill = static_cast<int>(ui.inputs.mask_fill);
  if (choose("fill",
             {{"−∞", tr("As in the notebook: softmax gives exactly 0, and a query with every key blocked has "
                        "no weights at all.")},
              {"−1e9", tr("As in other texts: softmax gives practically 0, and a query with every key "
                          "blocked gets uniform weights.")}},
             fill))
    ui.inputs.mask_fill = static_cast<MaskFill>(fill);
  if (!ui.inputs.about().from_seed) return;  // the conventions are those of the seeded layer
  info_after(
      "mask value",
      tr("Two conventions are in use. The notebook marks blocked cells with 1 and fills in −∞, "
         "masked_fill(mask == 1, −∞); other texts mark them with 0 and fill in −1e9, masked_fill(mask == 0, "
         "−1e9). In Headscope a mark always means blocked."));
}

void draw_mask_controls(App& app, Ui& ui) {
  const Translator& tr = ui.tr;
  mask_heading(ui);
  draw_kinds(ui);
  draw_paint_tools(ui);
  other_parts(ui);  // below the buttons that add parts
  ImGui::PushID("patterns");
  const bool any = std::ranges::any_of(ui.inputs.mask,
                                       [](const MaskPart& part) { return part.on && is_pattern(part.kind); });
  const bool open = ImGui::TreeNodeEx(
      tr("More masks"), ImGuiTreeNodeFlags_SpanAvailWidth | (any ? ImGuiTreeNodeFlags_DefaultOpen : 0) |
                            (ui.style.finger > 0 ? ImGuiTreeNodeFlags_FramePadding : 0));
  anchor("more masks");
  if (open) {
    if (button(tr("Load mask file…"), "load mask file",
               tr("A .npy file with a bool array [n_q, n_k]; true blocks.")))
      command_open_mask(app);
    draw_patterns(ui);
    ImGui::TreePop();
  }
  ImGui::PopID();
}

}  // namespace headscope
