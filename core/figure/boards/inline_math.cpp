#include "core/figure/boards/inline_math.h"

#include <algorithm>

#include "core/base/utf8.h"
#include "core/figure/boards/board_column.h"
#include "core/figure/boards/formula.h"

namespace headscope {
namespace {

/// Of names as formulas write them; in UTF-8, √, − and ∞ are of three bytes.
std::size_t name_length(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size()) {
    const char c = text[end];
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '^')
      ++end;
    else if (text.substr(end).starts_with("√") || text.substr(end).starts_with("−") ||
             text.substr(end).starts_with("∞"))
      end += 3;
    else
      break;
  }
  return end - at;
}

/// "√d_k" as "\\sqrt{d_{\\text{k}}}".
std::string name_to_tex(std::string_view name) {
  if (name.starts_with("√")) return "\\sqrt{" + name_to_tex(name.substr(3)) + "}";
  const std::size_t sign = name.find_first_of("_^");
  if (sign == std::string_view::npos || sign == 0 || sign + 1 == name.size())
    return "\\text{" + std::string(name) + "}";
  return "\\text{" + std::string(name.substr(0, sign)) + "}" + name[sign] + "{\\text{" +
         std::string(name.substr(sign + 1)) + "}}";
}

/// One letter with a script, perhaps under a root: words with an underscore are none.
bool is_symbol(std::string_view name) {
  if (name.starts_with("√")) name.remove_prefix(3);
  return name.size() > 2 && (name[1] == '_' || name[1] == '^') && name[0] != '_' && name[0] != '^';
}

}  // namespace

std::string text_to_tex(std::string_view text) {
  std::string tex, plain;
  const auto end_plain = [&] {
    if (!plain.empty()) tex += "\\text{" + plain + "}";
    plain.clear();
  };
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = name_length(text, at);
    const std::string_view name = text.substr(at, length);
    if (length == 0) {
      const std::size_t next = code_point_end(text, at);
      plain += text.substr(at, next - at);
      at = next;
      continue;
    }
    if (!is_symbol(name)) {
      plain += name;
    } else {
      end_plain();
      tex += name_to_tex(name);
    }
    at += length;
  }
  end_plain();
  return tex;
}

Board math_paragraph(std::string_view text, double width, double size, Rgb color, const BoardStyle& style) {
  constexpr double spacing = 1.4;
  BoardStyle in_color = style;
  in_color.text = color;
  Board board;
  for (const std::string& line : wrapped(text, width, size, style.measure)) {
    const double middle = board.height + spacing * size / 2;
    if (line.find_first_of("_^") == std::string::npos || line.find_first_of("{}\\") != std::string::npos) {
      board.texts.push_back({line, 0, middle, {size, color, Anchor::start, false}});
      board.width = std::max(board.width, style.measure(line, size));
    } else {
      Formula formula = set_formula(text_to_tex(line), in_color, size);
      board.width = std::max(board.width, formula.board.width);
      add(board, std::move(formula.board), 0, middle - formula.baseline + baseline_drop * size);
    }
    board.height += spacing * size;
  }
  return board;
}

}  // namespace headscope
