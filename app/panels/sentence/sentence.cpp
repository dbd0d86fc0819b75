#include "app/panels/sentence/sentence.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <utility>

#include "app/panels/sentence/sequence_choice.h"
#include "app/panels/sentence/token_chips.h"
#include "app/panels/sentence/translation_line.h"
#include "app/panels/ui/sides.h"
#include "app/panels/widgets/glyphs.h"
#include "app/panels/widgets/imgui_calls.h"
#include "app/panels/widgets/theme.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/app.h"
#include "app/state/document/open_model.h"
#include "app/state/text/token_search.h"
#include "app/state/view/compared_cell.h"
#include "app/state/view/navigation.h"
#include "app/state/view/panels.h"
#include "app/state/view/search.h"
#include "core/inputs/token_edit.h"
#include "core/source/model/known_words.h"
#include "core/source/source.h"

namespace headscope {
namespace {

/// As high as its text was in the previous frame, within limits.
float box_lines(const SentenceBox& box, bool narrow) {
  // At half the width, a box would be twice as high: where height is scarce it scrolls.
  const float maximum = !is_low_window() ? 3 : narrow ? 1 : 2;
  return std::clamp(static_cast<float>(box.wrapped.lines().size()), 1.0F, maximum);
}

/// Lines of tokens; a fraction of a line shows that they scroll. Those of a phone are high, and a sheet takes
/// half of it.
float chip_lines(const Ui& ui, bool cross, bool compares) {
  if (ui.style.finger > 0)
    return is_low_window() ? 1 : ui.memory.sheet.up || cross || compares ? 1.12F : 2.12F;
  if (is_low_window()) return compares ? 1 : cross ? 1.12F : 1.3F;
  return cross ? 2.1F : 3.1F;
}

/// Tab and Esc leave the box.
void leave_box(App& app, SentenceBox& box) {
  const int leave = std::exchange(box.leave, 0);
  if (leave == 0) return;
  box.focused = false;
  if (std::abs(leave) == 1) return step_panel(app, leave);
  if (leave == SentenceBox::to_unlocked_maps) unlock(app.state);
  go_to_panel(app, Panel::maps);
  app.state.panel_muted = true;
}

/// One text of A or B and its place: the sentence; or the second one, that of the keys or of a pair; or, in
/// the same place, the target of an encoder–decoder.
struct Slot {
  Side side;
  Axis axis;
  SentenceBox& box;
  std::optional<Axis> tokens;  ///< drawn in its place, while it is not edited
  bool target = false;
  bool has_box = true;                  ///< generated text has none, and one that is read again
  bool again = false;                   ///< the decoder reads the sentence once more
  std::optional<BlockKind> still = {};  ///< the block whose tokens are shown where `tokens` is empty
  bool heard = false;                   ///< a spectrogram in place of a text
};

/// The text and the target of an encoder–decoder show tokens if the block in view uses them.
void add_target(std::vector<Slot>& list, Side side, const Inputs& inputs, const BlockTrace& block, bool again,
                SentenceBox& sentence, SentenceBox& target) {
  const BlockKind kind = block.shape.kind;
  std::optional<Axis> of_source, of_target;
  if (kind == BlockKind::encoder) of_source = Axis::queries;
  if (kind == BlockKind::cross) of_source = Axis::keys;
  if (kind != BlockKind::encoder) of_target = Axis::queries;
  list.push_back({side, Axis::queries, sentence, of_source, false, true, false, BlockKind::encoder});
  if (inputs.cross()) list.push_back({side, Axis::keys, target, {}});
  list.push_back(
      {side, Axis::keys, target, of_target, true, inputs.target.has_value(), again, BlockKind::decoder});
}

void add_slots(std::vector<Slot>& list, const Workspace& work, Side side, PanelMemory::Sentences& boxes) {
  auto& [sentence, other] = boxes;
  const Inputs& inputs = work.of(side);
  const auto trace = work.trace(side);
  const auto block = work.block(side);
  const BlockKind kind = block->shape.kind;
  const bool decodes = kind == BlockKind::encoder || kind == BlockKind::decoder || kind == BlockKind::cross;
  const bool again = trace != nullptr && trace->source && !trace->source->about().reads_target;
  const auto model = opened_model(work, side);
  const bool heard = model && model->about().hears();
  if (inputs.about().has_decoder && decodes && block->n_q() > 0) {
    const std::size_t first = list.size();
    add_target(list, side, inputs, *block, again, sentence, other);
    list[first].heard = heard;
    return;
  }
  const bool pair = inputs.about().reads_pairs && inputs.cross();
  list.push_back({side, Axis::queries, sentence, Axis::queries});
  list.back().heard = heard;
  if (inputs.cross())
    list.push_back({side, Axis::keys, other, pair ? std::nullopt : std::optional(Axis::keys)});
  if (pair) list[list.size() - 2].tokens.reset();  // the tokens of both are below both
}

std::vector<Slot> slots(Workspace& work, PanelMemory& memory) {
  std::vector<Slot> list;
  for (const Side side : both_sides)
    if (side == Side::a || work.compares()) add_slots(list, work, side, memory.texts[side]);
  return list;
}

/// What is drawn for all of them in one frame.
struct Sentences {
  App& app;
  Ui& ui;  // of A
  std::vector<Slot> slots;
  bool compares = false, titles = false;
  bool alone = false;  ///< the texts of the edited side alone
};

/// What a text is for.
const char* title_of(const Translator& tr, const Slot& slot, const Inputs& inputs, bool brief) {
  const bool first = slot.axis == Axis::queries;
  if (!inputs.about().reads_pairs && brief) return first ? tr("Queries") : tr("Keys and values");
  if (!inputs.about().reads_pairs)
    return first ? tr("Queries come from this sentence") : tr("Keys and values come from this sentence");
  if (slot.again) return tr("The sentence again, for the decoder");
  if (inputs.cross()) return first ? tr("First sentence") : tr("Second sentence");
  if (first && slot.heard) return brief ? tr("Sound") : tr("Sound, for the encoder");
  if (brief) return first ? tr("Source text") : tr("Target text");
  if (first) return tr("Source text, for the encoder");
  return slot.has_box ? tr("Target text, for the decoder") : tr("Target text, as the model generates it");
}

/// The title of a box, if there are several.
void draw_title(const Sentences& all, const Slot& slot) {
  const Translator& tr = all.ui.tr;
  const Inputs& inputs = all.app.of(slot.side);
  if (slot.target && !slot.has_box && draw_translation_as_title(all.app, all.ui)) return;
  if (!all.compares && is_low_window())
    return muted_text(all.ui.style,
                      fit_text(title_of(tr, slot, inputs, true), ImGui::GetContentRegionAvail().x));
  if (!all.compares) return hint(all.ui.style, title_of(tr, slot, inputs, false));
  const float below = ImGui::GetCursorPosY() + ImGui::GetStyle().ItemSpacing.y +
                      std::max(ImGui::GetTextLineHeight(), all.ui.style.finger);
  // The texts shown alone have both sides' buttons in front of the first.
  const bool first = &slot == &all.slots.front();
  bool any = false;
  for (const Side side : both_sides) {
    if (all.alone ? !first : side != slot.side) continue;
    if (std::exchange(any, true)) ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
    draw_side_title(all.ui, side, ImGui::GetTextLineHeight());
  }
  if (std::ranges::count(all.slots, slot.side, &Slot::side) > 1) {
    if (any) ImGui::SameLine();
    muted_text(all.ui.style, fit_text(title_of(tr, slot, inputs, true), ImGui::GetContentRegionAvail().x));
  }
  ImGui::SetCursorPosY(below);  // the same for all boxes, whatever is above them
}

SentencePanels panels_of(const Slot& slot) {
  return panels_of_side(slot.side);
}

Panel panel_of(const Slot& slot) {
  return slot.axis == Axis::queries ? panels_of(slot).sentence : panels_of(slot).key_sentence;
}

const char* name_of(const Slot& slot) {
  return slot.axis == Axis::queries ? "sentence" : "key sentence";
}

/// The box; it gets the keyboard focus when its panel requests it. Entering a box of the comparison makes its
/// side the edited one.
void draw_box(Sentences& all, const Slot& slot, std::string& text, float lines) {
  ViewState& state = all.app.state;
  const Panel panel = panel_of(slot);
  if (state.panel_wanted == panel) {
    state.panel_wanted = Panel::none;
    slot.box.take_focus = true;
  }
  const Translator& tr = all.ui.tr;
  const bool before = slot.box.focused;
  edit_text(slot.box, name_of(slot), text, lines, all.ui.memory.typed,
            slot.axis == Axis::queries ? tr("Type or paste a sentence in any language")
                                       : tr("Type or paste the second sentence"),
            all.ui.style.fonts, tr);
  anchor(side_prefix(slot.side) + name_of(slot));
  if (slot.box.focused && !before && all.compares) state.edits = slot.side;
  if (slot.box.focused) state.panel = panel;
}

/// The tokens of a text, of a block that is in view or not.
struct SlotTokens {
  Ui ui;  ///< of its side
  TokenSide which;
  std::shared_ptr<const BlockTrace> block;
  bool still = false;

  const std::vector<Token>& list() const {
    return !still && which.axis == Axis::keys ? block->key_tokens : block->tokens;
  }
};

SlotTokens tokens_in_view(const Sentences& all, const Slot& slot, Axis axis) {
  const auto comparison = all.compares ? present_comparison(all.ui) : nullptr;
  SlotTokens tokens{
      side_of(all.app, all.ui, slot.side),
      {axis, slot.side, focus_of(all.ui.state, *all.ui.block, comparison.get(), slot.side), comparison},
      {}};
  if (slot.side == Side::b && comparison) tokens.ui.shown = comparison->shown_b;
  tokens.block = tokens.ui.block;
  return tokens;
}

/// None before the side's first run: only A's tokens exist then.
std::optional<SlotTokens> tokens_of(const Sentences& all, const Slot& slot) {
  if (slot.side == Side::b && !all.ui.other.block) return {};
  if (slot.tokens) return tokens_in_view(all, slot, *slot.tokens);
  if (!slot.still) return {};
  // Nothing moves when another block is chosen.
  return SlotTokens{side_of(all.app, all.ui, slot.side),
                    {slot.axis, slot.side},
                    block_of(all.app.trace(slot.side), *slot.still),
                    true};
}

std::optional<EditPlace> draw(const Sentences& all, const Slot& slot, SlotTokens& tokens,
                              const TokenStrip& strip) {
  if (!tokens.still) return draw_tokens(tokens.ui, tokens.which, strip);
  const char* const help = *slot.still == BlockKind::encoder ? all.ui.tr("Click to show the encoder's maps")
                                                             : all.ui.tr("Click to show the decoder's maps");
  bool pressed = false;
  const auto edit = draw_still_tokens(tokens.ui, tokens.which, tokens.list(), strip, help, pressed);
  if (pressed) show_block(all.app.state, *slot.still);
  return edit;
}

void draw_tokens_alone(const Sentences& all, const Slot& slot, SlotTokens tokens) {
  draw(all, slot, tokens, {chip_lines(all.ui, all.titles, all.compares)});
}

/// The token as a selection, or the end of the text for one that does not stand in it.
TextCursor selected(const std::string& text, const std::vector<Token>& tokens, std::ptrdiff_t i) {
  if (i < 0 || i >= std::ssize(tokens) || tokens[i].end <= tokens[i].begin) return {text.size(), text.size()};
  return {tokens[i].end, tokens[i].begin};
}

/// Puts the caret before or behind the token.
void begin_edit(const Sentences& all, const Slot& slot, const std::string& text,
                const std::vector<Token>& tokens, const EditPlace& place) {
  const TextCursor token = selected(text, tokens, place.token);
  const bool behind_all = !place.on_it && place.token + 1 >= std::ssize(tokens);
  const std::size_t caret = behind_all ? text.size() : place.before ? token.begin() : token.end();
  slot.box.cursor = {caret, caret};
  slot.box.began_at.reset();
  if (place.on_it) slot.box.began_at = token;
  slot.box.focused = slot.box.take_focus = true;
  if (all.compares) all.app.state.edits = slot.side;
}

/// While a click on a token has its row locked, that is the row of the token at the caret.
void follow_caret(const Sentences& all, const Slot& slot, SlotTokens& tokens) {
  SentenceBox& box = slot.box;
  if (!box.began_at || !all.app.state.lock || tokens.still) return;
  const std::size_t caret = box.cursor.caret;
  int i = 0;
  for (const Token& token : tokens.list()) {
    if (token.begin < token.end && token.begin <= caret && caret <= token.end) {
      box.began_at = TextCursor{token.end, token.begin};
      return lock_token(tokens.ui, tokens.which, tokens.list(), i);
    }
    ++i;
  }
}

/// A text as its tokens; while it is edited, as the field, in the same place.
void draw_strip(Sentences& all, const Slot& slot, SlotTokens& tokens, std::string& text) {
  const TokenStrip strip{chip_lines(all.ui, all.titles, all.compares), true,
                         side_prefix(slot.side) + name_of(slot)};
  const SentenceBox& box = slot.box;
  if (box.focused || box.take_focus || all.app.state.panel_wanted == panel_of(slot) ||
      tokens.list().empty()) {
    const float height = height_of_tokens(tokens.ui, tokens.which, tokens.list(), strip);
    const float lines = (height - 2 * ImGui::GetStyle().FramePadding.y) / ImGui::GetTextLineHeight();
    const std::size_t before = box.cursor.caret;
    // A phone has one row of tokens, the text two lines.
    const float least = all.ui.style.finger > 0 ? box_lines(box, all.compares) : 1;
    draw_box(all, slot, text, std::max(least, lines));
    if (box.focused && box.cursor.caret != before) follow_caret(all, slot, tokens);
    return;
  }
  if (const auto edit = draw(all, slot, tokens, strip)) begin_edit(all, slot, text, tokens.list(), *edit);
}

/// Warns of a text most of whose words are not in the model's vocabulary, and offers one whose words are.
void draw_unknown(const Sentences& all, const Slot& slot, Inputs& inputs) {
  const auto& trace = all.app.trace(slot.side);
  const bool of_it = slot.axis == Axis::queries && inputs.about().has_vocabulary && trace && trace->source &&
                     trace->inputs.model == inputs.model;
  if (!of_it || !mostly_unknown(trace->blocks.front().tokens)) return;
  const Translator& tr = all.ui.tr;
  const std::vector<Token>& tokens = trace->blocks.front().tokens;
  const auto count = static_cast<int>(tokens.size());
  const std::string text =
      tr.plural("{} of {} token is unknown to this model", "{} of {} tokens are unknown to this model", count,
                unknown_count(tokens), count);
  const std::string example = trace->source->known_text();
  const float em = all.ui.style.font_size, room = ImGui::GetContentRegionAvail().x;
  const float gap = ImGui::GetStyle().ItemSpacing.x + 2 * ImGui::GetStyle().FramePadding.x;
  const float minimum = std::min(room / 2, 9 * em);
  const std::string shown = fit_text(text, example.empty() ? room : room - minimum - gap);
  colored_line(palette(all.ui.style.theme).warning, shown);
  anchor(side_prefix(slot.side) + "unknown tokens");
  tooltip((shown == text ? "" : text + "\n") +
          tr("The model reads the same token in place of every word that is not in its vocabulary."));
  if (example.empty() || example == inputs.sentence) return;
  ImGui::SameLine();
  const std::string offer = fit_text(tr("Try: {}", example), ImGui::GetContentRegionAvail().x - gap);
  if (small_button(offer, side_prefix(slot.side) + "known text",
                   example + "\n" + tr("Takes this sentence; undo brings yours back.")))
    inputs.sentence = example;
}

/// What a model reads in place of a text.
struct InputFile {
  const char *open, *none, *name_mark, *open_mark;
  void (*command)(App& app);
};
constexpr InputFile picture_file{TR("Open picture…"), TR("Drop a picture on the window, paste or open one"),
                                 "picture name", "open picture", command_open_picture};
constexpr InputFile sound_file{TR("Open spectrogram…"),
                               TR("Drop a spectrogram (.npy) on the window or open one"), "sound name",
                               "open sound", command_open_sound};

/// The name of its file, and a button for another one.
void draw_file_name(Sentences& all, const Slot& slot, const InputFile& file, const std::string& path) {
  const Translator& tr = all.ui.tr;
  const char* const open = tr(file.open);
  const float button_width = ImGui::CalcTextSize(open).x + 2 * ImGui::GetStyle().FramePadding.x;
  const float room = ImGui::GetContentRegionAvail().x - button_width - ImGui::GetStyle().ItemSpacing.x;
  const std::string name = std::filesystem::path(path).filename().string();
  framed_text(fit_text(path.empty() ? tr(file.none) : drawn_text(name), room));
  anchor(side_prefix(slot.side) + file.name_mark);
  tooltip(drawn_text(path));
  ImGui::SameLine();
  if (!button(open, side_prefix(slot.side) + file.open_mark)) return;
  if (all.compares) all.app.state.edits = slot.side;
  file.command(all.app);
}

void draw_slot(Sentences& all, const Slot& slot) {
  Inputs& inputs = all.app.of(slot.side);
  ImGui::PushID(letter(slot.side));
  if (all.titles) draw_title(all, slot);
  for (const Side side : both_sides) {
    if (!all.compares || all.titles || (side != slot.side && !all.alone)) continue;
    draw_side_title(all.ui, side, ImGui::GetTextLineHeight() + 2 * ImGui::GetStyle().FramePadding.y);
    ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
  }
  ImGui::BeginGroup();
  if (!inputs.about().computes) {
    draw_sequence_choice(all.app, all.ui, slot.side);
    draw_tokens_alone(all, slot, tokens_in_view(all, slot, slot.tokens.value_or(slot.axis)));
    ImGui::EndGroup();
    return ImGui::PopID();
  }
  const Text before = inputs;
  const auto model = opened_model(all.app, slot.side);
  const bool pictured = model && model->about().reads_picture;
  if (pictured) draw_file_name(all, slot, picture_file, inputs.picture);
  if (slot.heard) draw_file_name(all, slot, sound_file, inputs.features);
  auto tokens = tokens_of(all, slot);
  std::string* const text =
      !slot.has_box || slot.heard || (pictured && !model->about().reads_sentences_of_picture) ? nullptr
      : slot.axis == Axis::queries ? &inputs.sentence
      : slot.target                ? &*inputs.target
                                   : &*inputs.key_sentence;
  const bool strip = text != nullptr && tokens && !pictured;
  if (strip)
    draw_strip(all, slot, *tokens, *text);
  else if (text != nullptr)
    draw_box(all, slot, *text, box_lines(slot.box, all.compares || all.titles));
  if (inputs.about().word_tokens) carry_boundaries(before, inputs);
  if (tokens && !strip) draw_tokens_alone(all, slot, *tokens);
  draw_unknown(all, slot, inputs);
  ImGui::EndGroup();
  ImGui::PopID();
}

/// The model reads both sentences of a pair as one text, with its own tokens between them.
void draw_pair_tokens(Sentences& all) {
  if (std::ranges::any_of(all.slots, &Slot::target)) return;  // the encoder's are below the first sentence
  for (const Slot& slot : all.slots) {
    const Inputs& inputs = all.app.of(slot.side);
    if (slot.axis != Axis::keys || slot.target || !inputs.about().reads_pairs) continue;
    ImGui::PushID((std::string("pair ") + letter(slot.side)).c_str());
    draw_tokens_alone(all, slot, tokens_in_view(all, slot, Axis::queries));
    ImGui::PopID();
  }
}

/// When B's sentence disappears while it is being edited, the focus moves to A's.
void go_on_in_a(PanelMemory& memory) {
  for (const auto box : {&PanelMemory::Sentences::sentence, &PanelMemory::Sentences::key_sentence}) {
    SentenceBox &a = memory.texts.a.*box, &b = memory.texts.b.*box;
    if (!std::exchange(b.focused, false)) continue;
    a.focused = true;
    a.cursor = b.cursor;
  }
}

/// Each side has one half of the width.
float column_end(const Sentences& all, std::size_t i) {
  const Side side = all.slots[i].side;
  const auto of_side = std::ranges::count(all.slots, side, &Slot::side);
  const auto before = std::count_if(all.slots.begin(), all.slots.begin() + i,
                                    [side](const Slot& slot) { return slot.side == side; });
  const float share = static_cast<float>(before + 1) / static_cast<float>(of_side);
  return all.compares && !all.alone ? (share + (side == Side::b ? 1 : 0)) / 2 : share;
}

/// Where texts would have a few words each, those of the edited side are shown.
void keep_edited_side(Sentences& all) {
  const float min_width = all.slots.size() > 2 ? 15 : 13;  // em
  const float width = ImGui::GetContentRegionAvail().x / all.ui.style.font_size;
  if (!all.compares || width >= min_width * static_cast<float>(all.slots.size())) return;
  ViewState& state = all.app.state;
  for (const Slot& slot : all.slots) {
    const SentencePanels panels = panels_of_side(slot.side);
    for (const Panel panel : {panels.sentence, panels.tokens, panels.key_sentence, panels.key_tokens})
      if (state.panel_wanted == panel) state.edits = slot.side;
  }
  std::vector<Slot> kept;
  std::ranges::copy_if(all.slots, std::back_inserter(kept),
                       [&](const Slot& slot) { return slot.side == state.edits; });
  all.slots.swap(kept);
  all.alone = true;
}

}  // namespace

void draw_sentence(App& app, Ui& ui) {
  Sentences all{app, ui, slots(app, ui.memory), app.compares()};
  keep_edited_side(all);
  all.titles = std::ranges::any_of(all.slots, [](const Slot& slot) { return slot.axis == Axis::keys; });
  const auto count = static_cast<int>(all.slots.size());
  const float width = ImGui::GetContentRegionAvail().x;
  if (count > 1) ImGui::Columns(count, "sentences", false);
  for (int i = 0; i < count; ++i) {
    if (i > 0) ImGui::NextColumn();
    if (i + 1 < count) ImGui::SetColumnOffset(i + 1, width * column_end(all, i));
    draw_slot(all, all.slots[i]);
  }
  if (count > 1) ImGui::Columns(1);
  draw_pair_tokens(all);
  draw_generation(app, ui);
  for (const Slot& slot : all.slots) leave_box(app, slot.box);
  if (!app.compares()) go_on_in_a(ui.memory);
  for (SentenceBox* box : ui.memory.boxes()) {
    const auto slot = std::ranges::find(all.slots, box, [](const Slot& s) { return &s.box; });
    if (slot == all.slots.end() || (all.compares && slot->side != app.state.edits)) box->focused = false;
  }
}

void draw_search_bar(Workspace& work, Ui& ui) {
  TokenSearch& search = ui.state.search;
  if (!search.open) return;
  const float em = ui.style.font_size;
  ImGui::SetNextItemWidth(std::min(14 * em, ImGui::GetContentRegionAvail().x - 12 * em));
  if (std::exchange(search.wants_keyboard, false)) focus_next_item();
  typed_text("###search", search.text, ui.tr("Word, phrase or #number"));
  anchor("search text");
  const bool typing = ImGui::IsItemActive(), left = ImGui::IsItemDeactivated();
  tooltip(ui.tr(
      "Finds tokens, marks their rows and columns on the maps and goes to them: Enter the next, Shift+Enter "
      "the previous one"));
  search.update(searched_block(work));
  const bool shift = ImGui::GetIO().KeyShift;
  if ((typing || left) && key_pressed(Key::enter)) {
    go_to_place(work, shift ? -1 : 1);
    search.wants_keyboard = true;
  }
  ImGui::SameLine();
  const auto count = static_cast<int>(search.places().size());
  ImGui::BeginDisabled(count == 0);
  if (icon_button("found before", Icon::left, ui.tr("Previous place (Shift+F3)"))) go_to_place(work, -1);
  ImGui::SameLine();
  if (icon_button("found next", Icon::right, ui.tr("Next place (F3)"))) go_to_place(work, 1);
  ImGui::EndDisabled();
  ImGui::SameLine();
  ImGui::AlignTextToFramePadding();
  const std::string reported = search.text.empty() ? std::string()
                               : count == 0        ? ui.tr("Not found")
                               : search.at >= 0    ? ui.tr("{} of {}", search.at + 1, count)
                                                   : ui.tr.plural("{} place", "{} places", count, count);
  const float close = ImGui::GetFrameHeight() + ImGui::GetStyle().ItemSpacing.x;
  muted_text(ui.style, fit_text(reported, ImGui::GetContentRegionAvail().x - close));
  anchor("found count");
  ImGui::SameLine();
  if (icon_button("close search", Icon::close, ui.tr("Close the search (Esc)"))) close_search(work);
  if ((typing || left) && key_pressed(Key::escape)) close_search(work);
}

}  // namespace headscope
