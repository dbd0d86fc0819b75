#pragma once
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "core/source/capture/capture.h"
#include "core/source/source.h"

namespace headscope {

bool is_nan_throughout(std::span<const float> numbers);

/// Findings about a capture's numbers, as far as they have been read.
class CaptureFindings {
 public:
  /// A value that cannot be a weight, or cannot be read: the first error is kept.
  void add_error(const Error& error);
  void add_off_row(const std::string& row, double sum);
  void add_empty_row(const std::string& row);
  /// The result of checking `rows` of `all` rows.
  void set_looked(Index rows, Index all, Index off_rows, Index empty_rows);
  std::optional<Error> error() const;
  std::optional<Error> warning() const;

 private:
  mutable std::mutex mutex_;
  std::optional<Error> error_;
  std::string first_off_, first_empty_;  // rows
  double first_sum_ = 0;
  Index looked_ = 0, all_ = 0, off_ = 0, empty_ = 0;
};

/// The maps of one block of one sequence, read from the file by position. Every row that is read is checked:
/// invalid weights become 0 and the error is kept. A row that is NaN throughout is that of a query without a
/// key, as PyTorch's softmax gives it, and becomes 0.
class CaptureMaps : public MapSource {
 public:
  CaptureMaps(std::shared_ptr<const Capture> capture, const Capture::Block& block, int sequence,
              std::shared_ptr<CaptureFindings> findings);
  void rows(int layer, int head, Index begin, Index end, float* out) const override;
  bool score_rows(int layer, int head, Index begin, Index end, float* out) const override;
  std::optional<Error> warning() const override { return findings_->warning(); }
  std::optional<Error> error() const override { return findings_->error(); }
  bool given() const override { return true; }
  const std::shared_ptr<CaptureFindings>& findings() const { return findings_; }

  /// Checks rows sampled from the whole block, or all of a small one, and looks for what is blocked. Stops at
  /// the first invalid weight.
  void look();
  /// What is blocked in each layer, as no mask is in the file: keys to which no head of the layer gives any
  /// weight, and all keys of a head's queries that have none. Of a block too large to be read whole, later
  /// keys if no sampled row has weight there. Empty if nothing is blocked, and for more rows than can be
  /// asked for when a file is opened.
  const std::vector<Mask>& masks() const { return masks_; }
  /// Whether one of masks() has this query among them, so that later vectors of it may be NaN.
  bool lacks_key(Index query) const { return without_key_.contains(query); }

 private:
  struct Found {
    Index off = 0;
    std::vector<Index> empty;  // queries
  };
  using EmptyQueries = std::vector<std::vector<std::vector<Index>>>;  // of layers and heads
  bool read(const FiledArray& array, int layer, int head, Index begin, Index end, float* out) const;
  /// Counts rows that do not sum to 1, and those without a key.
  Found check(int layer, int head, Index begin, Index end, float* weights) const;
  bool is_empty(int layer, int head, Index query, std::vector<float>& scratch) const;
  /// The queries of a head that have no key: their rows are NaN or 0 throughout. Reads little of the others.
  std::vector<Index> empty_queries(int layer, int head) const;
  /// `keys`: those of each layer to which some head gives weight.
  void make_masks(const EmptyQueries& empty, const std::vector<RowSpans>& keys);
  std::string place(int layer, int head, Index query) const;
  Error wrong_weight(const std::string& row, Index key, float weight) const;

  std::shared_ptr<const Capture> capture_;
  const Capture::Block& block_;  // of capture_
  int sequence_;
  std::shared_ptr<CaptureFindings> findings_;
  std::vector<Mask> masks_;  // [layers], or empty
  std::set<Index> without_key_;
};

/// Attention that was computed elsewhere. The text is the capture's own, and interventions are rejected:
/// nothing is computed here.
class CaptureSource : public Source {
 public:
  /// Throws Error (input) as Capture::open().
  static std::shared_ptr<const CaptureSource> open(const std::string& path);
  explicit CaptureSource(std::shared_ptr<const Capture> capture);

  /// Throws Error (input) for a missing sequence, an intervention, and invalid weights.
  std::shared_ptr<const Trace> run(const Inputs& inputs, const RunOptions& options,
                                   const ComputeContext& context, const std::stop_token& stop) const override;
  /// W_O alone, if the file has it.
  std::optional<Linear> projection(BlockKind block, int layer, ProjectionKind kind) const override;
  /// Those that the file's arrays cover.
  std::vector<std::string> stages(BlockKind block, int layer) const override;
  std::vector<Error> notes(int sequence) const override;

 private:
  std::shared_ptr<const CaptureMaps> maps_of(int sequence, std::size_t block) const;

  std::shared_ptr<const Capture> capture_;
  mutable std::mutex mutex_;
  mutable std::map<std::pair<int, std::size_t>, std::shared_ptr<const CaptureMaps>> maps_;
};

}  // namespace headscope
