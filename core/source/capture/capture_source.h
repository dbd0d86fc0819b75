#pragma once
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "core/source/capture/capture.h"
#include "core/source/source.h"

namespace headscope {

/// What was found among the numbers of a capture as far as they have been read.
class CaptureFindings {
 public:
  /// Something that cannot be a weight, or cannot be read: the first stays.
  void add_trouble(const Error& trouble);
  void add_off_row(const std::string& row, double sum);
  /// What a look at `rows` of `all` rows gave.
  void set_looked(Index rows, Index all, Index off_rows);
  std::optional<Error> trouble() const;
  std::optional<Error> doubt() const;

 private:
  mutable std::mutex mutex_;
  std::optional<Error> trouble_;
  std::string first_off_;  // row
  double first_sum_ = 0;
  Index looked_ = 0, all_ = 0, off_ = 0;
};

/// The maps of one block of one sequence, read from the file by position. Every row that is read is checked:
/// weights that are none become 0 and the trouble is kept.
class CaptureMaps : public MapSource {
 public:
  CaptureMaps(std::shared_ptr<const Capture> capture, const Capture::Block& block, int sequence,
              std::shared_ptr<CaptureFindings> findings);
  void rows(int layer, int head, Index begin, Index end, float* out) const override;
  bool score_rows(int layer, int head, Index begin, Index end, float* out) const override;
  std::optional<Error> doubt() const override { return findings_->doubt(); }
  std::optional<Error> trouble() const override { return findings_->trouble(); }
  bool given() const override { return true; }
  const std::shared_ptr<CaptureFindings>& findings() const { return findings_; }

  /// Reads rows from all over the block, all of a small one. Stops where it finds what is no weight.
  void look() const;

 private:
  bool read(const FiledArray& array, int layer, int head, Index begin, Index end, float* out) const;
  /// Counts those that do not sum to 1.
  Index check(int layer, int head, Index begin, Index end, float* weights) const;
  std::string place(int layer, int head, Index query) const;

  std::shared_ptr<const Capture> capture_;
  const Capture::Block& block_;  // of capture_
  int sequence_;
  std::shared_ptr<CaptureFindings> findings_;
};

/// Attention that was computed elsewhere. The text is the capture's own, and what-ifs are refused: nothing is
/// computed here.
class CaptureSource : public Source {
 public:
  /// Throws Error (input) as Capture::open().
  static std::shared_ptr<const CaptureSource> open(const std::string& path);
  explicit CaptureSource(std::shared_ptr<const Capture> capture);

  const Capture& capture() const { return *capture_; }
  /// Throws Error (input) for a sequence that is not there, a what-if, and numbers that are no weights.
  std::shared_ptr<const Trace> run(const Inputs& inputs, const RunOptions& options,
                                   const ComputeContext& context, const std::stop_token& stop) const override;
  std::optional<Linear> projection(BlockKind, int, ProjectionKind) const override { return {}; }
  /// As far as the file's arrays go.
  std::vector<std::string> stages(BlockKind block) const override;
  /// What somebody who opens it should know beside what it shows.
  std::vector<Error> notes(int sequence) const;

 private:
  std::shared_ptr<const CaptureMaps> maps_of(int sequence, std::size_t block) const;

  std::shared_ptr<const Capture> capture_;
  mutable std::mutex mutex_;
  mutable std::map<std::pair<int, std::size_t>, std::shared_ptr<const CaptureMaps>> maps_;
};

/// That of a trace, or nullptr.
const CaptureSource* capture_of(const Trace& trace);

}  // namespace headscope
