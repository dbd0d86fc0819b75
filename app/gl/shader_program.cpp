#include "app/gl/shader_program.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string_view>
#include <system_error>

namespace headscope::shaders {
std::string_view find(std::string_view file_name);
}

namespace headscope::gl {
namespace {

/// What the compiler or the linker says of an object, or "" if it succeeded.
template <typename Parameter, typename Log>
std::string message_of(unsigned object, GLenum succeeded, const Parameter& parameter, const Log& log_of) {
  GLint good = 0, length = 0;
  parameter(object, succeeded, &good);
  if (good == GL_TRUE) return {};
  parameter(object, GL_INFO_LOG_LENGTH, &length);
  std::string log(static_cast<std::size_t>(length) + 1, '\0');
  log_of(object, length, nullptr, log.data());
  return std::string("\n") + log.c_str();
}

/// After the first line, which names the version.
std::string compile(unsigned shader, const std::string& source) {
  const std::size_t begin = std::min(source.find('\n'), source.size());
  const std::string text =
      std::string(shader_version) + "\n" + shader_precision + "#line 2" + source.substr(begin);
  const char* bytes = text.data();
  const auto length = static_cast<GLint>(text.size());
  glShaderSource(shader, 1, &bytes, &length);
  glCompileShader(shader);
  return message_of(shader, GL_COMPILE_STATUS, glGetShaderiv, glGetShaderInfoLog);
}

std::string link(unsigned program, unsigned vertex, unsigned fragment) {
  glAttachShader(program, vertex);
  glAttachShader(program, fragment);
  glLinkProgram(program);
  glDetachShader(program, vertex);
  glDetachShader(program, fragment);
  return message_of(program, GL_LINK_STATUS, glGetProgramiv, glGetProgramInfoLog);
}

}  // namespace

std::string shader_folder() {
#ifdef HEADSCOPE_SHADER_DIR
  std::error_code ignored;
  if (std::filesystem::is_directory(HEADSCOPE_SHADER_DIR, ignored)) return HEADSCOPE_SHADER_DIR;
#endif
  return {};
}

ShaderProgram::ShaderProgram(std::string vertex_file, std::string fragment_file, std::string folder)
    : vertex_file_(std::move(vertex_file)),
      fragment_file_(std::move(fragment_file)),
      folder_(std::move(folder)) {
  built_ = stamps();
  if (folder_.empty() || !build(false)) {
    const std::string first_error = error_;
    if (build(true)) error_ = first_error;
  }
}

bool ShaderProgram::reload() {
  if (folder_.empty()) return false;
  const std::array<Stamp, 2> now = stamps();
  if (now == built_) return false;
  built_ = now;
  return build(false);
}

std::array<ShaderProgram::Stamp, 2> ShaderProgram::stamps() const {
  std::array<Stamp, 2> result{};
  if (folder_.empty()) return result;
  for (std::size_t i = 0; i < 2; ++i) {
    const std::filesystem::path path =
        std::filesystem::path(folder_) / (i == 0 ? vertex_file_ : fragment_file_);
    std::error_code ignored;
    result[i].time = std::filesystem::last_write_time(path, ignored);
    result[i].size = std::filesystem::file_size(path, ignored);
  }
  return result;
}

std::string ShaderProgram::source(const std::string& file, bool embedded) const {
  if (embedded) return std::string(shaders::find(file));
  std::ifstream stream(std::filesystem::path(folder_) / file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

bool ShaderProgram::build(bool embedded) {
  const VertexShader vertex = VertexShader::make();
  const FragmentShader fragment = FragmentShader::make();
  Program program = Program::make();
  error_ = compile(vertex.id(), source(vertex_file_, embedded));
  if (!error_.empty()) error_ = vertex_file_ + ":" + error_;
  if (error_.empty()) {
    error_ = compile(fragment.id(), source(fragment_file_, embedded));
    if (error_.empty()) error_ = link(program.id(), vertex.id(), fragment.id());
    if (!error_.empty()) error_ = fragment_file_ + ":" + error_;
  }
  if (!error_.empty()) return false;
  program_ = std::move(program);
  return true;
}

}  // namespace headscope::gl
