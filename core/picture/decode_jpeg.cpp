#include <array>
#include <csetjmp>
// jpeglib.h needs what <cstdio> declares.
// clang-format off
#include <cstdio>
#include <jpeglib.h>
#include <jerror.h>
// clang-format on

#include "core/base/error.h"
#include "core/picture/decoders.h"

namespace headscope {
namespace {

// A progressive file may repeat scans that cost time and add nothing; real ones have about ten.
constexpr int most_scans = 200;

/// libjpeg, which leaves by longjmp: what needs a destructor lives here, and not in a function that it
/// leaves.
class JpegReader {
 public:
  explicit JpegReader(std::string_view bytes) {
    jpeg_.err = jpeg_std_error(&errors_);
    errors_.error_exit = [](j_common_ptr common) {
      auto& reader = *static_cast<JpegReader*>(common->client_data);
      common->err->format_message(common, reader.message_.data());
      std::longjmp(reader.back_, 1);
    };
    errors_.output_message = [](j_common_ptr) {};  // warnings
    jpeg_.client_data = this;
    source_.next_input_byte = reinterpret_cast<const JOCTET*>(bytes.data());
    source_.bytes_in_buffer = bytes.size();
    source_.init_source = [](j_decompress_ptr) {};
    source_.fill_input_buffer = [](j_decompress_ptr jpeg) -> boolean { return leave(jpeg); };
    source_.skip_input_data = [](j_decompress_ptr jpeg, long count) {
      if (count <= 0) return;
      if (static_cast<unsigned long>(count) > jpeg->src->bytes_in_buffer) leave(jpeg);
      jpeg->src->next_input_byte += count;
      jpeg->src->bytes_in_buffer -= count;
    };
    source_.resync_to_restart = jpeg_resync_to_restart;
    source_.term_source = [](j_decompress_ptr) {};
    progress_.progress_monitor = [](j_common_ptr common) {
      const auto* jpeg = reinterpret_cast<const jpeg_decompress_struct*>(common);
      if (jpeg->input_scan_number > most_scans) leave(common);
    };
  }
  ~JpegReader() {
    if (created_) jpeg_destroy_decompress(&jpeg_);
  }
  JpegReader(const JpegReader&) = delete;
  JpegReader& operator=(const JpegReader&) = delete;

  const char* message() const { return message_.data(); }
  unsigned width() const { return jpeg_.image_width; }
  unsigned height() const { return jpeg_.image_height; }
  int components() const { return jpeg_.num_components; }
  /// Of a row that read_row() gives.
  std::size_t row_bytes() const { return std::size_t{jpeg_.image_width} * (cmyk() ? 4 : grey() ? 1 : 3); }
  bool grey() const { return jpeg_.out_color_space == JCS_GRAYSCALE; }
  bool cmyk() const { return jpeg_.out_color_space == JCS_CMYK; }

  bool read_header() {
    if (setjmp(back_) != 0) return false;
    jpeg_create_decompress(&jpeg_);
    created_ = true;
    jpeg_.src = &source_;
    jpeg_.progress = &progress_;
    jpeg_save_markers(&jpeg_, JPEG_APP0 + 1, 0xFFFF);
    jpeg_read_header(&jpeg_, TRUE);
    jpeg_.out_color_space = jpeg_.num_components == 1   ? JCS_GRAYSCALE
                            : jpeg_.num_components == 4 ? JCS_CMYK
                                                        : JCS_RGB;
    return true;
  }
  bool start() {
    if (setjmp(back_) != 0) return false;
    jpeg_start_decompress(&jpeg_);
    return true;
  }
  bool read_row(JSAMPLE* row) {
    if (setjmp(back_) != 0) return false;
    jpeg_read_scanlines(&jpeg_, &row, 1);
    return true;
  }

  int orientation() const {
    constexpr std::string_view begin("Exif\0\0", 6);
    for (const jpeg_marker_struct* marker = jpeg_.marker_list; marker != nullptr; marker = marker->next) {
      const std::string_view data(reinterpret_cast<const char*>(marker->data), marker->data_length);
      if (data.starts_with(begin)) return exif_orientation(data.substr(begin.size()));
    }
    return 1;
  }

 private:
  template <typename Jpeg>
  static boolean leave(Jpeg jpeg) {
    ERREXIT(jpeg, JERR_INPUT_EOF);
    return FALSE;
  }

  jpeg_decompress_struct jpeg_ = {};
  jpeg_error_mgr errors_ = {};
  jpeg_source_mgr source_ = {};
  jpeg_progress_mgr progress_ = {};
  bool created_ = false;
  std::jmp_buf back_ = {};
  std::array<char, JMSG_LENGTH_MAX> message_ = {};
};

/// Of an inverted CMYK, as Adobe's programs write it.
std::uint8_t from_cmyk(unsigned inverted_color, unsigned inverted_black) {
  const unsigned product = (255 - inverted_color) * inverted_black + 128;
  const unsigned rounded = (product + (product >> 8)) >> 8;  // / 255
  return static_cast<std::uint8_t>(inverted_black - rounded);
}

}  // namespace

DecodedPicture decode_jpeg(std::string_view bytes, const std::string& source) {
  JpegReader reader(bytes);
  const auto damaged = [&] { return input_error("{}: damaged: {}", source, reader.message()); };
  if (!reader.read_header()) throw damaged();
  if (reader.components() != 1 && reader.components() != 3 && reader.components() != 4)
    throw input_error("{}: {} channels; expected 1, 3 or 4", source, reader.components());
  DecodedPicture decoded{empty_picture(reader.width(), reader.height(), bytes, source)};
  decoded.orientation = reader.orientation();
  if (!reader.start()) throw damaged();
  std::vector<JSAMPLE> row(reader.row_bytes());
  for (int y = 0; y < decoded.picture.height; ++y) {
    if (!reader.read_row(row.data())) throw damaged();
    const JSAMPLE* from = row.data();
    for (int x = 0; x < decoded.picture.width; ++x) {
      std::uint8_t* const to = decoded.picture.at(x, y);
      for (int part = 0; part < 3; ++part)
        to[part] = reader.grey() ? from[0] : reader.cmyk() ? from_cmyk(from[part], from[3]) : from[part];
      to[3] = 255;
      from += reader.grey() ? 1 : reader.cmyk() ? 4 : 3;
    }
  }
  return decoded;
}

}  // namespace headscope
