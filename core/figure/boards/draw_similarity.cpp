#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/figure/boards/draw_parts.h"
#include "core/scene/labels.h"

namespace headscope {
namespace {

/// The matrix and what surrounds it, in points.
struct Places {
  Rect map;
  double font = 0;
  double size = 0;              // of the heads' numbers
  double strip = 0, names = 0;  // space left of the matrix
  double tree = 0;              // height above it
  double columns = 0;           // of the heads' numbers below it
  bool rotated = false;         // the numbers below
  double cell(int heads) const { return map.width / heads; }
};

std::vector<std::string> names_of(const HeadTree& tree, const Scene& scene) {
  std::vector<std::string> names;
  for (const HeadSimilarity::Head& head : tree.heads)
    names.push_back(short_head_title(scene, head.layer, head.head));
  return names;
}

constexpr double longest_column = 8;  // of the name of a column, sizes of text

Places place(const FigurePen& pen, const std::vector<std::string>& names, bool grouped, const Rect& area,
             double font) {
  Places p;
  p.font = font;
  const double widest = pen.widest(names, font);
  p.names = std::min(widest, 10 * font) + 1.6 * font;
  p.strip = grouped ? 1.8 * font : 0;
  p.tree = std::clamp(0.14 * area.height, 2 * font, 8 * font);
  const double above = p.tree + 2.2 * font, right = 5 * font;
  double below = 0, side = 0;
  const auto place_with = [&](double columns) {
    p.columns = columns;
    below = columns + 1.6 * font;
    side = std::max(1.0, std::min(area.width - p.names - p.strip - right, area.height - above - below));
  };
  place_with(1.3 * font);
  p.rotated = widest + 0.4 * font > side / static_cast<double>(names.size());
  if (p.rotated) place_with(std::min(widest, longest_column * font) + 0.6 * font);
  if (p.columns > side) place_with(0);  // the matrix itself takes precedence
  const double x = area.x + (area.width - p.names - p.strip - right - side) / 2 + p.names + p.strip;
  p.map = {x, area.y + above + (area.height - above - below - side) / 2, side, side};
  p.size = std::max(std::min(font, p.cell(static_cast<int>(names.size())) / 1.1),
                    std::min(pen.style.smallest, font));
  return p;
}

/// With smaller text if the matrix would get too small otherwise.
Places place(const FigurePen& pen, const std::vector<std::string>& names, bool grouped, const Rect& area) {
  constexpr double enough = 0.35, smaller = 0.85, smallest = 1;
  double font = pen.style.font_size;
  Places p = place(pen, names, grouped, area, font);
  while (p.map.width < enough * std::min(area.width, area.height) && font > smallest) {
    font *= smaller;
    p = place(pen, names, grouped, area, font);
  }
  return p;
}

/// Height is the distance at which two groups were joined.
void draw_tree(const FigurePen& pen, const HeadTree& tree, const Places& p) {
  const double cell = p.cell(static_cast<int>(tree.heads.size())), base = p.map.y - 2;
  const bool grouped = tree.blocks.size() > 1;
  const auto y = [&](double height) { return base - p.tree * tree.share(height); };
  for (const HeadTree::Bracket& b : tree.brackets) {
    const bool strong = grouped && b.within;
    const Rgb color = strong ? pen.style.text : pen.style.muted;
    const double width = std::min(strong ? 1.0 : 0.6, cell / 4);
    const double left = p.map.x + b.left * cell, right = p.map.x + b.right * cell;
    pen.canvas.line(left, y(b.left_height), left, y(b.height), width, color, 1);
    pen.canvas.line(right, y(b.right_height), right, y(b.height), width, color, 1);
    pen.canvas.line(left, y(b.height), right, y(b.height), width, color, 1);
  }
  if (!grouped) return;
  constexpr double dash = 3;
  for (double x = p.map.x; x < p.map.right(); x += 2 * dash)
    pen.canvas.line(x, y(tree.cut), std::min(x + dash, p.map.right()), y(tree.cut), 0.8, pen.style.warning,
                    1);
}

/// A frame around each group's block, light within dark so that it is visible on every colour, and its
/// number.
void draw_groups(const FigurePen& pen, const HeadTree& tree, const Places& p,
                 std::vector<BoardRegion>& regions) {
  const double cell = p.cell(static_cast<int>(tree.heads.size())), font = p.font;
  const double width = std::clamp(cell / 5, 0.7, 1.1);
  double written = p.map.y - font;
  for (std::size_t g = 0; g < tree.blocks.size(); ++g) {
    const auto [begin, end] = tree.blocks[g];
    const Rect block{p.map.x + begin * cell, p.map.y + begin * cell, (end - begin) * cell,
                     (end - begin) * cell};
    for (const auto& [line, color] : {std::pair{2.4 * width, Rgb{0, 0, 0}}, {width, Rgb{255, 255, 255}}})
      draw_edges(pen.canvas,
                 {block.x + line / 2, block.y + line / 2, block.width - line, block.height - line}, line,
                 color);
    regions.push_back(
        {{p.map.x - p.strip, block.y, p.strip, block.height}, fmt::format("group {}", g + 1), ""});
    const double x = p.map.x - 0.9 * font, middle = block.y + block.height / 2;
    const double inset = std::min(0.15 * font, 0.1 * block.height);
    pen.canvas.line(p.map.x - 0.35 * font, block.y + inset, p.map.x - 0.35 * font, block.bottom() - inset,
                    1.2, pen.style.text, 1);
    if (middle - written < font) continue;
    pen.text(std::to_string(g + 1), x, middle, font, pen.style.text, Anchor::middle);
    written = middle;
  }
}

/// A name fits at every n-th head.
std::size_t name_step(const Places& p, std::size_t heads) {
  return static_cast<std::size_t>(
      std::max(1.0, std::ceil(1.05 * p.size / p.cell(static_cast<int>(heads)) - 1e-9)));
}

void draw_names(const FigurePen& pen, const HeadTree& tree, const Scene& scene,
                const std::vector<std::string>& names, const Places& p) {
  const double size = p.size;
  const int count = static_cast<int>(names.size());
  const double cell = p.cell(count), dot = std::min(0.7 * size, 0.8 * cell);
  const int step = static_cast<int>(name_step(p, names.size()));
  const double right = p.map.x - p.strip - 0.4 * p.font;
  for (int i = 0; i < count; ++i) {
    const auto& [layer, head] = tree.heads[i];
    const double y = p.map.y + (i + 0.5) * cell;
    pen.canvas.fill({right - dot, y - dot / 2, dot, dot},
                    labelled_color(scene.labels, *scene.block, layer, head));
    if (i % step == 0)
      pen.text(pen.shortened(names[i], p.names - 1.4 * p.font, size), right - 0.7 * size - 0.3 * size, y,
               size, pen.style.text, Anchor::end);
  }
}

void draw_column_names(const FigurePen& pen, const std::vector<std::string>& names, const Places& p) {
  if (p.columns == 0) return;
  const double size = p.size, cell = p.cell(static_cast<int>(names.size()));
  const std::size_t step = name_step(p, names.size());
  const double y = p.map.bottom() + 0.3 * p.font;
  for (std::size_t i = 0; i < names.size(); i += step) {
    const double x = p.map.x + (static_cast<double>(i) + 0.5) * cell;
    if (p.rotated)
      pen.text(pen.shortened(names[i], p.columns - 0.4 * p.font, size), x, y, size, pen.style.text,
               Anchor::end, true);
    else
      pen.text(names[i], x, y + size / 2, size, pen.style.text, Anchor::middle);
  }
}

/// A line of text centred on the map, which may be narrower.
Rect line_at(const Places& p, double y, double height, const Rect& area) {
  const double middle = p.map.x + p.map.width / 2;
  const double half = std::min({middle - area.x, area.right() - middle, p.map.width / 2 + p.names});
  return {middle - half, y, 2 * half, height};
}

}  // namespace

MapPicture similarity_picture(const std::shared_ptr<const HeadTree>& tree, Colormap colormap) {
  const auto count = static_cast<int>(tree->heads.size());
  MapPicture picture =
      map_picture(tree->distance.data(), nullptr, count, count, colors(colormap), {0, tree->largest, false});
  picture.owner = tree;
  return picture;
}

std::vector<BoardRegion> draw_similarity_matrix(const FigurePen& pen,
                                                const std::shared_ptr<const HeadTree>& owner,
                                                const Scene& scene, const Rect& area, bool titled) {
  const HeadTree& tree = *owner;
  const std::vector<std::string> names = names_of(tree, scene);
  const Places p = place(pen, names, tree.blocks.size() > 1, area);
  const double font = p.font;
  std::vector<BoardRegion> regions{{p.map, "matrix", ""}};
  if (titled)
    pen.heading(pen.tr("Similarity of heads"), line_at(p, p.map.y - p.tree - 2.2 * font, 1.4 * font, area),
                1.1 * font, pen.style.text);
  draw_tree(pen, tree, p);
  const MapPicture picture = similarity_picture(owner, scene.view.colormap);
  pen.map(picture, p.map);
  if (tree.blocks.size() > 1) draw_groups(pen, tree, p, regions);
  draw_names(pen, tree, scene, names, p);
  draw_column_names(pen, names, p);
  const Rect bar{p.map.right() + font, p.map.y, 0.7 * font, std::min(p.map.height, 20 * font)};
  const double x = bar.right() + 0.3 * font;
  draw_color_bar(pen, {bar, {x, bar.y, 3 * font, bar.height}}, font, *picture.colors, picture.range);
  pen.heading(pen.tr("Jensen–Shannon distance"),
              line_at(p, p.map.bottom() + p.columns + 0.3 * font, 1.3 * font, area), font, pen.style.muted);
  regions.push_back({{p.map.x, p.map.bottom(), p.map.width, p.columns}, "matrix columns", ""});
  regions.push_back({{bar.x, bar.y, 4 * font, bar.height}, "matrix bar", ""});
  return regions;
}

}  // namespace headscope
