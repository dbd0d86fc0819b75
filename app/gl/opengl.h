#pragma once
#if defined(__EMSCRIPTEN__)
#include <GLES3/gl3.h>
#else
#include <epoxy/gl.h>
#endif

namespace headscope::gl {

/// OpenGL 3.3; in a browser WebGL 2, which is OpenGL ES 3.0: the same for what is drawn here, but shaders
/// name another version and state their precision, and pixels are not in the order of bytes that windows
/// have.
#if defined(__EMSCRIPTEN__)
inline constexpr bool has_window_order = false;
inline constexpr GLenum pixel_order = GL_RGBA;
inline constexpr const char* shader_version = "#version 300 es";
inline constexpr const char* shader_precision =
    "precision highp float; precision highp int; precision highp sampler2D; precision highp isampler2D;\n";
#else
inline constexpr bool has_window_order = true;
inline constexpr GLenum pixel_order = GL_BGRA;
inline constexpr const char* shader_version = "#version 330 core";
inline constexpr const char* shader_precision = "";
#endif

}  // namespace headscope::gl
