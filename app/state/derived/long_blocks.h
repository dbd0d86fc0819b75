#pragma once
#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "app/state/jobs/background.h"
#include "core/source/trace.h"

namespace headscope {

/// Blocks of texts too long for one pixel per cell, as blocks of pooled cells
/// (core/source/maps/pooled_maps.h): at once from a sample of the queries, and from all of them once those
/// have been read in the background.
class LongBlocks : public BackgroundGroup {
 public:
  LongBlocks() = default;
  ~LongBlocks() override;
  LongBlocks(const LongBlocks&) = delete;
  LongBlocks& operator=(const LongBlocks&) = delete;

  /// Returns the block itself if it needs no pooling, and the same object until a better one is there. Of two
  /// blocks that are `compared` neither gets ahead: a map of all rows next to one of a sample would differ
  /// for that reason.
  std::shared_ptr<const BlockTrace> in_view(const std::shared_ptr<const BlockTrace>& block, bool means,
                                            bool compared) const;
  /// Once a frame: completes what is looked at in a block that in_view() returned. Ignores other blocks.
  void look_at(const std::shared_ptr<const BlockTrace>& block, int layer, const std::vector<int>& heads);
  /// Once a frame: takes over what is ready, and releases blocks not requested since the previous frame.
  void settle();
  bool busy() const override;

 private:
  void for_each(const std::function<void(BackgroundWork&)>& use) const override;
  struct Wanted {
    std::shared_ptr<const BlockTrace> complete;
    int layer = 0;
    std::vector<int> heads;
    bool operator==(const Wanted&) const = default;
  };
  /// The request that was completed.
  using Done = Wanted;
  struct Long {
    std::shared_ptr<const BlockTrace> block, sampled, complete;
    std::optional<Wanted> wanted;
    bool means = false;
    bool is_complete = false;  ///< for what was last looked at
    bool requested = true;     ///< since the last frame began
    std::unique_ptr<Background<Wanted, Done>> work;
  };
  Long* find(const std::shared_ptr<const BlockTrace>& block) const;
  static void stop(Long& one);
  void leave(Long& old) const;

  mutable std::array<Long, 2> blocks_;  // A's and B's, most recently used first
  /// Unused blocks, until they have noticed their stop request: a frame must not wait for them.
  mutable std::vector<std::unique_ptr<Background<Wanted, Done>>> ending_;
};

}  // namespace headscope
