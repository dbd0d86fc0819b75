#pragma once
#include <array>
#include <cstdint>
#include <filesystem>
#include <string>

#include "app/gl/handles.h"

namespace headscope::gl {

/// The folder that a development build reads shaders from and watches; empty in other builds.
std::string shader_folder();

/// A vertex and a fragment shader, from the program's own copies or, if a folder is given, from its files,
/// which are reloaded when they change. If building fails, the program stays as it was and error() says why.
class ShaderProgram {
 public:
  ShaderProgram(std::string vertex_file, std::string fragment_file, std::string folder);

  /// Rebuilds if a file has changed; true if the program is new.
  bool reload();
  unsigned id() const { return program_.id(); }
  /// File and compiler's message of the last attempt; empty on success.
  const std::string& error() const { return error_; }

 private:
  struct Stamp {
    std::filesystem::file_time_type time{};
    std::uintmax_t size = 0;
    bool operator==(const Stamp&) const = default;
  };
  std::array<Stamp, 2> stamps() const;
  std::string source(const std::string& file, bool embedded) const;
  bool build(bool embedded);

  std::string vertex_file_, fragment_file_, folder_;
  std::array<Stamp, 2> built_{};
  Program program_;
  std::string error_;
};

}  // namespace headscope::gl
