#include "core/attention/painting.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace headscope {
namespace {

// Set difference `from` minus `what` of one head's sorted runs. Heads are those of `from`.
Runs subtract(const Runs& from, const Runs& what) {
  Runs result;
  auto cut = what.begin();
  for (PaintedRun run : from) {
    while (cut != what.end() &&
           (cut->query < run.query || (cut->query == run.query && cut->key_end <= run.key_begin)))
      ++cut;
    for (auto c = cut; c != what.end() && c->query == run.query && c->key_begin < run.key_end; ++c) {
      if (c->key_begin > run.key_begin) result.push_back({run.head, run.query, run.key_begin, c->key_begin});
      run.key_begin = std::max(run.key_begin, c->key_end);
    }
    if (run.key_begin < run.key_end) result.push_back(run);
  }
  return result;
}

Runs intersect(const Runs& a, const Runs& b) {
  return subtract(a, subtract(a, b));
}

Runs of_head(const Runs& painting, int head) {
  const auto [begin, end] =
      std::equal_range(painting.begin(), painting.end(), PaintedRun{head, 0, 0, 0},
                       [](const PaintedRun& x, const PaintedRun& y) { return x.head < y.head; });
  return {begin, end};
}

void append(Runs& runs, const Runs& more, int head) {
  for (PaintedRun run : more) {
    run.head = head;
    runs.push_back(run);
  }
}

void free_everywhere(Runs& painting, const Runs& region, const MaskGrid& canvas) {
  Runs result;
  for (int head = -1; head < canvas.heads; ++head)
    append(result, subtract(of_head(painting, head), region), head);
  painting = std::move(result);
}

void free_in_one(Runs& painting, const Runs& region, int head, const MaskGrid& canvas) {
  const Runs common = of_head(painting, -1);
  const Runs lifted = intersect(common, region);
  Runs result = subtract(common, region);
  for (int other = 0; other < canvas.heads; ++other) {
    if (other == head) {
      append(result, subtract(of_head(painting, other), region), other);
    } else {
      append(result, of_head(painting, other), other);
      append(result, lifted, other);
    }
  }
  painting = std::move(result);
}

Runs whole_canvas(const MaskGrid& canvas, int head) {
  return rectangle_region(canvas, head, {0, 0}, {canvas.n_q - 1, canvas.n_k - 1});
}

// Adds keys [begin, end) of a row, clipped to the canvas.
void add_clipped(Runs& runs, const MaskGrid& canvas, int head, int query, int begin, int end) {
  begin = std::max(begin, 0);
  end = std::min(end, canvas.n_k);
  if (query >= 0 && query < canvas.n_q && begin < end) runs.push_back({head, query, begin, end});
}

// The step-th of `steps` + 1 points from a to b, rounded the same way whichever end the line starts from.
int between(int a, int b, int step, int steps) {
  if (steps == 0) return a;
  return static_cast<int>(
      std::floor((static_cast<double>(a) * (steps - step) + static_cast<double>(b) * step) / steps + 0.5));
}

// Moves cells blocked in all heads to -1, so that the same mask always has the same runs.
Runs with_common_lifted(const std::vector<Runs>& heads) {
  Runs common = heads.front();
  for (std::size_t h = 1; h < heads.size() && !common.empty(); ++h) common = intersect(common, heads[h]);
  Runs result;
  append(result, common, -1);
  for (std::size_t h = 0; h < heads.size(); ++h)
    append(result, subtract(heads[h], common), static_cast<int>(h));
  return result;
}

}  // namespace

Runs line_region(const MaskGrid& canvas, int head, PaintCell from, PaintCell to, int radius) {
  Runs runs;
  const int steps = std::max(std::abs(to.query - from.query), std::abs(to.key - from.key));
  for (int step = 0; step <= steps; ++step) {
    const int query = between(from.query, to.query, step, steps);
    const int key = between(from.key, to.key, step, steps);
    for (int row = query - radius; row <= query + radius; ++row)
      add_clipped(runs, canvas, head, row, key - radius, key + radius + 1);
  }
  merge_painted(runs);
  return runs;
}

Runs rectangle_region(const MaskGrid& canvas, int head, PaintCell from, PaintCell to) {
  Runs runs;
  const int last = std::min(std::max(from.query, to.query), canvas.n_q - 1);
  for (int query = std::max(std::min(from.query, to.query), 0); query <= last; ++query)
    add_clipped(runs, canvas, head, query, std::min(from.key, to.key), std::max(from.key, to.key) + 1);
  return runs;
}

Runs diagonal_region(const MaskGrid& canvas, int head, PaintCell through) {
  Runs runs;
  for (int query = 0; query < canvas.n_q; ++query) {
    const int key = query + through.key - through.query;
    add_clipped(runs, canvas, head, query, key, key + 1);
  }
  return runs;
}

void paint(Runs& painting, const Runs& region, bool block, const MaskGrid& canvas) {
  if (region.empty()) return;
  const int head = region.front().head;
  if (block) {
    // A cell is painted once: for all heads or for single ones.
    if (head < 0) free_everywhere(painting, region, canvas);
    append(painting, head < 0 ? region : subtract(region, of_head(painting, -1)), head);
  } else if (head < 0) {
    free_everywhere(painting, region, canvas);
  } else {
    free_in_one(painting, region, head, canvas);
  }
  merge_painted(painting);
}

void invert(Runs& painting, int head, const MaskGrid& canvas) {
  if (canvas.heads < 1) return;
  merge_painted(painting);
  const Runs whole = whole_canvas(canvas, -1);
  const Runs common = of_head(painting, -1);
  std::vector<Runs> heads;
  for (int h = 0; h < canvas.heads; ++h) {
    Runs blocked = common;
    append(blocked, of_head(painting, h), -1);
    merge_painted(blocked);
    heads.push_back(head < 0 || head == h ? subtract(whole, blocked) : std::move(blocked));
  }
  painting = with_common_lifted(heads);
}

void clear(Runs& painting, int head, const MaskGrid& canvas) {
  if (head < 0)
    painting.clear();
  else
    paint(painting, whole_canvas(canvas, head), false, canvas);
}

Runs painting_from(const Mask& mask, int heads) {
  std::vector<Runs> all;
  bool same = true;
  KeySpans scratch, blocked;
  const KeySpans whole{{0, static_cast<int>(mask.n_k())}};
  for (int h = 0; h < heads; ++h) {
    same = same && mask.same(h, 0);
    if (h > 0 && same) continue;
    for (std::size_t i = all.size(); i < static_cast<std::size_t>(h); ++i) all.push_back(all.front());
    all.emplace_back();
    for (int query = 0; query < mask.n_q() && mask.any(h); ++query) {
      subtract_spans(whole, mask.row(h, query, scratch), blocked);
      for (const KeySpan& span : blocked) all.back().push_back({-1, query, span.begin, span.end});
    }
  }
  if (same) return all.empty() ? Runs{} : all.front();
  return with_common_lifted(all);
}

}  // namespace headscope
