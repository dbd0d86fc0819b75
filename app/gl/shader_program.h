#pragma once
#include <array>
#include <cstdint>
#include <filesystem>
#include <string>

#include "app/gl/handles.h"

namespace headscope::gl {

/// The folder that shaders are read from and watched in while a development build runs; empty in others.
std::string shader_folder();

/// A vertex and a fragment shader, from the program's own copies or, if a folder is given, from its files,
/// which are read again when they change. What cannot be built leaves the program as it was and says why.
class ShaderProgram {
 public:
  ShaderProgram(std::string vertex_file, std::string fragment_file, std::string folder);

  /// Builds again if a file has changed; true if the program is a new one.
  bool reload();
  unsigned id() const { return program_.id(); }
  /// File and compiler's message of the last attempt; empty if it went well.
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
