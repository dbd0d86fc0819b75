#pragma once
#include <algorithm>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "app/state/jobs/background.h"
#include "core/analysis/long_part.h"
#include "core/scene/zoom.h"

namespace headscope {

/// Whether the maps of one block can replace those of the other: the number of layers, heads and cells and
/// their kind are equal.
bool same_layout(const BlockTrace& one, const BlockTrace& other);

/// What the view of one head shows of a long text, similar to a street map: the overview, and the zoomed part
/// with as many cells as there is room for, down to single tokens. Parts are read in the background, first
/// from a sample; the bytes kept are limited.
class LongMaps : public BackgroundGroup {
 public:
  struct Shown {
    std::shared_ptr<const FilteredLayer> map;       ///< the best available map of what is seen
    std::shared_ptr<const FilteredLayer> overview;  ///< of the whole map; without maps until they are read
  };
  /// For a long block, its pooled cells (LongBlocks::in_view()) and the heads that the colours depend on, one
  /// of which is shown. Returns the same object until a better one is there. Until a part has been read in
  /// the other heads, its colours are those of the previous part, or of its own head.
  Shown shown(const std::shared_ptr<const BlockTrace>& block, const std::shared_ptr<const BlockTrace>& pools,
              int layer, int head, const std::vector<int>& heads, const Zoom& zoom);

  /// Once a frame: takes over what is ready, and releases everything if nothing was requested since the
  /// previous frame.
  void settle();
  bool busy() const override { return frames_left_ > 0 || BackgroundGroup::busy(); }

 private:
  void for_each(const std::function<void(BackgroundWork&)>& use) const override {
    use(quick_);
    use(whole_);
    use(extents_);
  }
  struct Wanted {
    std::shared_ptr<const BlockTrace> block;
    int layer = 0, head = 0;
    LongPart part;
    bool operator==(const Wanted&) const = default;
  };
  struct ExtentsOf {
    std::shared_ptr<const BlockTrace> block;
    int layer = 0;
    LongPart part;
    std::vector<int> heads;
    bool operator==(const ExtentsOf&) const = default;
  };
  /// The earlier maps that these replace, until as much of these has been read.
  Shown or_before(Shown now, const Wanted& wanted, const CellPart& seen);
  using Part = std::shared_ptr<const FilteredLayer>;
  /// With a colour range over all those heads.
  Part with_colors(const Part& part, const Wanted& wanted, const std::vector<int>& heads);
  struct OverviewOf {
    std::shared_ptr<const BlockTrace> pools;
    int layer = 0;
    std::vector<int> heads;
    std::size_t read = 0;  ///< number of heads read
    bool operator==(const OverviewOf&) const = default;
  };

  /// Requests a part, first from a sample if nothing as fine is available.
  void ask_for(const Wanted& wanted, const CellPart& seen);
  void read_part(Background<Wanted, FilteredLayer>& with, const Wanted& wanted);
  void keep(Part part, const Wanted& wanted);
  Part kept(const Wanted& wanted) const;
  /// The best of the kept parts that shows all of `seen`; nullptr if there is none.
  Part best(const Wanted& wanted, const CellPart& seen) const;

  bool requested_ = false;  // since the last frame began
  int frames_left_ = 0;     // in which panels one after the other follow a new map
  struct Before {
    Shown shown;
    int layer = 0, head = 0;
  };
  std::optional<Before> before_;
  OverviewOf overview_of_;
  Part overview_;
  struct Kept {
    Wanted of;
    Part part;
  };
  std::deque<Kept> kept_;  // most recently used first
  mutable Background<Wanted, FilteredLayer> quick_, whole_;
  using Extents = std::vector<PartExtent>;
  mutable Background<ExtentsOf, Extents> extents_;
  struct Colored {
    Part from;
    std::shared_ptr<const Extents> by;
    Part part;
  } colored_;  // the latest
};

}  // namespace headscope
