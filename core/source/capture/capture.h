#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/io/array_file.h"
#include "core/source/trace.h"

namespace headscope {

/// A file with attention that was computed elsewhere, as core/source/CAPTURE.md describes it. Its numbers are
/// read and checked on demand; everything else is checked when it is opened.
class Capture {
 public:
  /// Throws Error (input) that names the file, the array, what was found and what was expected.
  static std::shared_ptr<const Capture> open(const std::string& path);
  /// Whether the arrays of a file are those of a capture.
  static bool is_capture(const std::vector<std::string>& names);

  struct Block {
    BlockShape shape;
    std::string prefix;      ///< "" or "cross_", before the names of its arrays
    Index n_q = 0, n_k = 0;  ///< of the file, where shorter sequences are padded
    FiledArray attention;
    std::optional<FiledArray> scores, x, layer_x, q, k, v, context, output;
    std::optional<FiledArray> w_o;  ///< shared by all sequences
  };
  struct Sequence {
    std::vector<Token> tokens;
    std::optional<std::vector<Token>> key_tokens, target_tokens;
    std::optional<Patches> patches;  ///< of `tokens`
    /// Why the named picture is not shown.
    std::optional<Error> no_picture;
  };

  const std::string& path() const { return path_; }
  const std::string& model() const { return model_; }  ///< the model's name; may be empty
  bool names_model() const { return names_model_; }    ///< the file has its name, even if that is empty
  const std::vector<Block>& blocks() const { return blocks_; }
  const std::vector<Sequence>& sequences() const { return sequences_; }
  bool numbers_sequences() const { return numbers_sequences_; }  ///< the arrays have an axis for them
  std::size_t unpacked_bytes() const { return unpacked_bytes_; }
  std::size_t file_bytes() const { return file_bytes_; }
  /// What was assumed because the file does not say: numbers for tokens, missing axes.
  const std::vector<Error>& notes() const { return notes_; }

  const std::vector<Token>& queries(int sequence, BlockKind kind) const;
  const std::vector<Token>& keys(int sequence, BlockKind kind) const;

 private:
  friend class CaptureReader;
  std::string path_, model_;
  std::vector<Block> blocks_;
  std::vector<Sequence> sequences_;
  bool names_model_ = false, numbers_sequences_ = false;
  std::size_t unpacked_bytes_ = 0, file_bytes_ = 0;
  std::vector<Error> notes_;
};

}  // namespace headscope
