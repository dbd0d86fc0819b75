#include "core/figure/canvas/patch_picture.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/utf8.h"
#include "core/text/token_label.h"

namespace headscope {
namespace {

// The opacity of the colour over a picture at the upper end of the range; at the lower end it is 0.
constexpr double max_opacity = 0.7;

/// The colour of a picture over white, at a position from 0 to 1 each way.
std::array<double, 3> color_at(const Picture& picture, double x, double y) {
  const auto pixel = [](double place, int side) {
    return static_cast<std::size_t>(std::clamp(static_cast<int>(place * side), 0, side - 1));
  };
  const std::size_t at = 4 * (pixel(y, picture.height) * picture.width + pixel(x, picture.width));
  const double alpha = picture.rgba[at + 3] / 255.0;
  const auto over_white = [&](std::size_t part) {
    return alpha * picture.rgba[at + part] + (1 - alpha) * 255;
  };
  return {over_white(0), over_white(1), over_white(2)};
}

}  // namespace

std::shared_ptr<const Picture> picture_below(const Patches& patches) {
  if (patches.shown || patches.picture.empty()) return patches.shown;
  constexpr int longest = 1024;
  return std::make_shared<const Picture>(scaled_down(read_picture(patches.picture), longest));
}

std::optional<PatchRow> patch_row(const BlockTrace& block, int layer, const Cell& cell) {
  if (!block.key_patches || layer < 0 || layer >= block.layer_count() || cell.head < 0 ||
      cell.head >= block.heads() || cell.query < 0 || cell.query >= block.n_q())
    return {};
  PatchRow row{*block.key_patches, cell.head, cell.query, layer, {}, 0};
  const MapSource& maps = cell_value(block.cells.value).is_signed ? *block.maps : block.shown_maps();
  const MapRows rows(maps, layer, cell.head, cell.query, cell.query + 1);
  const float* weights = rows.row(cell.query);
  for (int key = 0; key < block.n_k(); ++key)
    if (row.patches.of_token(key) >= 0)
      row.weights.push_back(weights[key]);
    else
      row.other += weights[key];
  return row;
}

ColorRange own_range(const PatchRow& row) {
  ColorRange range;
  const float largest = std::ranges::max(row.weights);
  if (largest > 0) range.high = largest;
  return range;
}

Picture patch_picture(const PatchRow& row, const std::array<Rgb, 256>& colors, const ColorRange& range,
                      const Picture* below, int side) {
  const int columns = row.patches.columns, rows = row.patches.rows;
  const int pixels = std::max(1, side / std::max(columns, rows));
  Picture picture;
  picture.width = columns * pixels;
  picture.height = rows * pixels;
  picture.rgba.reserve(4 * static_cast<std::size_t>(picture.width) * picture.height);
  for (int y = 0; y < picture.height; ++y)
    for (int x = 0; x < picture.width; ++x) {
      const std::size_t patch = y / pixels * columns + x / pixels;
      const Rgb color = colors[range.index(row.weights[patch])];
      const double along = std::clamp(static_cast<double>(range.position(row.weights[patch])), 0.0, 1.0);
      const double share = below == nullptr ? 1 : along * max_opacity;
      std::array<double, 3> under{};
      if (below != nullptr) under = color_at(*below, (x + 0.5) / picture.width, (y + 0.5) / picture.height);
      const int over[] = {color.r, color.g, color.b};
      for (std::size_t part = 0; part < under.size(); ++part)
        picture.rgba.push_back(
            static_cast<std::uint8_t>(std::lround(share * over[part] + (1 - share) * under[part])));
      picture.rgba.push_back(255);
    }
  return picture;
}

std::string patch_title(const Translator& tr, const BlockTrace& block, const PatchRow& row,
                        const std::vector<HeadLabel>& labels) {
  constexpr std::size_t longest = 24;
  return head_title(tr, labels, row.layer, row.head) + " · " +
         tr("from {}", token_label(cut_off(block.tokens[row.query].text, longest)));
}

}  // namespace headscope
