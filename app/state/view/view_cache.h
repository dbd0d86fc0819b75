#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/state/jobs/background.h"
#include "app/state/view/shifted_predictions.h"
#include "core/analysis/comparison.h"
#include "core/analysis/expectations.h"
#include "core/analysis/filtered_layer.h"
#include "core/analysis/head_tree.h"
#include "core/analysis/heads_at_cell.h"
#include "core/analysis/lines.h"
#include "core/analysis/similarity.h"
#include "core/scene/comparison_look.h"
#include "core/scene/head_table.h"
#include "core/scene/model_picture.h"
#include "core/scene/thumbnails.h"
#include "core/scene/view.h"
#include "core/session/session.h"
#include "core/source/trace.h"

namespace headscope {

struct RowSums;

/// The lines of the head table, and what they point to.
struct HeadTableRows {
  std::shared_ptr<const BlockStatistics> statistics;
  std::vector<HeadRow> rows;
};

/// What is shown beyond the trace, made once for a trace and a view and kept until one of them changes. The
/// window owns one and asks it for Ui::shown and Ui::heads before it draws.
class ViewCache {
 public:
  ViewCache();
  ~ViewCache();
  ViewCache(const ViewCache&) = delete;
  ViewCache& operator=(const ViewCache&) = delete;

  /// Those heads of the layer of the view through its filter. Beyond a few ms it is made beside the frames,
  /// and the one before is given until then: the window then shows that one's trace and says that it is
  /// stale, so that all stays consistent.
  std::shared_ptr<const FilteredLayer> shown(const std::shared_ptr<const BlockTrace>& block, const View& view,
                                             const std::vector<int>& heads);
  /// The layer of the view of B where that is seen alone, without a filter and without maps.
  std::shared_ptr<const FilteredLayer> shown_of_b(const std::shared_ptr<const BlockTrace>& block,
                                                  const View& view);
  /// The heads of the view's layer in the order of View::sort.
  std::vector<int> heads(const std::shared_ptr<const BlockTrace>& block, const View& view,
                         const std::vector<HeadLabel>& labels);
  /// All heads in the order of View::sort, for the table.
  HeadTableRows rows(const std::shared_ptr<const BlockTrace>& block, const View& view,
                     const std::vector<HeadLabel>& labels);
  /// The numbers of one head, or of the heads of one layer or (not engaged) of all; made beside the frames
  /// where it takes long, the last finished ones until then, nullptr as long as there are none.
  std::shared_ptr<const HeadStatistics> head_statistics(const std::shared_ptr<const BlockTrace>& block,
                                                        int layer, int head);
  /// Whether what head_statistics() gave is not yet of what it was asked for.
  bool measures_head() const;
  std::shared_ptr<const BlockStatistics> statistics(const std::shared_ptr<const BlockTrace>& block,
                                                    std::optional<int> layer);
  /// What the rows of a layer that is there sum to; made as the numbers of heads are.
  std::shared_ptr<const RowSums> row_sums(const std::shared_ptr<const BlockTrace>& block, int layer);
  /// Compared beside the frames; the last finished one until then, nullptr as long as there is none.
  std::shared_ptr<const HeadSimilarity> similarity(const std::shared_ptr<const BlockTrace>& block);
  /// Its tree cut into `groups`; nullptr for nullptr and for no heads.
  std::shared_ptr<const HeadTree> head_tree(const std::shared_ptr<const HeadSimilarity>& similarity,
                                            int groups);
  /// The layer of the view in both (in B its last if it has fewer), through the view's filter.
  std::shared_ptr<const Comparison> comparison(const std::shared_ptr<const BlockTrace>& a,
                                               const std::shared_ptr<const BlockTrace>& b, const View& view);
  /// head < comparison->heads.
  std::shared_ptr<const ComparedHead> compared_head(const std::shared_ptr<const Comparison>& comparison,
                                                    int head);
  std::shared_ptr<const ComparisonLook> comparison_look(const std::shared_ptr<const Comparison>& comparison,
                                                        const View& view);
  /// The cells that differ most, of one head or of all (-1).
  std::shared_ptr<const std::vector<LargestDifference>> differences(
      const std::shared_ptr<const Comparison>& comparison, int head);
  /// The lines of the lines view, strongest last.
  std::shared_ptr<const LineSet> lines(const std::shared_ptr<const FilteredLayer>& shown, const View& view);
  std::shared_ptr<const Thumbnails> thumbnails(const std::shared_ptr<const BlockTrace>& block,
                                               const View& view);
  /// The encoder–decoder as a whole; the last finished one of the trace until then, nullptr as long as there
  /// is none.
  std::shared_ptr<const ModelPicture> model_picture(const std::shared_ptr<const Trace>& trace,
                                                    const View& view);
  /// What a trained model expects, of a trace with predictions: after layers, or (of A or of B) at all tokens
  /// after the last one. Made beside the frames where it takes long; nullptr as long as it is not there.
  /// The lens is of the range that was made last until the one that is asked for is there.
  std::shared_ptr<const Expectations> lens(const std::shared_ptr<const Trace>& trace,
                                           const ExpectationRange& range);
  std::shared_ptr<const Expectations> expectations(const std::shared_ptr<const Trace>& trace, bool b);
  /// What B of a comparison expects otherwise than A, at one query of each; likewise.
  std::shared_ptr<const ShiftedPredictions> shifted_predictions(const std::shared_ptr<const Trace>& a,
                                                                const std::shared_ptr<const Trace>& b,
                                                                Index query_a, Index query_b);
  /// What its parts add to a logit; likewise.
  std::shared_ptr<const TokenContributions> contributions(const std::shared_ptr<const Trace>& trace,
                                                          const View& view);
  /// The heads that look most from a token to another; likewise.
  std::shared_ptr<const std::vector<HeadAtCell>> heads_at_cell(const std::shared_ptr<const BlockTrace>& block,
                                                               int query, int key);
  /// At the beginning of a frame, with the traces of both sides: what a view that was left had asked for
  /// comes to an end, and what was made of another trace before and is not shown any more is let go of.
  void settle(const std::shared_ptr<const Trace>& a, const std::shared_ptr<const Trace>& b);
  /// Once: why something that was being computed could not be.
  std::optional<Error> take_error();
  /// Whether something is being computed: the window keeps drawing (a few frames a second are enough) until
  /// it is not.
  bool busy() const;
  bool comparing() const;
  /// As those of a Background, of all that is computed here.
  const WorkProgress* progress() const;
  void halt();
  void again();
  Idle idle() const;
  /// Of what is a view, and not beside one.
  Idle idle_of_maps() const;
  /// For tests and figures: blocks until what is being computed is done; asking again then gives it.
  void wait() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace headscope
