#include <png.h>

#include <algorithm>
#include <array>
#include <csetjmp>
#include <cstring>

#include "core/base/error.h"
#include "core/picture/decoders.h"

namespace headscope {
namespace {

/// libpng, which leaves by longjmp: what needs a destructor lives here, and not in a function that it leaves.
class PngReader {
 public:
  explicit PngReader(std::string_view bytes) : bytes_(bytes) {
    png_ = png_create_read_struct(PNG_LIBPNG_VER_STRING, this, on_error, [](png_structp, png_const_charp) {});
    if (png_ != nullptr) info_ = png_create_info_struct(png_);
    if (png_ != nullptr) png_set_read_fn(png_, this, read);
  }
  ~PngReader() { png_destroy_read_struct(&png_, &info_, nullptr); }
  PngReader(const PngReader&) = delete;
  PngReader& operator=(const PngReader&) = delete;

  const char* message() const { return message_.data(); }
  bool usable() const { return info_ != nullptr; }
  png_uint_32 width() const { return width_; }
  png_uint_32 height() const { return height_; }
  std::size_t row_bytes() const { return row_bytes_; }
  bool indexed() const { return color_ == PNG_COLOR_TYPE_PALETTE; }
  bool wide_grey() const { return depth_ == 16 && color_ == PNG_COLOR_TYPE_GRAY; }

  bool read_header() {
    if (setjmp(png_jmpbuf(png_)) != 0) return false;
    png_set_user_limits(png_, longest_picture, longest_picture);
    png_set_keep_unknown_chunks(png_, PNG_HANDLE_CHUNK_NEVER, nullptr, 0);
    png_read_info(png_, info_);
    png_get_IHDR(png_, info_, &width_, &height_, &depth_, &color_, nullptr, nullptr, nullptr);
    if (indexed()) {
      png_set_packing(png_);
    } else if (!wide_grey()) {
      png_set_strip_16(png_);  // the high byte
      png_set_expand(png_);    // grey to 8 bits, a transparent colour to alpha
      png_set_gray_to_rgb(png_);
      png_set_add_alpha(png_, 0xFF, PNG_FILLER_AFTER);
    }
    png_set_interlace_handling(png_);
    png_read_update_info(png_, info_);
    row_bytes_ = png_get_rowbytes(png_, info_);
    return true;
  }
  bool read_rows(png_bytep* rows) {
    if (setjmp(png_jmpbuf(png_)) != 0) return false;
    png_read_image(png_, rows);
    png_read_end(png_, info_);
    return true;
  }

  /// A palette's colours; those that the file does not have are greys, as in PIL.
  std::array<std::array<std::uint8_t, 4>, 256> palette() const {
    std::array<std::array<std::uint8_t, 4>, 256> colors;
    for (std::size_t i = 0; i < colors.size(); ++i) {
      const auto grey = static_cast<std::uint8_t>(i);
      colors[i] = {grey, grey, grey, 255};
    }
    png_colorp entries = nullptr;
    png_bytep alphas = nullptr;
    int count = 0, alpha_count = 0;
    png_get_PLTE(png_, info_, &entries, &count);
    png_get_tRNS(png_, info_, &alphas, &alpha_count, nullptr);
    for (int i = 0; i < std::min(count, 256); ++i) {
      const std::uint8_t alpha = alphas != nullptr && i < alpha_count ? alphas[i] : 255;
      colors[i] = {entries[i].red, entries[i].green, entries[i].blue, alpha};
    }
    return colors;
  }
  int orientation() const {
    png_uint_32 size = 0;
    png_bytep exif = nullptr;
    if (png_get_eXIf_1(png_, info_, &size, &exif) == 0) return 1;
    return exif_orientation({reinterpret_cast<const char*>(exif), size});
  }

 private:
  static void on_error(png_structp png, png_const_charp message) {
    auto& reader = *static_cast<PngReader*>(png_get_error_ptr(png));
    std::strncpy(reader.message_.data(), message, reader.message_.size() - 1);
    png_longjmp(png, 1);
  }
  static void read(png_structp png, png_bytep to, std::size_t size) {
    auto& reader = *static_cast<PngReader*>(png_get_io_ptr(png));
    if (size > reader.bytes_.size() - reader.at_) png_error(png, "it ends early");
    std::memcpy(to, reader.bytes_.data() + reader.at_, size);
    reader.at_ += size;
  }

  std::string_view bytes_;
  std::size_t at_ = 0, row_bytes_ = 0;
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
  png_uint_32 width_ = 0, height_ = 0;
  int depth_ = 0, color_ = 0;
  std::array<char, 128> message_ = {};
};

}  // namespace

DecodedPicture decode_png(std::string_view bytes, const std::string& source) {
  PngReader reader(bytes);
  const auto damaged = [&] { return input_error("{}: damaged: {}", source, reader.message()); };
  if (!reader.usable()) throw unable_error("not enough memory");
  if (!reader.read_header()) throw damaged();
  DecodedPicture decoded{empty_picture(reader.width(), reader.height(), bytes, source)};
  Picture& picture = decoded.picture;
  // Indices and wide greys are read to the end of each row of the picture, and converted in place.
  std::vector<png_bytep> rows(picture.height);
  const std::size_t indent = 4 * static_cast<std::size_t>(picture.width) - reader.row_bytes();
  for (int y = 0; y < picture.height; ++y) rows[y] = picture.at(0, y) + indent;
  if (!reader.read_rows(rows.data())) throw damaged();
  if (reader.indexed()) {
    const auto colors = reader.palette();
    for (int y = 0; y < picture.height; ++y) {
      const std::uint8_t* const index = rows[y];
      for (int x = 0; x < picture.width; ++x) std::ranges::copy(colors[index[x]], picture.at(x, y));
    }
  } else if (reader.wide_grey()) {
    for (int y = 0; y < picture.height; ++y) {
      const std::uint8_t* const wide = rows[y];
      for (int x = 0; x < picture.width; ++x) {
        const std::uint8_t grey = wide[2 * x] > 0 ? 255 : wide[2 * x + 1];
        std::ranges::copy(std::array<std::uint8_t, 4>{grey, grey, grey, 255}, picture.at(x, y));
      }
    }
  }
  decoded.orientation = reader.orientation();
  return decoded;
}

}  // namespace headscope
