#pragma once
#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "app/state/derived/long_blocks.h"
#include "app/state/derived/long_maps.h"
#include "app/state/derived/map_motion.h"
#include "app/state/derived/view_cache.h"
#include "app/state/jobs/generation.h"
#include "app/state/jobs/model_opening.h"
#include "app/state/jobs/notices.h"
#include "app/state/jobs/runner.h"
#include "app/state/open_session.h"
#include "app/state/settings.h"
#include "core/base/recent.h"

namespace headscope {

/// The open session with its runs, what is derived from them, and a place to report what happens.
struct Workspace : OpenSession {
  explicit Workspace(std::function<void()> wake_window);

  Settings settings;
  Translator tr;
  Notices notices{tr};
  std::function<void()> wake;

  BufferPool memory;                                                       ///< reused by both runners
  std::shared_ptr<OpenSources> sources = std::make_shared<OpenSources>();  ///< shared by both runners
  ModelOpening opening;
  Both<Runner> runners;
  /// What is shown while the presented sentence is edited; nullptr: the runners' latest.
  Both<std::shared_ptr<const Trace>> frozen;
  ViewCache view_cache;
  LongBlocks long_blocks;
  LongMaps long_maps;
  Job<std::vector<HeldRange>> holding;  ///< the ranges of maps out of view: hold_ranges()
  int holding_for = 0;                  ///< for which of the sessions
  MapMotion motion;
  Generation generation;

  /// The block in view of a side's last successful run; never null, but without tokens before the first.
  std::shared_ptr<const BlockTrace> block(Side side = Side::a) const {
    return in_view(trace(side), state.view.block);
  }
  /// What is shown of a side: the last successful run, or the frozen trace.
  const std::shared_ptr<const Trace>& trace(Side side = Side::a) const {
    return frozen[side] ? frozen[side] : runners[side].trace();
  }
  /// B as it is run: it reads A's target where parts of one run are taken into the other. None while that
  /// target is not known.
  std::optional<Inputs> inputs_of_b() const;
  /// Whether that run is the newest one.
  bool has_run_b() const {
    const std::optional<Inputs> b = inputs_of_b();
    return b && !runners.b.busy() && runners.b.trace()->inputs == *b;
  }
  /// What is shown of A's block; see ViewCache::shown().
  std::shared_ptr<const FilteredLayer> shown();
  /// For one head of a long text: what is shown, and the overview; no value otherwise.
  std::optional<LongMaps::Shown> shown_of_long(const std::shared_ptr<const BlockTrace>& block);
  /// For a long block its pooled cells, as far as they have been read; other blocks unchanged.
  std::shared_ptr<const BlockTrace> pooled_block(const std::shared_ptr<const BlockTrace>& block) const {
    return long_blocks.in_view(block, state.view.means, compares());
  }
  /// What the view shows of a block of A, with B's block if the view compares.
  Scene scene(const std::shared_ptr<const BlockTrace>& block);

  /// A block of a trace as the view shows it, merged into whole words if the view does so.
  std::shared_ptr<const BlockTrace> in_view(const std::shared_ptr<const Trace>& trace, BlockKind kind) const;

  /// Once a frame: pooled cells of a long text stay on screen until a sample of their replacement has been
  /// read.
  void keep_pooled();
  /// Whether such earlier cells are shown.
  bool shows_old_pooled() const { return old_pooled_.a.instead || old_pooled_.b.instead; }
  /// As in_view(), but always from the latest run.
  std::shared_ptr<const BlockTrace> newest_in_view(const std::shared_ptr<const Trace>& trace,
                                                   BlockKind kind) const;

  void set_session(const Session& session);
  void set_language(Language language);
  /// The user's choice.
  void set_theme(Theme theme);
  /// The device's, until the user has chosen one.
  void follow_device(Theme theme);
  Language language() const { return tr.language(); }

 private:
  /// The block in single tokens or words, however many there are.
  std::shared_ptr<const BlockTrace> in_tokens(const std::shared_ptr<const Trace>& trace,
                                              BlockKind kind) const;
  /// The last blocks as views show them, so that each stays the same object while its source does: of A, B
  /// and the searched block.
  struct InView {
    std::shared_ptr<const BlockTrace> pieces;
    bool words = false;
    CellValue cells = CellValue::weight;
    RolloutOptions rollout;
    PredictionOptions predictions;
    bool has_steps = false;
    bool operator==(const InView&) const = default;
  };
  mutable Recent<InView, std::shared_ptr<const BlockTrace>> blocks_in_view_;
  struct OldPooled {
    std::shared_ptr<const BlockTrace> last;     ///< already read and shown
    std::shared_ptr<const BlockTrace> instead;  ///< shown while the latest run's are not yet read
  };
  Both<OldPooled> old_pooled_;
};

/// The heads of a block that are being looked at.
std::vector<int> heads_looked_at(const OpenSession& open, const std::shared_ptr<const BlockTrace>& block);

}  // namespace headscope
