#include "core/figure/boards/cause_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/analysis/expectations.h"
#include "core/figure/boards/word_boxes.h"
#include "core/inputs/names.h"
#include "core/scene/colormap.h"
#include "core/scene/readable_numbers.h"
#include "core/scene/source_title.h"
#include "core/text/token_label.h"

namespace headscope {
namespace {

HeadPlace layer_of(const HeadPlace& head) {
  return {head.block, head.layer, 0};
}

/// From the first that reads to the last.
std::vector<HeadPlace> layers_of(const std::vector<HeadPlace>& heads) {
  std::vector<HeadPlace> layers;
  for (const HeadPlace& head : heads)
    if (layers.empty() || layers.back() != layer_of(head)) layers.push_back(layer_of(head));
  const auto order = [](const HeadPlace& layer) {
    return std::tuple(layer.block != BlockKind::encoder, layer.layer, layer.block == BlockKind::cross);
  };
  std::ranges::sort(layers, {}, order);
  return layers;
}

bool overlap(const Rect& a, const Rect& b) {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.bottom() && b.y < a.bottom();
}

}  // namespace

Board cause_graph(const Scene& scene, const HeadPaths& paths, const CauseQuestion& question, double largest,
                  const BoardStyle& style, BoardRoom room, const Translator& tr) {
  Board board;
  board.width = room.width;
  const CellPen pen{board, style};
  const double em = style.font_size;
  const int decimals = column_decimals(largest);
  const std::vector<HeadPlace> layers = layers_of(paths.heads);
  const double step = room.fill
                          ? std::max(3 * em, room.height / static_cast<double>(layers.size() + 1))
                          : std::clamp(room.height / static_cast<double>(layers.size() + 1), 5 * em, 9 * em);
  board.height = step * static_cast<double>(layers.size() + 1);
  double left = 4 * em;
  for (const HeadPlace& layer : layers)
    if (layer.block != BlockKind::self)
      left = std::max(left, style.measure(block_title(tr, layer.block), style.sized(0.85)) + em);
  const double node_width = 5.5 * em, node_height = 2.6 * em;
  const auto place = [&](const HeadPlace& head) -> Rect {
    const auto same = [&](const HeadPlace& one) { return layer_of(one) == layer_of(head); };
    const auto of_layer = std::ranges::count_if(paths.heads, same);
    const auto before = std::ranges::count_if(
        paths.heads, [&](const HeadPlace& one) { return same(one) && one.head < head.head; });
    const auto row = std::ranges::find(layers, layer_of(head)) - layers.begin();
    const double across = (room.width - left) / static_cast<double>(of_layer);
    // Single heads above each other are staggered, so that a path passes beside the heads that it skips.
    const double aside = of_layer > 1 ? 0 : (row % 2 == 0 ? -0.14 : 0.14) * (room.width - left);
    const double x = left + (static_cast<double>(before) + 0.5) * across + aside;
    const double y = board.height - (static_cast<double>(row) + 0.5) * step;
    const double width = std::min(node_width, 0.9 * across);
    return {x - width / 2, y - node_height / 2, width, node_height};
  };
  const double middle = left + (room.width - left) / 2;
  const Rect answer{middle - 1.2 * node_width, step / 2 - node_height / 2, 2.4 * node_width, node_height};
  std::vector<BoardText> beside;  // of the paths, above all of them
  std::vector<Rect> taken{answer};
  for (const HeadPlace& head : paths.heads) taken.push_back(place(head));
  std::vector<HeadPath> sorted = paths.paths;
  std::ranges::stable_sort(sorted, std::greater(),
                           [](const HeadPath& path) { return std::abs(path.change); });
  for (const HeadPath& path : sorted) {
    const double share = std::abs(path.change) / largest;
    if (share < 0.02) continue;
    const Rect from = place(path.from), into = path.into ? place(*path.into) : answer;
    const Rgb color = blend(diverging_color(path.change, largest, scene.view.theme), style.muted, 0.25);
    const double x0 = from.x + from.width / 2, y0 = from.y, x1 = into.x + into.width / 2, y1 = into.bottom();
    const double wide = 0.08 * em + 0.35 * em * share;
    arrow(board, x0, y0, x1, y1 + wide + 0.2 * em, 0.7 * em, wide, color);
    const std::string number = signed_in_column(path.change, decimals);
    // To the right, and away from the side to which the arrow leans.
    const double lean = std::clamp((x1 - x0) / (y0 - y1), -1.0, 1.0);
    const double size = style.sized(0.8), width = style.measure(number, size);
    const auto place_at = [&](double at) -> Rect {
      return {x0 + at * (x1 - x0) + 0.4 * em + wide, y0 + at * (y1 - y0) + 0.7 * em * lean - size / 2, width,
              size};
    };
    // Where it hides neither a box nor a larger number; left out if there is no such place.
    constexpr double shares[] = {0.42, 0.3, 0.55, 0.2, 0.68, 0.12, 0.8, 0.9};
    const auto free = std::ranges::find_if(shares, [&](double at) {
      const Rect rect = place_at(at);
      return std::ranges::none_of(taken, [&](const Rect& other) { return overlap(rect, other); });
    });
    if (free == std::end(shares)) continue;
    const Rect rect = place_at(*free);
    taken.push_back(rect);
    beside.push_back({number, rect.x, rect.y + size / 2, {size, style.text, Anchor::start, false}});
  }
  board.texts.insert(board.texts.end(), beside.begin(), beside.end());
  const auto node = [&](const Rect& rect, const std::string& title, const std::string& below) {
    board.fills.push_back({rect, style.panel});
    frame(board, rect, 1, style.border);
    pen.text(title, {rect.x, rect.y, rect.width, below.empty() ? rect.height : 0.55 * rect.height}, 1,
             style.text);
    if (!below.empty())
      pen.text(below, {rect.x, rect.y + 0.48 * rect.height, rect.width, 0.5 * rect.height}, 0.8, style.muted);
  };
  const std::string token = predicted_label(tr, *scene.trace, question.answer);
  node(answer,
       question.against ? tr("“{}” − “{}”", token, predicted_label(tr, *scene.trace, *question.against))
                        : tr("“{}”", token),
       "");
  for (std::size_t i = 0; i < paths.heads.size(); ++i) {
    const HeadPlace& head = paths.heads[i];
    const Rect rect = place(head);
    const std::string change = with_minus(fmt::format("{:+.2f}", paths.changes[i]));
    node(rect, head_number(head.layer, head.head), change);
    std::string where = tr("Layer {}, head {}", head.layer + 1, head.head + 1), name = "path";
    if (head.block != BlockKind::self) {
      where = block_title(tr, head.block) + " · " + where;
      name += fmt::format(" {}", to_name(head.block));
    }
    board.regions.push_back({rect, fmt::format("{} {} {}", name, head.layer, head.head),
                             tr("{}: {}", where, tr("{} with the whole head off", change)),
                             CauseTarget{head.block, head.layer, head.head, -1, -1, 0}});
  }
  for (std::size_t row = 0; row < layers.size(); ++row) {
    const HeadPlace& layer = layers[row];
    const double y = board.height - (static_cast<double>(row) + 0.5) * step;
    const bool of_block = layer.block != BlockKind::self;
    const auto label = [&](const std::string& text, double at) {
      pen.label(text, 0, at, 0.85, style.muted, Anchor::start, left);
    };
    if (of_block) label(block_title(tr, layer.block), y - 0.6 * em);
    label(tr("Layer {}", layer.layer + 1), of_block ? y + 0.6 * em : y);
  }
  return board;
}

}  // namespace headscope
