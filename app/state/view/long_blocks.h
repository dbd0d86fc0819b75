#pragma once
#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "app/state/jobs/background.h"
#include "core/source/trace.h"

namespace headscope {

/// Blocks of texts too long for a cell a pixel, as blocks of groups (core/source/maps/pooled_maps.h): at once
/// from a sample of the queries, and from all of them as soon as those have been read beside the frames.
class LongBlocks {
 public:
  LongBlocks() = default;
  ~LongBlocks();
  LongBlocks(const LongBlocks&) = delete;
  LongBlocks& operator=(const LongBlocks&) = delete;

  /// The block itself where it needs no groups. The same as long as nothing better is there. Of two that are
  /// `compared` none is ahead: a map of all rows beside one of a sample would differ by that.
  std::shared_ptr<const BlockTrace> in_view(const std::shared_ptr<const BlockTrace>& block, bool means,
                                            bool compared) const;
  /// Once a frame: what is looked at of a block that in_view() gave is made complete. Nothing of others.
  void look_at(const std::shared_ptr<const BlockTrace>& block, int layer, const std::vector<int>& heads);
  /// Once a frame: takes over what is ready, and lets go of blocks that nobody asked for since the frame
  /// before.
  void settle();
  /// Once: why a block could not be read.
  std::optional<Error> take_error();
  bool busy() const;
  void wait() const;

  /// Of what is being read; nullptr where nothing is.
  const WorkProgress* progress() const;
  /// As those of a Background.
  void halt();
  void again();
  Idle idle() const;

 private:
  struct Wanted {
    std::shared_ptr<const BlockTrace> complete;
    int layer = 0;
    std::vector<int> heads;
    bool operator==(const Wanted&) const = default;
  };
  /// Which wish was fulfilled.
  using Done = Wanted;
  struct Long {
    std::shared_ptr<const BlockTrace> block, sampled, complete;
    std::optional<Wanted> wanted;
    bool means = false;
    bool is_complete = false;  ///< of what was looked at last
    bool asked = true;         ///< since the last frame began
    std::unique_ptr<Background<Wanted, Done>> work;
  };
  Long* find(const std::shared_ptr<const BlockTrace>& block) const;
  static void stop(Long& one);
  void leave(Long& old) const;

  mutable std::array<Long, 2> blocks_;  // A's and B's, used last first
  /// Of blocks that were left, until they have seen it: a frame must not wait for them.
  mutable std::vector<std::unique_ptr<Background<Wanted, Done>>> ending_;
};

}  // namespace headscope
