#include "core/io/weight_formats.h"

#include <algorithm>
#include <filesystem>

#include "core/base/translate.h"
#include "core/io/file.h"

namespace headscope {
namespace {

namespace fs = std::filesystem;

struct WeightFormat {
  const char* ending;
  const char* name;  // none: a pickle
};
constexpr WeightFormat weight_formats[] = {
    {".bin", nullptr},    {".pt", nullptr},        {".pth", nullptr},         {".pkl", nullptr},
    {".pickle", nullptr}, {".ckpt", nullptr},      {".gguf", "GGUF"},         {".ggml", "GGML"},
    {".onnx", "ONNX"},    {".h5", "TensorFlow"},   {".keras", "Keras"},       {".tflite", "TensorFlow Lite"},
    {".msgpack", "Flax"}, {".mlmodel", "Core ML"}, {".mlpackage", "Core ML"}, {".ot", "rust-bert"}};

const WeightFormat* weight_format(const std::string& path) {
  const auto* row = std::ranges::find(weight_formats, ending(path),
                                      [](const WeightFormat& format) { return std::string(format.ending); });
  return row == std::end(weight_formats) ? nullptr : row;
}

bool is_table(const std::string& path) {
  const std::string found = ending(path);
  return found == ".csv" || found == ".tsv" || found == ".xlsx" || found == ".parquet";
}

}  // namespace

std::optional<Error> why_not_opened(const std::string& path) {
  if (is_table(path))
    return input_error(
        "{}: a table, which is not opened; weights from elsewhere are opened as a capture, an .npz or "
        ".safetensors file with the array attention, which numpy.savez(FILE, attention=…) writes",
        path);
  const WeightFormat* format = weight_format(path);
  if (format == nullptr) return std::nullopt;
  if (format->name == nullptr)
    return input_error(
        "{}: a pickle, which can run any program when it is read, and so is not opened; convert it to "
        ".safetensors with model.save_pretrained(FOLDER) in transformers",
        path);
  if (ending(path) == ".gguf")
    return input_error("{}: a whole model in one file; open this file as a model, not its folder", path);
  return input_error(
      "{}: weights of {} are not read; expected model.safetensors, which model.save_pretrained(FOLDER) of "
      "transformers writes",
      path, format->name);
}

std::vector<std::string> files_in(const std::string& folder) {
  constexpr std::size_t maximum = 100'000;
  std::vector<std::string> names;
  std::error_code code;
  for (fs::directory_iterator entry(folder, code), end; !code && entry != end && names.size() < maximum;
       entry.increment(code))
    names.push_back(entry->path().filename().string());
  std::ranges::sort(names);
  return names;
}

std::optional<Error> other_weights_in(const std::string& folder) {
  std::optional<Error> found;
  for (const std::string& name : files_in(folder)) {
    const WeightFormat* format = weight_format(name);
    if (format == nullptr || (found && format->name != nullptr)) continue;
    // A training run leaves its own pickles next to the weights.
    if (name == "training_args.bin" || name == "optimizer.pt" || name == "scheduler.pt") continue;
    found = why_not_opened((fs::path(folder) / name).string());
    if (format->name == nullptr) break;
  }
  return found;
}

}  // namespace headscope
