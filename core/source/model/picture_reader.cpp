#include "core/source/model/picture_reader.h"

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/io/file.h"
#include "core/io/path_in_folder.h"
#include "core/model/weights/built_in_models.h"
#include "core/source/trace.h"
#include "core/system/files.h"

namespace headscope {
namespace {

PictureProcessor read_processor(const std::string& folder, const PictureInput& input) {
  constexpr std::size_t largest = std::size_t{1} << 20;
  if (const char* name = "processor_config.json"; is_in_folder(folder, name)) {
    const std::string path = path_in_folder(folder, name);
    if (const auto nested = parse_nested_processor(read_file(path, largest), path, input.processor))
      return *nested;
  }
  if (const char* name = "preprocessor_config.json"; is_in_folder(folder, name)) {
    const std::string path = path_in_folder(folder, name);
    return parse_picture_processor(read_file(path, largest), path, input.processor);
  }
  PictureProcessor processor = default_processor(input.processor, folder);
  processor.width = processor.crop_width = static_cast<int>(input.width);
  processor.height = processor.crop_height = static_cast<int>(input.height);
  if (processor.shortest_edge > 0)
    processor.shortest_edge = std::max(processor.crop_width, processor.crop_height);
  return processor;
}

std::string picture_identity(const std::string& path) {
  const auto status = file_status(path);
  return status ? fmt::format("{}\n{} {}", path, status->size, status->modified_ns) : path;
}

}  // namespace

PictureReader::PictureReader(const std::string& folder, const PictureInput& input)
    : input_(input), processor_(read_processor(folder, input)) {}

ModelText PictureReader::read(const std::string& named) const {
  if (named.empty()) return {};
  const std::string path = file_of_model(named);
  const std::string identity = picture_identity(path);
  const std::lock_guard lock(mutex_);
  if (last_ && last_->identity == identity) return last_->text;
  PreparedPicture prepared = prepare_picture(processor_, read_picture(path), path);
  const Index rows = prepared.pixels.dim(1) / input_.patch_height,
              columns = prepared.pixels.dim(2) / input_.patch_width;
  if (rows * columns > Limits::max_tokens)
    throw input_error("{} has {} patches; expected at most {}", path, rows * columns, Limits::max_tokens);
  ModelText text;
  text.tokens = picture_tokens(input_, rows, columns);
  text.patches =
      std::make_shared<const Patches>(Patches{static_cast<int>(rows), static_cast<int>(columns),
                                              static_cast<int>(input_.own_tokens() + input_.registers), path,
                                              std::make_shared<const Picture>(std::move(prepared.shown))});
  text.pixels = std::make_shared<const Tensor>(std::move(prepared.pixels));
  last_ = Read{identity, text};
  return text;
}

std::vector<Token> picture_tokens(const PictureInput& input, Index rows, Index columns) {
  std::vector<Token> tokens;
  const auto add = [&](std::string text, bool special) {
    Token token{std::move(text)};
    token.id = std::ssize(tokens);
    token.special = special;
    if (!special) token.word = static_cast<int>(tokens.size());
    tokens.push_back(std::move(token));
  };
  if (input.class_token) add("[CLS]", true);
  if (input.distillation_token) add("[DIST]", true);
  for (Index i = 1; i <= input.registers; ++i) add(fmt::format("[REG{}]", i), true);
  for (Index row = 1; row <= rows; ++row)
    for (Index column = 1; column <= columns; ++column) add(fmt::format("r{}c{}", row, column), false);
  return tokens;
}

}  // namespace headscope
