#include <filesystem>

#include "app/cli/request.h"
#include "core/base/error.h"
#include "core/io/arrays.h"
#include "core/io/file.h"
#include "core/io/formats.h"
#include "core/session/session_figure.h"

namespace headscope {

bool is_array_file(const std::string& path) {
  return find_format(array_readers(), path) != nullptr;
}

void expect_model_folder(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::exists(std::filesystem::path(path) / "config.json", ignored))
    throw input_error("{}: config.json is missing; expected the folder of a model", path);
}

Session open_session(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    expect_model_folder(path);
    Session session;
    const auto whole = std::filesystem::absolute(path, ignored);
    session.inputs.model = ignored ? path : whole.lexically_normal().string();
    return session;
  }
  if (ending(path) == ".md")
    throw input_error("{} is a lesson; expected a session (.json) or a figure made by Headscope", path);
  if (is_figure(path)) return session_from_figure(path);
  if (is_array_file(path))
    throw input_error(
        "{} is an array file; expected a session (.json) or a figure made by Headscope (captures are not "
        "supported in this version)",
        path);
  return load_session(path);
}

}  // namespace headscope
