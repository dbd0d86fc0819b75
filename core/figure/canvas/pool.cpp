#include "core/figure/canvas/pool.h"

#include <algorithm>
#include <cmath>

#include "core/analysis/filtered_layer.h"

namespace headscope {
namespace {

/// What one axis shows: the cells of each texel, and the texel of each pixel.
struct PooledAxis {
  std::vector<CellSpan> texel_cells;
  std::vector<int> pixel_texel;
};

PooledAxis pool_axis(double begin, double end, Index n, int pixels) {
  PooledAxis axis;
  axis.pixel_texel.assign(pixels, -1);
  for (int pixel = 0; pixel < pixels; ++pixel) {
    const CellSpan span = cells_of_pixel(begin, end, n, pixels, pixel);
    if (span.empty()) continue;
    if (axis.texel_cells.empty() || axis.texel_cells.back() != span) axis.texel_cells.push_back(span);
    axis.pixel_texel[pixel] = static_cast<int>(axis.texel_cells.size()) - 1;
  }
  return axis;
}

// Written for the vectorizer: one comparison and one selection a cell.
void take_larger(float* largest, const float* values, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) largest[i] = values[i] > largest[i] ? values[i] : largest[i];
}

void take_larger_shown(float* largest, const float* values, const std::uint8_t* blocked, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const float hidden = blocked[i] == cell_masked ? all_masked : none_shown;
    const float value = blocked[i] == cell_shown ? values[i] : hidden;
    largest[i] = value > largest[i] ? value : largest[i];
  }
}

bool is_shown(float value) {
  return value > none_shown;
}

float farther(float a, float b) {
  if (!is_shown(a) || !is_shown(b)) return std::max(a, b);
  return std::abs(b) > std::abs(a) ? b : a;
}

/// The value in place of a hidden cell.
float cell_value(const MapPart& part, Index cell) {
  if (part.blocked == nullptr || part.blocked[cell] == cell_shown) return part.values[cell];
  return part.blocked[cell] == cell_masked ? all_masked : none_shown;
}

/// Its values multiplied by the factors of their rows; empty without any.
std::vector<float> scaled_rows(const MapPart& part) {
  std::vector<float> values;
  if (part.row_factors == nullptr) return values;
  values.reserve(part.n_q * part.n_k);
  for (Index row = 0, cell = 0; row < part.n_q; ++row)
    for (Index column = 0; column < part.n_k; ++column, ++cell)
      values.push_back(part.values[cell] * part.row_factors[row]);
  return values;
}

void pool_farthest(const MapPart& part, const std::vector<CellSpan>& rows,
                   const std::vector<CellSpan>& columns, float* out) {
  for (const CellSpan& row : rows) {
    std::fill_n(out, columns.size(), all_masked);
    for (Index query = row.first; query <= row.last; ++query)
      for (std::size_t i = 0; i < columns.size(); ++i)
        for (Index key = columns[i].first; key <= columns[i].last; ++key)
          out[i] = farther(out[i], cell_value(part, query * part.n_k + key));
    out += columns.size();
  }
}

void pool_mean(const MapPart& part, const std::vector<CellSpan>& rows, const std::vector<CellSpan>& columns,
               float* out) {
  std::vector<double> sums(columns.size());
  std::vector<Index> counts(columns.size());
  for (const CellSpan& row : rows) {
    std::ranges::fill(sums, 0);
    std::ranges::fill(counts, 0);
    std::fill_n(out, columns.size(), all_masked);
    for (Index query = row.first; query <= row.last; ++query)
      for (std::size_t i = 0; i < columns.size(); ++i)
        for (Index key = columns[i].first; key <= columns[i].last; ++key) {
          const float value = cell_value(part, query * part.n_k + key);
          if (is_shown(value))
            sums[i] += value, ++counts[i];
          else
            out[i] = std::max(out[i], value);
        }
    for (std::size_t i = 0; i < columns.size(); ++i)
      if (counts[i] > 0) out[i] = static_cast<float>(sums[i] / static_cast<double>(counts[i]));
    out += columns.size();
  }
}

}  // namespace

CellSpan cells_of_pixel(double begin, double end, Index n, int pixels, int pixel) {
  const double cells = (end - begin) / pixels;  // a pixel's
  const auto limit = static_cast<double>(n);
  if (pixels <= 0 || pixel < 0 || pixel >= pixels || !(cells > 0)) return {};
  if (cells < 1) {
    const double cell = std::floor(begin + (pixel + 0.5) * cells);
    if (cell < 0 || cell >= limit) return {};
    return {static_cast<int>(cell), static_cast<int>(cell)};
  }
  // The last pixel ends where the part ends, regardless of rounding.
  const auto edge = [&](int p) { return p == pixels ? std::ceil(end) : std::floor(begin + p * cells); };
  const double first = std::max(edge(pixel), 0.0), last = std::min(edge(pixel + 1), limit) - 1;
  if (first > last) return {};
  return {static_cast<int>(first), static_cast<int>(last)};
}

void pool(const MapPart& request, PooledMap& pooled) {
  MapPart part = request;
  PooledAxis rows = pool_axis(part.query_begin, part.query_end, part.n_q, part.height);
  PooledAxis columns = pool_axis(part.key_begin, part.key_end, part.n_k, part.width);
  pooled.pixel_row = std::move(rows.pixel_texel);
  pooled.pixel_column = std::move(columns.pixel_texel);
  pooled.rows = static_cast<int>(rows.texel_cells.size());
  pooled.columns = static_cast<int>(columns.texel_cells.size());
  pooled.values.resize(rows.texel_cells.size() * columns.texel_cells.size());
  if (pooled.values.empty()) return;
  const auto scaled = scaled_rows(part);
  if (!scaled.empty()) part.values = scaled.data();
  if (part.pooling == Pooling::farthest)
    return pool_farthest(part, rows.texel_cells, columns.texel_cells, pooled.values.data());
  if (part.pooling == Pooling::mean)
    return pool_mean(part, rows.texel_cells, columns.texel_cells, pooled.values.data());

  const int first_key = columns.texel_cells.front().first;
  const std::size_t keys = columns.texel_cells.back().last - first_key + 1;
  std::vector<float> largest(keys);
  float* out = pooled.values.data();
  for (const CellSpan& row : rows.texel_cells) {
    std::fill(largest.begin(), largest.end(), all_masked);
    for (Index query = row.first; query <= row.last; ++query) {
      const Index start = query * part.n_k + first_key;
      if (part.blocked)
        take_larger_shown(largest.data(), part.values + start, part.blocked + start, keys);
      else
        take_larger(largest.data(), part.values + start, keys);
    }
    for (const CellSpan& column : columns.texel_cells) {
      const float* cells = largest.data() - first_key;
      *out++ = *std::max_element(cells + column.first, cells + column.last + 1);
    }
  }
}

CellSpan visible_cells(double begin, double end, Index n) {
  return {std::max(0, static_cast<int>(std::floor(begin))),
          std::min(static_cast<int>(n), static_cast<int>(std::ceil(end))) - 1};
}

MapPicture map_picture(const float* values, const std::uint8_t* state, Index n_q, Index n_k,
                       const Colors& colors, const ColorRange& range) {
  MapPicture picture;
  picture.values = values;
  picture.blocked = state;
  picture.n_q = n_q;
  picture.n_k = n_k;
  picture.query_end = static_cast<double>(n_q);
  picture.key_end = static_cast<double>(n_k);
  picture.colors = &colors;
  picture.range = range;
  return picture;
}

bool largest_under_pixel(const MapPart& part, double x, double y, Index& query, Index& key, float& value) {
  query = key = -1;
  const CellSpan rows = cells_of_pixel(part.query_begin, part.query_end, part.n_q, part.height,
                                       static_cast<int>(std::floor(y)));
  const CellSpan columns =
      cells_of_pixel(part.key_begin, part.key_end, part.n_k, part.width, static_cast<int>(std::floor(x)));
  if (rows.empty() || columns.empty()) return false;
  query = rows.first;
  key = columns.first;
  bool found = false;
  if (part.pooling == Pooling::mean) {
    const Index middle_query = (rows.first + rows.last) / 2, middle_key = (columns.first + columns.last) / 2;
    if (const float middle = cell_value(part, middle_query * part.n_k + middle_key); is_shown(middle)) {
      query = middle_query;
      key = middle_key;
      value = middle;
      return true;
    }
  }
  for (Index q = rows.first; q <= rows.last; ++q) {
    for (Index k = columns.first; k <= columns.last; ++k) {
      const Index cell = q * part.n_k + k;
      if (part.blocked && part.blocked[cell] != cell_shown) continue;
      const bool by_size = part.pooling == Pooling::farthest;
      if (found && (by_size ? std::abs(part.values[cell]) <= std::abs(value) : part.values[cell] <= value))
        continue;
      query = q;
      key = k;
      value = part.values[cell];
      found = true;
    }
  }
  return found;
}

MapCodes map_codes(const MapPicture& picture, int width, int height) {
  MapCodes result;
  MapPart part = picture.colored_part();
  part.width = width;
  part.height = height;
  if (width > 0 && height > 0) pool(part, result.pooled);
  result.codes.reserve(result.pooled.values.size());
  for (const float value : result.pooled.values) {
    std::uint16_t code = 0;
    if (value == all_masked) {
      code = code_masked;
      result.any_masked = true;
    } else if (value == none_shown) {
      code = code_filtered;
      result.any_filtered = true;
    } else {
      code = static_cast<std::uint16_t>(picture.range.index(value));
    }
    result.codes.push_back(code);
  }
  return result;
}

WholeCells whole_cells(const MapPicture& picture, const Rect& rect) {
  WholeCells whole{picture, rect};
  const auto widen = [&](double& begin, double& end, double& place, double& length) {
    const double cell = length / (end - begin), low = std::floor(begin), high = std::ceil(end);
    if (low == begin && high == end) return;
    whole.cut = true;
    place -= (begin - low) * cell;
    length = (high - low) * cell;
    begin = low;
    end = high;
  };
  MapPart& part = whole.picture;
  widen(part.query_begin, part.query_end, whole.rect.y, whole.rect.height);
  widen(part.key_begin, part.key_end, whole.rect.x, whole.rect.width);
  return whole;
}

MapCodes map_codes_for_print(const MapPicture& picture, const Rect& rect, double dpi) {
  constexpr double print_dpi = 300, inch = 72;  // points
  const double resolution = std::max(dpi, print_dpi) / inch;
  const auto fewer = [&](double cells, double length) {
    return static_cast<int>(std::min(cells, std::max(max_whole_cells, std::ceil(length * resolution))));
  };
  return map_codes(picture, fewer(picture.key_end - picture.key_begin, rect.width),
                   fewer(picture.query_end - picture.query_begin, rect.height));
}

}  // namespace headscope
