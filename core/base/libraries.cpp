#include "core/base/libraries.h"

#define ONIG_ESCAPE_UCHAR_COLLISION  // UChar is also a name of ICU's
#include <fmt/format.h>
#include <fontconfig/fontconfig.h>
#include <gif_lib.h>
#include <jpeglib.h>
#include <oniguruma.h>
#include <png.h>
#include <qrencode.h>
#include <unicode/uversion.h>
#include <webp/encode.h>
#include <zip.h>
#include <zlib.h>
#if defined(HEADSCOPE_PANGO)
#include <cairo.h>
#include <glib.h>
#include <pango/pango.h>
#endif

#include <Eigen/Core>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace headscope {
namespace {

/// Of a number such as 21207, whose parts have two digits each.
std::string of_decimal(int version) {
  return fmt::format("{}.{}.{}", version / 10000, version / 100 % 100, version % 100);
}

std::string icu_version() {
  UVersionInfo version;
  char text[U_MAX_VERSION_STRING_LENGTH];
  u_getVersion(version);
  u_versionToString(version, text);
  return text;
}

/// libjpeg-turbo's own version; libjpeg's where it is another.
std::string jpeg_version() {
#ifdef LIBJPEG_TURBO_VERSION_NUMBER
  constexpr int version = LIBJPEG_TURBO_VERSION_NUMBER;
  return fmt::format("{}.{}.{}", version / 1000000, version / 1000 % 1000, version % 1000);
#else
  return std::to_string(JPEG_LIB_VERSION);
#endif
}

std::string webp_version() {
  const int version = WebPGetEncoderVersion();
  return fmt::format("{}.{}.{}", version >> 16, version >> 8 & 0xFF, version & 0xFF);
}

std::string eigen_version() {
#if defined(EIGEN_PATCH_VERSION)  // Eigen 5 keeps the world's version at 3
  return fmt::format("{}.{}.{}", EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION, EIGEN_PATCH_VERSION);
#else
  return fmt::format("{}.{}.{}", EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION);
#endif
}

}  // namespace

std::vector<Library> core_libraries() {
  std::vector<Library> all{
      {"Eigen", eigen_version()},
      {"fmt", of_decimal(FMT_VERSION)},
      {"fontconfig", of_decimal(FcGetVersion())},
      {"giflib", fmt::format("{}.{}.{}", GIFLIB_MAJOR, GIFLIB_MINOR, GIFLIB_RELEASE)},
      {"ICU", icu_version()},
      {"libjpeg", jpeg_version()},
      {"libpng", of_decimal(png_access_version_number())},
      {"libqrencode", QRcode_APIVersionString()},
      {"libwebp", webp_version()},
      {"libzip", zip_libzip_version()},
      {"nlohmann-json", fmt::format("{}.{}.{}", NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR,
                                    NLOHMANN_JSON_VERSION_PATCH)},
      {"Oniguruma", onig_version()},
      {"zlib", zlibVersion()}};
#if defined(HEADSCOPE_PANGO)
  all.push_back({"Cairo", cairo_version_string()});
  all.push_back(
      {"GLib", fmt::format("{}.{}.{}", glib_major_version, glib_minor_version, glib_micro_version)});
  all.push_back({"Pango", pango_version_string()});
#endif
  return all;
}

}  // namespace headscope
