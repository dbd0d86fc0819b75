#include "core/io/safetensors_reader.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "core/base/error.h"
#include "core/base/utf8.h"
#include "core/io/decode.h"
#include "core/io/file.h"
#include "core/io/json_field.h"
#include "core/io/path_in_folder.h"
#include "core/io/safetensors_header.h"
#include "core/io/strict_json.h"
#include "core/io/weight_formats.h"

namespace headscope {
namespace {

constexpr const char* whole_name = "model.safetensors";
constexpr const char* index_name = "model.safetensors.index.json";
constexpr const char* tensor_ending = ".safetensors";

std::map<std::string, std::string> read_weight_index(const std::string& folder) {
  constexpr std::size_t largest = std::size_t{64} << 20;
  const std::string path = path_in_folder(folder, index_name);
  return parse_weight_index(read_file(path, largest), path);
}

std::set<std::string> shards_of(const std::map<std::string, std::string>& index) {
  std::set<std::string> shards;
  for (const auto& [tensor, file] : index) shards.insert(file);
  return shards;
}

Error some_missing(const std::string& folder, const std::vector<std::string>& missing) {
  constexpr std::size_t maximum = 4;
  const auto named = std::span(missing).first(std::min(maximum, missing.size()));
  return input_error(
      counted("{}: {} of its files is missing: {}", "{}: {} of its files are missing: {}", missing.size()),
      (std::filesystem::path(folder) / index_name).string(), missing.size(),
      fmt::format("{}{}", fmt::join(named, ", "), missing.size() > maximum ? ", …" : ""));
}

/// The only tensor file in a folder, if it has neither of the usual names.
std::string only_file(const std::string& folder) {
  std::vector<std::string> found;
  for (const std::string& name : files_in(folder))
    if (ending(name) == tensor_ending) found.push_back(name);
  if (found.size() > 1)
    throw input_error("{}: {} is missing; with more than one .safetensors file it says what is in which",
                      folder, index_name);
  if (found.empty()) {
    if (const std::optional<Error> other = other_weights_in(folder)) throw Error(*other);
    throw input_error("{}: no weights; expected {}, or {} and the files it names", folder, whole_name,
                      index_name);
  }
  const std::string path = path_in_folder(folder, found.front());
  if (found.front() == "adapter_model.safetensors")
    throw input_error("{}: an adapter, not a whole model; merge it into its model first", path);
  return path;
}

}  // namespace

Index TensorView::size() const {
  Index size = 1;
  for (const Index n : shape) size *= n;
  return size;
}

std::map<std::string, std::string> parse_weight_index(std::string_view text, const std::string& source) {
  const nlohmann::json json = parse_json(text, source);
  const auto map = json.is_object() ? json.find("weight_map") : json.end();
  if (!json.is_object() || map == json.end() || !map->is_object())
    throw input_error("{}: weight_map is missing; expected an object from tensors to files", source);
  std::map<std::string, std::string> index;
  for (const auto& [tensor, value] : map->items()) {
    const JsonField file(value, source, "weight_map." + cut_off(tensor, 60));
    if (!file.is_text() || ending(file.text()) != tensor_ending)
      throw file.wrong("{}: {} is {}; expected the name of a .safetensors file");
    if (!goes_down(file.text())) throw file.wrong("{}: {} is {}; expected a file in the same folder");
    index[tensor] = file.text();
  }
  if (index.empty()) throw input_error("{}: weight_map is empty", source);
  return index;
}

std::vector<std::string> missing_shards(const std::string& folder) {
  std::vector<std::string> missing;
  if (is_in_folder(folder, whole_name) || !is_in_folder(folder, index_name)) return missing;
  for (const std::string& shard : shards_of(read_weight_index(folder)))
    if (!is_in_folder(folder, shard)) missing.push_back(shard);
  return missing;
}

WeightFiles WeightFiles::open_folder(const std::string& folder) {
  expect_folder(folder);
  WeightFiles weights;
  if (is_in_folder(folder, whole_name)) {
    weights.add(path_in_folder(folder, whole_name));
    return weights;
  }
  if (!is_in_folder(folder, index_name)) {
    weights.add(only_file(folder));
    return weights;
  }
  const auto index = read_weight_index(folder);
  if (const auto missing = missing_shards(folder); !missing.empty()) throw some_missing(folder, missing);
  std::map<std::string, std::size_t> places;
  for (const std::string& shard : shards_of(index)) {
    places[shard] = weights.paths_.size();
    weights.add(path_in_folder(folder, shard));
  }
  for (const auto& [tensor, file] : index) {
    const TensorView* view = weights.find(tensor);
    if (view == nullptr || view->file != places[file])
      throw input_error("{}: {} is missing; {} names it", weights.paths_[places[file]], cut_off(tensor, 200),
                        index_name);
  }
  return weights;
}

WeightFiles WeightFiles::open_file(const std::string& path) {
  if (const std::optional<Error> other = why_not_opened(path)) throw Error(*other);
  WeightFiles weights;
  weights.add(path);
  return weights;
}

WeightFiles WeightFiles::of_gguf(std::span<const MappedFile> parts,
                                 std::span<const GgufHeader::Entry> tensors, const Rename& rename,
                                 Rename stored) {
  WeightFiles weights;
  for (const MappedFile& part : parts) {
    const MappedFile& file = weights.files_.emplace_back(part.path());
    if (file.bytes().size() != part.bytes().size())
      throw input_error("{}: the file was changed while it was opened; open it again", part.path());
    weights.total_bytes_ += file.bytes().size();
    weights.paths_.push_back(part.path());
  }
  for (const GgufHeader::Entry& entry : tensors) {
    TensorView view{entry.dtype, entry.shape,
                    weights.files_[entry.part].bytes().subspan(entry.begin, entry.size), entry.type_name,
                    entry.part};
    if (!weights.tensors_.try_emplace(rename(entry.name), std::move(view)).second)
      throw input_error("{}: {}: the same tensor as another one", weights.paths_[entry.part],
                        cut_off(entry.name, 200));
  }
  weights.stored_ = std::move(stored);
  return weights;
}

void WeightFiles::add(const std::string& path) {
  constexpr std::size_t first = 64;
  MappedFile file(path);
  const std::span<const std::byte> bytes = file.bytes();
  const auto text = [&](std::size_t size) {
    return std::string(reinterpret_cast<const char*>(bytes.data()), std::min(size, bytes.size()));
  };
  // A copy, which no other program can change between two reads.
  const std::string start = text(safetensors_header_end(text(first), bytes.size(), path));
  file.check_whole();
  SafetensorsHeader header = parse_safetensors_header(start, bytes.size(), path);
  for (SafetensorsHeader::Entry& entry : header.entries) {
    // This format has no quantized types: such a name is unknown, and its size is not checked.
    const Dtype dtype = dtype_named(entry.array.dtype);
    TensorView view{is_quantized(dtype) ? Dtype::other : dtype, std::move(entry.array.shape),
                    bytes.subspan(header.data + entry.begin, entry.end - entry.begin),
                    std::move(entry.array.dtype), paths_.size()};
    const auto [place, is_new] = tensors_.try_emplace(std::move(entry.name), std::move(view));
    if (!is_new)
      throw input_error("{}: {} is in {} as well", path, cut_off(place->first, 200),
                        paths_[place->second.file]);
  }
  if (files_.empty()) metadata_ = std::move(header.metadata);
  total_bytes_ += bytes.size();
  paths_.push_back(path);
  files_.push_back(std::move(file));
}

const TensorView* WeightFiles::find(std::string_view name) const {
  const auto found = tensors_.find(name);
  return found == tensors_.end() ? nullptr : &found->second;
}

std::string WeightFiles::where(std::string_view name) const {
  const TensorView* view = find(name);
  const std::string path = paths_.empty() ? "" : paths_[view == nullptr ? 0 : view->file];
  return path + ": " + name_in_file(name);
}

std::string WeightFiles::name_in_file(std::string_view name) const {
  return stored_ ? stored_(name) : std::string(name);
}

void WeightFiles::will_need() const {
  for (const MappedFile& file : files_) file.will_need();
}

void WeightFiles::check_whole() const {
  for (const MappedFile& file : files_) file.check_whole();
}

void copy_as_float(const TensorView& view, float* to, const std::string& where) {
  if (view.dtype == Dtype::other)
    throw input_error("{}: numbers of type {}; expected {}", where, view.type_name,
                      "float32, float16, bfloat16, float64");
  if (view.dtype == Dtype::f32 && !view.bytes.empty())
    std::memcpy(to, view.bytes.data(), view.bytes.size());
  else if (is_widened_first(view.dtype))
    dequantize(view.dtype, view.bytes.data(), 0, view.size(), to);
  else
    decode_numbers({view.type_name, {}}, reinterpret_cast<const char*>(view.bytes.data()),
                   {to, view.bytes.size() / 2});
}

}  // namespace headscope
