#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/state/jobs/background.h"
#include "core/analysis/comparison.h"
#include "core/analysis/expectations.h"
#include "core/analysis/filtered_layer.h"
#include "core/analysis/lines.h"
#include "core/analysis/notable_heads.h"
#include "core/analysis/shown_causes.h"
#include "core/analysis/shown_circuits.h"
#include "core/analysis/similarity.h"
#include "core/analysis/statistics.h"
#include "core/scene/comparison_look.h"
#include "core/scene/head_table.h"
#include "core/scene/model_picture.h"
#include "core/scene/thumbnails.h"
#include "core/scene/view.h"
#include "core/session/session.h"
#include "core/source/trace.h"

namespace headscope {

struct RowSums;

/// The rows of the head table, and the objects they point to.
struct HeadTableRows {
  std::shared_ptr<const BlockStatistics> statistics;
  std::shared_ptr<const CircuitNumbers> circuits;
  std::vector<HeadRow> rows;
};

/// What is shown in addition to the trace, computed once for a trace and a view and kept until one of them
/// changes. The window owns one and queries Ui::shown and Ui::heads from it before it draws.
class ViewCache : public BackgroundGroup {
 public:
  using BlockPointer = std::shared_ptr<const BlockTrace>;
  using TracePointer = std::shared_ptr<const Trace>;

  ViewCache();
  ~ViewCache() override;
  ViewCache(const ViewCache&) = delete;
  ViewCache& operator=(const ViewCache&) = delete;

  /// Those heads of the view's layer through its filter. If that takes more than a few ms, it is computed in
  /// the background and the previous one is returned meanwhile: the window then shows that one's trace and
  /// marks it as out of date, so that everything stays consistent.
  std::shared_ptr<const FilteredLayer> shown(const BlockPointer& block, const View& view,
                                             const std::vector<int>& heads);
  /// The view's layer of B when B is shown alone, without a filter and without maps.
  std::shared_ptr<const FilteredLayer> shown_of_b(const BlockPointer& block, const View& view);
  /// The heads of the view's layer in the order of HeadSort.
  std::vector<int> heads(const BlockPointer& block, const View& view, const std::vector<HeadLabel>& labels);
  /// All heads in the order of HeadSort, for the table.
  HeadTableRows rows(const BlockPointer& block, const View& view, const std::vector<HeadLabel>& labels);
  /// Of the heads of a block that has any, once they are known.
  std::shared_ptr<const CircuitNumbers> circuit_numbers(const BlockPointer& block, bool center_logits);
  /// Statistics of one head, or of the heads of one layer or (not engaged) of all; slow ones are computed in
  /// the background, with the last finished ones returned meanwhile, nullptr if there are none.
  std::shared_ptr<const HeadStatistics> head_statistics(const BlockPointer& block, int layer, int head);
  /// Whether head_statistics() returned an earlier result than requested.
  bool measures_head() const;
  std::shared_ptr<const BlockStatistics> statistics(const BlockPointer& block, std::optional<int> layer);
  /// Whether the statistics of all heads are known, or come without much work.
  bool measures_unasked(const BlockPointer& block) const;
  /// From the statistics of all heads; nullptr until those of this block are ready.
  std::shared_ptr<const NotableHeads> notable_heads(const BlockPointer& block);
  /// The row sums of an available layer; computed like the statistics of heads.
  std::shared_ptr<const RowSums> row_sums(const BlockPointer& block, int layer);
  /// Computed in the background; the last finished one meanwhile, nullptr if there is none.
  std::shared_ptr<const HeadSimilarity> similarity(const BlockPointer& block);
  /// Its tree cut into `groups` groups; nullptr for nullptr and for no heads.
  std::shared_ptr<const HeadTree> head_tree(const std::shared_ptr<const HeadSimilarity>& similarity,
                                            int groups);
  /// The view's layer in both (B's last if it has fewer), through the view's filter.
  std::shared_ptr<const Comparison> comparison(const BlockPointer& a, const BlockPointer& b,
                                               const View& view);
  /// head < comparison->heads.
  std::shared_ptr<const ComparedHead> compared_head(const std::shared_ptr<const Comparison>& comparison,
                                                    int head);
  std::shared_ptr<const ComparisonLook> comparison_look(const std::shared_ptr<const Comparison>& comparison,
                                                        const RangeChoice& range);
  /// The cells that differ the most, of one head or of all (-1).
  std::shared_ptr<const std::vector<LargestDifference>> differences(
      const std::shared_ptr<const Comparison>& comparison, int head);
  /// All heads that changed, the most changed first; nullptr until they are known, and for long texts.
  std::shared_ptr<const std::vector<ChangedHead>> changed_heads(const BlockPointer& a, const BlockPointer& b,
                                                                const View& view);
  /// The lines of the lines view, strongest last.
  std::shared_ptr<const LineSet> lines(const std::shared_ptr<const FilteredLayer>& shown,
                                       const std::set<int>& hidden_heads);
  std::shared_ptr<const Thumbnails> thumbnails(const BlockPointer& block, const Filter& filter,
                                               const RangeChoice& range);
  /// The encoder–decoder as a whole; the last finished one of the trace meanwhile, nullptr if there is none.
  std::shared_ptr<const ModelPicture> model_picture(const TracePointer& trace, const View& view);
  /// A trained model's predictions, for a trace that has them: after layers (logit lens), or (of A or of B)
  /// at all tokens after the last layer. Slow ones are computed in the background; nullptr until they are
  /// ready. The lens covers the last computed range until the requested one is ready.
  std::shared_ptr<const Expectations> lens(const TracePointer& trace, const ExpectationRange& range);
  std::shared_ptr<const Expectations> expectations(const TracePointer& trace, Side side);
  /// How B's predictions in a comparison differ from A's, at one query of each; in the background as above.
  std::shared_ptr<const ShiftedPredictions> shifted_predictions(const TracePointer& a, const TracePointer& b,
                                                                Index query_a, Index query_b);
  /// The parts' logit contributions; in the background as above.
  std::shared_ptr<const TokenContributions> contributions(const TracePointer& trace,
                                                          const PredictionOptions& of);
  /// What the parts of a run cause; `b`: nullptr unless parts of it are taken. In the background as above,
  /// with maps that are not whole until it ends; nullptr also while those of another question are known.
  std::shared_ptr<const ShownCauses> causes(const TracePointer& a, const TracePointer& b,
                                            const CauseChoice& choice);
  /// What the matrices of a head of a trace's model do; in the background as above.
  std::shared_ptr<const ShownCircuits> circuits(const TracePointer& trace, const CircuitChoice& choice);
  /// The heads with the largest weights from one token to another; in the background as above.
  std::shared_ptr<const std::vector<HeadAtCell>> heads_at_cell(const BlockPointer& block, int query, int key);
  /// At the beginning of a frame, with the traces of both sides: cancels requests of views that were left,
  /// and releases results of another trace that are no longer shown.
  void settle(const TracePointer& a, const TracePointer& b);
  bool comparing() const;
  /// Of results that are a view, not of those shown next to one.
  Idle idle_of_maps() const;

 private:
  void for_each(const std::function<void(BackgroundWork&)>& use) const override;

  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace headscope
