#include "app/state/derived/long_maps.h"

#include <algorithm>
#include <utility>

namespace headscope {
namespace {

// A hovered cell is recorded in one frame and read by panels in the next.
constexpr int follow_frames = 3;
constexpr std::size_t max_part_bytes = std::size_t{96} << 20;

std::size_t part_bytes(const FilteredLayer& part) {
  return part.cells() * (sizeof(float) + 1);
}

}  // namespace

bool same_layout(const BlockTrace& one, const BlockTrace& other) {
  return one.n_q() == other.n_q() && one.n_k() == other.n_k() && one.heads() == other.heads() &&
         one.layer_count() == other.layer_count() && one.shape.kind == other.shape.kind;
}

LongMaps::Shown LongMaps::shown(const std::shared_ptr<const BlockTrace>& block,
                                const std::shared_ptr<const BlockTrace>& pools, int layer, int head,
                                const std::vector<int>& heads, const Zoom& zoom) {
  requested_ = true;
  const std::size_t read = std::ranges::count_if(
      heads, [&](int each) { return !pools->shown_maps().resident(layer, each).empty(); });
  if (OverviewOf of{pools, layer, heads, read}; overview_ == nullptr || of != overview_of_) {
    overview_of_ = std::move(of);
    frames_left_ = follow_frames;
    overview_ = overview_layer(*pools, layer, heads);
    std::erase_if(kept_, [&](const Kept& each) { return each.of.block != block; });
  }
  const CellPart seen = part_of(zoom, block->n_q(), block->n_k());
  const auto part = part_that_shows(seen, *pools);
  if (!part) return or_before({overview_, overview_}, {block, layer, head, *overview_->part}, seen);
  Wanted wanted{block, layer, head, *part};
  // Always end with that very part, however it was reached: its colours depend on what was read.
  Part now = kept(wanted);
  if (!now) {
    ask_for(wanted, seen);
    now = kept(wanted);
  }
  if (!now) now = best(wanted, seen);
  if (now && heads.size() > 1) now = with_colors(now, wanted, heads);
  return or_before({now ? now : overview_, overview_}, wanted, seen);
}

LongMaps::Part LongMaps::with_colors(const Part& part, const Wanted& wanted, const std::vector<int>& heads) {
  auto extents = colored_.by;
  if (kept(wanted)) {
    const ExtentsOf of{wanted.block, wanted.layer, wanted.part, heads};
    extents = extents_.get(of, false, [of](const std::stop_token& stop) -> std::shared_ptr<const Extents> {
      Extents found = part_extents(of.block, of.layer, of.heads, of.part, stop);
      return found.empty() ? nullptr : std::make_shared<const Extents>(std::move(found));
    });
  } else {
    extents_.leave();  // the shown head comes first
  }
  if (!extents || extents->size() != part->extents.size()) return part;
  if (colored_.from != part || colored_.by != extents) {
    colored_ = {part, extents, with_extents(*part, *extents)};
    frames_left_ = follow_frames;
  }
  return colored_.part;
}

void LongMaps::ask_for(const Wanted& wanted, const CellPart& seen) {
  Wanted sample = wanted;
  sample.part.sampled = wanted.part.pooled();
  const Part at_hand = best(wanted, seen);
  const bool fine = at_hand && at_hand->part->query_pool <= wanted.part.query_pool;
  if (sample != wanted && !fine)
    read_part(quick_, sample);
  else
    read_part(whole_, wanted);
}

LongMaps::Shown LongMaps::or_before(Shown now, const Wanted& wanted, const CellPart& seen) {
  const auto is_read = [&](const FilteredLayer& map) { return map.weights(wanted.head) != nullptr; };
  const auto fine = [&](const FilteredLayer& map) { return map.part->query_pool <= wanted.part.query_pool; };
  if (before_) {
    const Shown& old = before_->shown;
    const BlockTrace &was = *old.map->block, &is = *wanted.block;
    const bool same = before_->layer == wanted.layer && before_->head == wanted.head && same_layout(was, is);
    const bool covers = same && &was != &is && old.map->part->contains(seen) && fine(*old.map);
    if (same && !is_read(*now.overview) && is_read(*old.overview)) now.overview = old.overview;
    if (covers && (!is_read(*now.map) || !fine(*now.map))) return {old.map, now.overview};
    if (same && !is_read(*now.map)) now.map = old.map->part->contains(seen) ? old.map : old.overview;
  }
  if (is_read(*now.map)) before_ = {now, wanted.layer, wanted.head};
  return now;
}

LongMaps::Part LongMaps::kept(const Wanted& wanted) const {
  const auto found = std::ranges::find(kept_, wanted, &Kept::of);
  return found == kept_.end() ? nullptr : found->part;
}

void LongMaps::read_part(Background<Wanted, FilteredLayer>& with, const Wanted& wanted) {
  Part result = with.get_only(wanted, false, [wanted](const std::stop_token& stop, WorkProgress& progress) {
    const int heads[] = {wanted.head};
    return part_layer(wanted.block, wanted.layer, heads, wanted.part, stop,
                      [&](double share) { progress.show(share); });
  });
  if (result) keep(std::move(result), wanted);
}

void LongMaps::keep(Part part, const Wanted& wanted) {
  if (kept(wanted)) return;
  kept_.push_front({wanted, std::move(part)});
  frames_left_ = follow_frames;
  std::size_t bytes = 0;
  const auto too_many = std::ranges::find_if(
      kept_, [&](const Kept& each) { return (bytes += part_bytes(*each.part)) > max_part_bytes; });
  kept_.erase(std::max(too_many, kept_.begin() + 1), kept_.end());
}

LongMaps::Part LongMaps::best(const Wanted& wanted, const CellPart& seen) const {
  Part found;
  for (const Kept& each : kept_) {
    const bool fits = each.of.block == wanted.block && each.of.layer == wanted.layer &&
                      each.of.head == wanted.head && each.of.part.means == wanted.part.means &&
                      each.of.part.contains(seen);
    // Cells finer than wanted show the same when pooled on the screen.
    const auto rank = [](const LongPart& part) { return std::pair(part.query_pool, part.sampled); };
    if (fits && (!found || rank(each.of.part) < rank(*found->part))) found = each.part;
  }
  return found;
}

void LongMaps::settle() {
  quick_.settle();
  whole_.settle();
  extents_.settle();
  if (frames_left_ > 0) --frames_left_;
  const bool forget = !std::exchange(requested_, false);
  quick_.note_frame(forget);
  whole_.note_frame(forget);
  extents_.note_frame(forget);
  if (!forget) return;
  kept_.clear();
  overview_ = nullptr;
  overview_of_ = {};
  colored_ = {};
  before_.reset();
}

}  // namespace headscope
