#include "app/panels/sentence/translation_line.h"

#include <algorithm>
#include <cmath>

#include "app/panels/ui/sides.h"
#include "app/panels/widgets/glyphs.h"
#include "app/panels/widgets/theme.h"
#include "app/panels/widgets/widgets.h"
#include "app/state/lesson/play_lesson.h"
#include "app/state/workspace.h"
#include "core/scene/translation_text.h"
#include "core/source/translation.h"

namespace headscope {
namespace {

/// The line of one side; returns where it ends at the right.
class TranslationLine {
 public:
  TranslationLine(const Ui& ui, const Trace& trace, Side side, float right)
      : ui_(ui),
        translation_(*trace.translation),
        unchanged_(!trace.inputs.ablated_heads.empty() && !trace.translation->as_learnt),
        side_(side),
        right_(right) {
    const auto found =
        std::ranges::find(trace.blocks, BlockKind::decoder, [](const BlockTrace& x) { return x.shape.kind; });
    if (found != trace.blocks.end()) find_tokens(found->tokens);
  }

  void draw() {
    const Palette& theme = palette(ui_.style.theme);
    ImGui::BeginGroup();
    const std::vector<std::string> outside = outside_texts(ui_.tr, translation_);
    const std::string was =
        translation_.as_learnt ? ui_.tr("was: {}", drawn_text(*translation_.as_learnt)) : "";
    const std::vector<std::string> same{ui_.tr("The translation is unchanged."), ui_.tr("unchanged")};
    // The translation takes most of the line and the notes the rest; the tooltip has the full text.
    const float em = ui_.style.font_size, all = right_ - ImGui::GetCursorScreenPos().x;
    const auto width_of = [&](bool there, const std::string& note) {
      return there ? em + ImGui::CalcTextSize(drawn_text(note).c_str()).x : 0;
    };
    const float notes = width_of(!outside.empty(), outside.empty() ? "" : outside.back()) +
                        width_of(!was.empty(), was) + width_of(unchanged_, same.back());
    draw_text(std::max(0.55F * all, all - std::ceil(notes)));
    const auto part = [&](const std::vector<std::string>& texts, ImU32 color, const char* mark) {
      if (texts.empty()) return;
      ImGui::SameLine(0, em);
      const float room = right_ - ImGui::GetCursorScreenPos().x;
      if (room < 3 * em) return;
      const auto fits = [&](const std::string& one) {
        return ImGui::CalcTextSize(drawn_text(one).c_str()).x <= room;
      };
      const auto found = std::ranges::find_if(texts, fits);
      const std::string& text = found == texts.end() ? texts.back() : *found;
      colored_line(color, fit_text(drawn_text(text), room));
      anchor(side_prefix(side_) + mark);
    };
    part(outside, theme.warning, "outside");
    if (!was.empty()) part({was}, theme.muted, "as learnt");
    if (unchanged_) part(same, theme.muted, "translation unchanged");
    ImGui::EndGroup();
    anchor(side_prefix(side_) + "translation");
    report(outside.empty() ? std::string() : outside.front(), was);
  }

 private:
  /// A marked token, as bytes [begin, end) of the text.
  struct Mark {
    std::size_t begin = 0, end = 0;
    bool changed = false, placeholder = false;
  };

  void find_tokens(const std::vector<Token>& tokens) {
    std::size_t from = 0;
    for (std::size_t i = 1; i < tokens.size(); ++i) {
      std::string text = tokens[i].text;
      if (tokens[i].placeholder) {
        constexpr std::size_t bracket = 3;  // bytes of ⟨ and ⟩
        text = text.substr(bracket, text.size() - 2 * bracket);
      }
      text.erase(0, std::min(text.find_first_not_of(' '), text.size()));
      const std::size_t at = text.empty() ? std::string::npos : translation_.text.find(text, from);
      if (at == std::string::npos) continue;
      from = at + text.size();
      const bool changed = i - 1 < translation_.changed.size() && translation_.changed[i - 1];
      if (changed || tokens[i].placeholder) marks_.push_back({at, from, changed, tokens[i].placeholder});
    }
  }

  /// Fits it to `room`; marks are behind and below the words.
  void draw_text(float room) {
    const Palette& theme = palette(ui_.style.theme);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float height = ImGui::GetTextLineHeight();
    const std::string whole = translation_.text.empty() ? ui_.tr("(nothing is written)") : translation_.text;
    const std::string shown = fit_text(drawn_text(whole), room);
    const auto width_to = [&](std::size_t bytes) {
      return ImGui::CalcTextSize(drawn_text(std::string_view(whole).substr(0, bytes)).c_str()).x;
    };
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float end = at.x + ImGui::CalcTextSize(shown.c_str()).x;
    for (const Mark& mark : marks_) {
      const float left = at.x + width_to(mark.begin), right = std::min(end, at.x + width_to(mark.end));
      if (right <= left) continue;
      if (mark.changed) list.AddRectFilled({left, at.y}, {right, at.y + height}, theme.accent_soft);
      const float line = std::max(1.0F, ui_.style.font_size / 12);
      list.AddLine({left, at.y + height - line / 2}, {right, at.y + height - line / 2},
                   mark.changed ? theme.accent : theme.warning, line);
    }
    ImGui::TextUnformatted(shown.c_str());
    anchor(side_prefix(side_) + "translation text");
  }

  void report(const std::string& outside, const std::string& was) const {
    if (!ImGui::IsItemHovered()) return;
    std::string text = translation_.text;
    if (!was.empty()) text += "\n" + was + "\n" + ui_.tr("Words that are not in what was learnt are marked.");
    if (!translation_.unknown.empty() && !translation_.outside)
      text += std::string("\n") +
              ui_.tr("The model does not know the underlined words; they are copied as they are.");
    if (unchanged_) text += std::string("\n") + ui_.tr("The translation is unchanged.");
    if (!outside.empty()) text += "\n" + outside;
    tooltip(drawn_lines(text));
  }

  /// Converts each line for drawing.
  static std::string drawn_lines(const std::string& text) {
    std::string drawn;
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      drawn += (begin > 0 ? "\n" : "") + drawn_text(std::string_view(text).substr(begin, end - begin));
      begin = end + 1;
    }
    return drawn;
  }

  const Ui& ui_;
  const Translation& translation_;
  const bool unchanged_;  ///< although heads are off
  Side side_;
  float right_;
  std::vector<Mark> marks_;
};

bool has_translation(const Inputs& inputs, const std::shared_ptr<const Trace>& trace) {
  return inputs.about().has_decoder && !inputs.target && trace && trace->translation &&
         trace->blocks.front().n_q() > 0;
}

/// Whether it replaces a title. A low window always reserves that space: nothing moves while a sentence is
/// typed.
bool is_in_title(const Workspace& work) {
  return is_low_window() && !work.compares() && has_translation(work.inputs, work.trace());
}

}  // namespace

bool draw_translation_as_title(Workspace& work, Ui& ui) {
  if (!is_in_title(work)) return false;
  const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
  TranslationLine(ui, *work.trace(), Side::a, right).draw();
  return true;
}

bool draw_translation(Workspace& work, Ui& ui) {
  if (is_in_title(work)) return true;
  const Both<bool> has{has_translation(work.inputs, work.trace()),
                       work.compares() && has_translation(*work.compare, work.trace(Side::b))};
  if (!has.a && !has.b) return false;
  // Below the boxes, which are in columns.
  const float inset = ImGui::GetStyle().ItemSpacing.x;
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + inset);
  const float left = ImGui::GetCursorScreenPos().x, width = ImGui::GetContentRegionAvail().x - inset;
  const float gap = ui.style.font_size;
  for (const Side side : both_sides) {
    if (!has[side]) continue;
    if (side == Side::b) {
      if (has.a) ImGui::SameLine();
      ImGui::SetCursorScreenPos({left + width / 2, ImGui::GetCursorScreenPos().y});
    }
    if (ui.style.presented && work.compares()) {  // otherwise they are below their names
      muted_text(ui.style, letter(side));
      ImGui::SameLine();
    }
    if (side == Side::b && withholds_text(work)) {  // a question may be about it
      ImGui::TextUnformatted("?");
      continue;
    }
    const bool beside = side == Side::a && work.compares();
    TranslationLine(ui, *work.trace(side), side, left + (beside ? width / 2 - gap : width)).draw();
  }
  return true;
}

}  // namespace headscope
