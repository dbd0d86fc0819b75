#include "app/panels/sentence/token_menu.h"

#include <algorithm>

#include "app/panels/widgets/glyphs.h"
#include "app/panels/widgets/imgui_calls.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/text/text_edit.h"
#include "core/base/utf8.h"
#include "core/inputs/mask_kinds.h"
#include "core/inputs/token_edit.h"

namespace headscope {
namespace {

constexpr std::size_t max_places = 200;  // split positions of a token in one menu

/// Where a token can be split, as byte offsets: between user-perceived characters, but not before a space,
/// since no token ends with one.
std::vector<std::size_t> split_places(const std::string& text) {
  std::vector<std::size_t> places;
  for (std::size_t at = next_character(text, 0); at < text.size() && places.size() < max_places;
       at = next_character(text, at))
    if (peek_utf8(text, at) != U' ') places.push_back(at);
  return places;
}

/// Both parts of a token that is split there; for long ones only the text around the split.
std::string parts_around(const std::string& text, std::size_t place) {
  constexpr std::size_t max_bytes = 48;
  std::size_t begin = place > max_bytes ? place - max_bytes : 0;
  while (begin > 0 && begin < place && continues_character(text[begin])) ++begin;
  return (begin > 0 ? "…" : "") + shown_token(text.substr(begin, place - begin)) + " | " +
         shown_token(cut_off(std::string_view(text).substr(place), max_bytes));
}

/// One entry of the menu.
bool entry(const char* mark, const std::string& text, bool enabled = true, bool marked = false) {
  return menu_item(text, std::string("item ") + mark, nullptr, marked, enabled);
}

void split_entries(TokenChips& chips, int i) {
  const Token& token = chips.tokens[i];
  const std::vector<std::size_t> places = split_places(token.text);
  if (places.empty()) return;
  muted_text(chips.ui.style, chips.ui.tr("Split here…"));
  constexpr std::size_t in_sight = 8;
  const float line = ImGui::GetTextLineHeightWithSpacing(), room = chips.ui.style.font_size * 16;
  const bool scrolls = places.size() > in_sight;
  if (scrolls) ImGui::BeginChild("places", {room, line * (in_sight + 0.5F)});
  for (std::size_t n = 0; n < places.size(); ++n) {
    const std::string parts = fit_text(drawn_text(parts_around(token.text, places[n])), room);
    if (!entry(("split " + std::to_string(n + 1)).c_str(), parts)) continue;
    split_token(chips.ui.inputs, chips.axis == Axis::keys, token.begin + places[n]);
    ImGui::CloseCurrentPopup();  // an entry inside another window does not do that
  }
  if (scrolls) ImGui::EndChild();
  ImGui::Separator();
}

void join_entries(TokenChips& chips, int i) {
  const Translator& tr = chips.ui.tr;
  const bool keys = chips.axis == Axis::keys;
  Inputs& inputs = chips.ui.inputs;
  if (entry("join next", tr("Join with the next"), i + 1 < std::ssize(chips.tokens)))
    join_tokens(inputs, keys, i);
  if (entry("join previous", tr("Join with the previous"), i > 0)) join_tokens(inputs, keys, i - 1);
  if (entry("reset tokens", tr("Undo all splits and joins"), has_edited_tokens(inputs, keys)))
    reset_tokens(inputs, keys);
}

/// The first kind of mask with a list of tokens: of keys alone, or of queries and keys.
MaskKind kind_with_tokens(bool of_keys) {
  const auto lists = [of_keys](const MaskKindRow& row) {
    return row.token_list() != nullptr && row.token_list()->of_keys == of_keys;
  };
  return std::ranges::find_if(mask_kinds(), lists)->kind;
}

/// Marks the token in the active part, or enables the mask with this mark alone.
void mark_entry(TokenChips& chips, const char* mark, const char* text, bool of_keys, int i) {
  MaskPart* part = part_with_tokens(chips.ui, of_keys);
  if (!entry(mark, text, true, is_marked(part, i))) return;
  if (part == nullptr) {
    std::vector<MaskPart>& parts = chips.ui.inputs.mask;
    const BlockKind block = chips.ui.block->shape.kind;
    MaskPart result = make_mask_part(kind_with_tokens(of_keys));
    if (!reaches(result, block)) result.block = block;
    const auto same = [&](const MaskPart& one) {
      return one.kind == result.kind && one.block == result.block && one.layer == result.layer;
    };
    const auto found = std::ranges::find_if(parts, same);
    part = found == parts.end() ? &parts.emplace_back(std::move(result)) : &*found;
    part->on = true;
    part->tokens.clear();
  }
  toggle_token(*part, i);
}

void mark_entries(TokenChips& chips, int i) {
  const bool keys = chips.axis == Axis::keys || !chips.ui.block->cross();
  if (keys) mark_entry(chips, "mark padding", chips.ui.tr("Padding"), true, i);
  mark_entry(chips, "mark global", chips.ui.tr("Global token"), false, i);
}

}  // namespace

MaskPart* part_with_tokens(Ui& ui, bool of_keys) {
  for (MaskPart& part : ui.inputs.mask) {
    const MaskParameter* list = mask_kind(part.kind).token_list();
    if (part.on && list != nullptr && list->of_keys == of_keys && reaches(part, ui.block->shape.kind))
      return &part;
  }
  return nullptr;
}

bool is_marked(const MaskPart* part, int token) {
  return part != nullptr && std::ranges::binary_search(part->tokens, token);
}

bool token_menu(TokenChips& chips, int i) {
  const ImGuiIO& io = ImGui::GetIO();
  const bool by_key =
      ImGui::IsItemFocused() && (key_pressed(Key::menu) || (io.KeyShift && key_pressed(Key::f10)));
  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  if (by_key || ImGui::IsItemClicked(ImGuiMouseButton_Right)) ImGui::OpenPopup("token menu");
  // Below the token: on top of it, the menu would take the release of the button as a choice.
  ImGui::SetNextWindowPos({low.x, high.y + chips.ui.style.font_size * 0.15F}, ImGuiCond_Appearing);
  if (!begin_popup_menu("token menu")) return false;
  // The visible tokens belong to the text only once it has been run.
  if (chips.ui.inputs.about().word_tokens && chips.ui.block->text == chips.ui.inputs) {
    split_entries(chips, i);
    join_entries(chips, i);
    ImGui::Separator();
  }
  if (!chips.ui.block->of_tokens())
    muted_text(chips.ui.style, chips.ui.tr("Masks belong to the model's own tokens, not to words."));
  else
    mark_entries(chips, i);
  ImGui::EndPopup();
  return true;
}

}  // namespace headscope
