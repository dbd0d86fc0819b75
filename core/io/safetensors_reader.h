#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/tensor.h"
#include "core/io/dtype.h"
#include "core/io/gguf.h"
#include "core/io/mapped_file.h"

namespace headscope {

/// Numbers in a file, at any alignment.
struct TensorView {
  Dtype dtype = Dtype::other;
  std::vector<Index> shape;  ///< empty for a single number
  std::span<const std::byte> bytes;
  std::string type_name;  ///< numpy's name (float32, int64), or the file's own name for an unknown type
  std::size_t file = 0;   ///< index into WeightFiles::paths()

  /// Product of the shape.
  Index size() const;
};

/// The tensors of a model in one or several .safetensors or GGUF files, mapped and never copied.
/// Views stay valid as long as this object, even if it is moved.
class WeightFiles {
 public:
  /// `model.safetensors` in the folder, or what `model.safetensors.index.json` names, or the only file with
  /// that extension. Throws Error (input) for what is missing, damaged, outside the folder, or in an
  /// unsupported format, with the reason and what to do.
  static WeightFiles open_folder(const std::string& folder);
  static WeightFiles open_file(const std::string& path);
  using Rename = std::function<std::string(std::string_view)>;
  /// The tensors in the parts of a GGUF file, which get the names that `rename` returns; `stored` returns the
  /// file's own for messages. Throws Error (input) if two get the same one, and if a part is not of the size
  /// that its header was read with.
  static WeightFiles of_gguf(std::span<const MappedFile> parts, std::span<const GgufHeader::Entry> tensors,
                             const Rename& rename, Rename stored);

  /// nullptr if there is none of this name.
  const TensorView* find(std::string_view name) const;
  using Tensors = std::map<std::string, TensorView, std::less<>>;
  const Tensors& tensors() const { return tensors_; }  ///< in the order of their names
  const std::vector<std::string>& paths() const { return paths_; }
  const std::map<std::string, std::string>& metadata() const { return metadata_; }  ///< of the first file
  std::size_t total_bytes() const { return total_bytes_; }                          ///< of all files

  /// Whether the file says the model's sizes, too: there is no config.json.
  bool has_config() const { return stored_ != nullptr; }
  /// "FOLDER/model.safetensors: NAME", for messages, by the name in the file; the first file for an unknown
  /// one.
  std::string where(std::string_view name) const;
  std::string name_in_file(std::string_view name) const;
  void will_need() const;
  /// To be called after a pass over the weights: throws Error (input) if a file was truncated or written to
  /// meanwhile.
  void check_whole() const;

 private:
  void add(const std::string& path);

  std::vector<MappedFile> files_;
  std::vector<std::string> paths_;
  Tensors tensors_;
  std::map<std::string, std::string> metadata_;
  Rename stored_;  // from the names here to those in the file
  std::size_t total_bytes_ = 0;
};

/// `model.safetensors.index.json`: which tensor is in which file. Throws Error (input) that names `source`.
std::map<std::string, std::string> parse_weight_index(std::string_view json, const std::string& source);

/// The files named in the folder's index that do not exist; none without an index.
std::vector<std::string> missing_shards(const std::string& folder);

/// Copies a tensor of a supported type to `to` as float32; `to` has room for view.size(). Throws Error
/// (input) naming `where` for another type.
void copy_as_float(const TensorView& view, float* to, const std::string& where);

}  // namespace headscope
