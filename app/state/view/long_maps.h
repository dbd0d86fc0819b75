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

/// Whether the maps of one block can be shown in the place of the other's: they have as many layers, heads
/// and cells of the same kind.
bool same_layout(const BlockTrace& one, const BlockTrace& other);

/// What the view of one head shows of a long text, as a street map does: the overview, and whatever part
/// of it is zoomed into in as many cells as there is room for, down to single tokens. Parts are read beside
/// the frames, first from a sample, and a limited number of bytes of them is kept.
class LongMaps {
 public:
  struct Shown {
    std::shared_ptr<const FilteredLayer> map;       ///< the best that there is of what is seen
    std::shared_ptr<const FilteredLayer> overview;  ///< of the whole map; without maps until they are read
  };
  /// Of a long block, its groups (LongBlocks::in_view()) and the heads that the colours are of, one of which
  /// is shown. The same as long as nothing better is there. Until a part has been read in the other heads
  /// its colours are those of the part before, or of its own head.
  Shown shown(const std::shared_ptr<const BlockTrace>& block, const std::shared_ptr<const BlockTrace>& groups,
              int layer, int head, const std::vector<int>& heads, const Zoom& zoom);

  /// Once a frame: takes over what is ready, and lets go of everything where nobody asked since the frame
  /// before.
  void settle();
  /// Once: why a part could not be read.
  std::optional<Error> take_error();
  bool busy() const { return frames_left_ > 0 || quick_.busy() || whole_.busy() || extents_.busy(); }
  void wait() const;
  /// As those of a Background.
  const WorkProgress* progress() const;
  void halt();
  void again();
  Idle idle() const { return std::max({quick_.idle(), whole_.idle(), extents_.idle()}); }

 private:
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
  /// What was shown of maps that these take the place of, until as much of these has been read.
  Shown or_before(Shown now, const Wanted& wanted, const CellPart& seen);
  using Part = std::shared_ptr<const FilteredLayer>;
  /// With colours of all those heads.
  Part with_colors(const Part& part, const Wanted& wanted, const std::vector<int>& heads);
  struct OverviewOf {
    std::shared_ptr<const BlockTrace> groups;
    int layer = 0;
    std::vector<int> heads;
    std::size_t read = 0;  ///< how many of the heads have been
    bool operator==(const OverviewOf&) const = default;
  };

  /// Has the part read, first from a sample where nothing as fine is at hand.
  void ask_for(const Wanted& wanted, const CellPart& seen);
  void read_part(Background<Wanted, FilteredLayer>& with, const Wanted& wanted);
  void keep(Part part, const Wanted& wanted);
  Part kept(const Wanted& wanted) const;
  /// The best of what is kept that shows all of `seen`; nullptr where there is none.
  Part best(const Wanted& wanted, const CellPart& seen) const;

  bool asked_ = false;   // since the last frame began
  int frames_left_ = 0;  // in which panels follow a map that is there anew, one after the other
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
  std::deque<Kept> kept_;  // used last first
  Background<Wanted, FilteredLayer> quick_, whole_;
  using Extents = std::vector<LongExtent>;
  Background<ExtentsOf, Extents> extents_;
  struct Colored {
    Part from;
    std::shared_ptr<const Extents> by;
    Part part;
  } colored_;  // the last one
};

}  // namespace headscope
