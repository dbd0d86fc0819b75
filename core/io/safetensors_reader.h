#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/tensor.h"
#include "core/io/mapped_file.h"

namespace headscope {

/// Types of numbers that weights are computed with; `other` is everything else that a file may hold beside
/// them (buffers of integers, 8-bit weights).
enum class Dtype { f32, f16, bf16, other };

/// Numbers as they lie in a file, at any alignment.
struct TensorView {
  Dtype dtype = Dtype::other;
  std::vector<Index> shape;  ///< empty for a single number
  std::span<const std::byte> bytes;
  std::string type_name;  ///< numpy's name (float32, int64), or the file's own word for a type not known
  std::size_t file = 0;   ///< place in WeightFiles::paths()

  /// Product of the shape.
  Index size() const;
};

/// The tensors of a model in one .safetensors file or several, mapped and never copied. Views are valid as
/// long as this object, wherever it is moved.
class WeightFiles {
 public:
  /// `model.safetensors` in the folder, or what `model.safetensors.index.json` names, or the only file with
  /// that extension. Throws Error (input) for what is missing, damaged, outside of the folder, or a format
  /// that is not read, with the reason and what to do.
  static WeightFiles open_folder(const std::string& folder);
  static WeightFiles open_file(const std::string& path);

  /// nullptr where there is none of this name.
  const TensorView* find(std::string_view name) const;
  using Tensors = std::map<std::string, TensorView, std::less<>>;
  const Tensors& tensors() const { return tensors_; }  ///< in the order of their names
  const std::vector<std::string>& paths() const { return paths_; }
  const std::map<std::string, std::string>& metadata() const { return metadata_; }  ///< of the first file
  std::size_t total_bytes() const { return total_bytes_; }                          ///< of all files

  /// "FOLDER/model.safetensors: NAME", for messages; the first file for a name that is not there.
  std::string where(std::string_view name) const;
  void will_need() const;
  /// To be called after a pass over the weights: throws Error (input) where a file was cut short or
  /// written to meanwhile.
  void check_whole() const;

 private:
  void add(const std::string& path);

  std::vector<MappedFile> files_;
  std::vector<std::string> paths_;
  Tensors tensors_;
  std::map<std::string, std::string> metadata_;
  std::size_t total_bytes_ = 0;
};

/// `model.safetensors.index.json`: which tensor is in which file. Throws Error (input) that names `source`.
std::map<std::string, std::string> parse_weight_index(std::string_view json, const std::string& source);

/// The files that the folder's index names and that are not there; none where there is no index.
std::vector<std::string> missing_shards(const std::string& folder);

/// The numbers of a tensor of a type we compute with as float32: into `to`, which has room for view.size().
/// Throws Error (input) naming `where` for another type.
void copy_as_float(const TensorView& view, float* to, const std::string& where);

/// The numbers in place where they are float32 and aligned; nullptr where they have to be copied.
const float* floats_in_place(const TensorView& view);

/// The place of the first NaN or infinity among the numbers; none for a type we do not compute with.
std::optional<Index> find_not_finite(const TensorView& view);

}  // namespace headscope
