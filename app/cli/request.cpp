#include "app/cli/request.h"

#include <filesystem>

#include "core/base/error.h"
#include "core/io/array_file.h"
#include "core/io/file.h"
#include "core/io/formats.h"
#include "core/model/weights/built_in_models.h"
#include "core/model/weights/model_folder.h"
#include "core/session/session_figure.h"
#include "core/session/session_link.h"
#include "core/source/capture/capture.h"

namespace headscope {

bool is_array_file(const std::string& path) {
  return find_format(array_readers(), path) != nullptr;
}

std::string whole_path(const std::string& path) {
  std::error_code error;
  const auto whole = std::filesystem::absolute(path, error);
  return error ? path : whole.lexically_normal().string();
}

Session open_session(const std::string& path) {
  if (is_link(path)) return session_in_link(path);
  if (is_built_in(path)) {
    expect_model(path);
    Session session;
    session.inputs.model = path;
    return session;
  }
  if (is_model_path(path)) {
    expect_model(path);
    Session session;
    session.inputs.model = whole_path(path);
    return session;
  }
  if (ending(path) == ".txt")
    throw input_error(
        "{} is a text; expected a session (.json) or a figure made by Headscope, or the text as "
        "--sentence-file "
        "{}",
        path, path);
  if (ending(path) == ".md")
    throw input_error("{} is a lesson; expected a session (.json) or a figure made by Headscope", path);
  if (is_figure(path)) return session_from_figure(path);
  if (ending(path) == ".npy")
    throw input_error(
        "{} is a single array; expected a session (.json), a figure made by Headscope or a capture (.npz, "
        ".safetensors)",
        path);
  if (is_array_file(path)) {
    Capture::open(path);  // so that a file that is not a capture is reported at once
    Session session;
    session.inputs.capture = whole_path(path);
    return session;
  }
  return load_session(path);
}

}  // namespace headscope
