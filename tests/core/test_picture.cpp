// Pictures as PIL reads them: tests/data/pictures/make_pictures.py asked it.
#include "core/io/file.h"
#include "core/picture/decoders.h"
#include "core/picture/picture.h"
#include "tests/support/reference.h"

namespace headscope {
namespace {

using testing::HasSubstr;
using tests::complaint;

std::string picture_file(const std::string& name) {
  return fmt::format("{}/pictures/{}", TEST_DATA_DIR, name);
}

TEST(Picture, is_as_pil_decodes_it) {
  int files = 0;
  for (const auto& [name, expected] : tests::load("pictures/expected.npz")) {
    if (!name.starts_with("decode.")) continue;
    ++files;
    SCOPED_TRACE(name);
    const Picture picture = read_picture(picture_file(name.substr(7)));
    ASSERT_EQ(expected.shape, (std::vector<Index>{picture.height, picture.width, 3}));
    int largest = 0;
    for (std::size_t i = 0; i < expected.values.size(); ++i)
      largest =
          std::max(largest, std::abs(static_cast<int>(expected.values[i]) - picture.rgba[i / 3 * 4 + i % 3]));
    EXPECT_LE(largest, 1);
  }
  EXPECT_EQ(files, 29);
}

TEST(Picture, keeps_alpha_for_what_is_drawn) {
  EXPECT_EQ(read_picture(picture_file("palette_alpha.png")).at(0, 0)[3], 0);
  EXPECT_EQ(read_picture(picture_file("palette_alpha.png")).at(1, 0)[3], 128);
  EXPECT_EQ(read_picture(picture_file("photo.jpg")).at(3, 3)[3], 255);
  EXPECT_EQ(read_picture(picture_file("alpha.webp")), read_picture(picture_file("alpha.png")));
}

TEST(Picture, that_is_cut_off_anywhere_is_refused_in_a_line) {
  for (const char* name : {"photo.png", "progressive.jpg", "photo.jpg", "photo.webp", "palette.png"}) {
    const std::string whole = read_file(picture_file(name));
    for (std::size_t size = 0; size < whole.size() / 2; size += 7)
      EXPECT_THAT(complaint([&] { decode_picture(std::string_view(whole).substr(0, size), "x"); }),
                  testing::StartsWith("x: "))
          << name << " " << size;
  }
  EXPECT_THAT(complaint([] { decode_picture("GIF89a and more", "x.gif"); }),
              HasSubstr("x.gif: not a picture; expected PNG, JPEG or WebP"));
}

TEST(Picture, of_claimed_size_is_refused_before_it_takes_memory) {
  std::string jpeg = read_file(picture_file("photo.jpg"));
  const std::size_t frame = jpeg.find("\xFF\xC0");
  ASSERT_NE(frame, std::string::npos);
  for (std::size_t i = 0; i < 4; ++i) jpeg[frame + 5 + i] = '\x3F';
  EXPECT_THAT(complaint([&] { decode_picture(jpeg, "x"); }), HasSubstr("too much is packed into it"));
  for (std::size_t i = 0; i < 4; ++i) jpeg[frame + 5 + i] = '\xFE';
  EXPECT_THAT(complaint([&] { decode_picture(jpeg, "x"); }),
              HasSubstr("65278 × 65278 pixels; expected 1 to 16384 a side"));
}

TEST(Picture, orientation_is_read_from_either_byte_order_and_nothing_else) {
  const std::string big("MM\0*\0\0\0\10\0\1\1\22\0\3\0\0\0\1\0\6\0\0", 22),
      little("II*\0\10\0\0\0\1\0\22\1\3\0\1\0\0\0\10\0\0\0", 22);
  EXPECT_EQ(exif_orientation(big), 6);
  EXPECT_EQ(exif_orientation(little), 8);
  for (std::size_t size = 0; size < 20; ++size) EXPECT_EQ(exif_orientation(big.substr(0, size)), 1) << size;
  std::string endless = little;
  endless[8] = endless[9] = '\xFF';
  endless[10] = 'x';
  EXPECT_EQ(exif_orientation(endless), 1);
  std::string far = little;
  far[4] = far[5] = far[6] = far[7] = '\xFF';
  EXPECT_EQ(exif_orientation(far), 1);
}

}  // namespace
}  // namespace headscope
