// QR codes are read again from their pixels, as in ISO/IEC 18004, without what corrects errors.
#include <numeric>

#include "core/figure/canvas/qr_code.h"
#include "tests/support/png.h"

namespace headscope::tests {
namespace {

/// What the reader has to know of a version with its error correction.
struct Layout {
  int version;
  std::vector<int> alignment;  ///< centres of the alignment patterns
  std::vector<int> blocks;     ///< data codewords of each
};

std::vector<int> blocks(int count, int length, int longer) {
  std::vector<int> all(static_cast<std::size_t>(count), length);
  all.insert(all.end(), static_cast<std::size_t>(longer), length + 1);
  return all;
}

using Dark = std::function<bool(int x, int y)>;

class Reader {
 public:
  Reader(Dark dark, int size, const Layout& layout) : dark_(std::move(dark)), size_(size), layout_(layout) {
    EXPECT_EQ(size, 17 + 4 * layout.version);
    int bits = 0;
    for (int i = 0; i < 6; ++i) bits |= dark_(8, i) << i | dark_(5 - i, 8) << (9 + i);
    bits = (bits | dark_(8, 7) << 6 | dark_(8, 8) << 7 | dark_(7, 8) << 8) ^ 0x5412;
    level = "MLHQ"[bits >> 13];
    mask_ = bits >> 10 & 7;
  }

  std::string text() const {
    const std::string data = codewords();
    std::size_t at = 0;
    const auto take = [&](int bits) {
      int value = 0;
      for (; bits > 0; --bits, ++at)
        value = value << 1 | (static_cast<unsigned char>(data[at / 8]) >> (7 - at % 8) & 1);
      return value;
    };
    EXPECT_EQ(take(4), 4) << "bytes";
    std::string text(static_cast<std::size_t>(take(layout_.version < 10 ? 8 : 16)), ' ');
    for (char& c : text) c = static_cast<char>(take(8));
    return text;
  }

  char level;

 private:
  bool is_pattern(int x, int y) const {
    const int far = size_ - 8;
    if (x == 6 || y == 6 || (x < 9 && y < 9) || (x >= far && y < 9) || (x < 9 && y >= far)) return true;
    const bool numbered = layout_.version >= 7;
    if (numbered && ((x >= size_ - 11 && y < 6) || (y >= size_ - 11 && x < 6))) return true;
    const std::vector<int>& centres = layout_.alignment;
    for (const int cx : centres)
      for (const int cy : centres) {
        const bool in_finder =
            (cx == 6 && cy == 6) || (cx == 6 && cy == centres.back()) || (cx == centres.back() && cy == 6);
        if (!in_finder && std::abs(x - cx) <= 2 && std::abs(y - cy) <= 2) return true;
      }
    return false;
  }
  bool is_inverted(int x, int y) const {
    const int product = x * y;
    const int rest[] = {(x + y) % 2,
                        y % 2,
                        x % 3,
                        (x + y) % 3,
                        (x / 3 + y / 2) % 2,
                        product % 2 + product % 3,
                        (product % 2 + product % 3) % 2,
                        ((x + y) % 2 + product % 3) % 2};
    return rest[mask_] == 0;
  }
  std::string codewords() const {
    std::vector<unsigned> read;
    int count = 0;
    for (int right = size_ - 1; right >= 1; right -= 2) {
      if (right == 6) right = 5;
      for (int i = 0; i < 2 * size_; ++i) {
        const int x = right - i % 2, y = ((right + 1) & 2) == 0 ? size_ - 1 - i / 2 : i / 2;
        if (is_pattern(x, y)) continue;
        if (count++ % 8 == 0) read.push_back(0);
        read.back() = read.back() << 1 | (dark_(x, y) != is_inverted(x, y) ? 1U : 0U);
      }
    }
    std::vector<std::string> parts(layout_.blocks.size());
    std::size_t next = 0;
    for (int i = 0; i < layout_.blocks.back(); ++i)
      for (std::size_t block = 0; block < parts.size(); ++block)
        if (i < layout_.blocks[block]) parts[block] += static_cast<char>(read.at(next++));
    return std::accumulate(parts.begin(), parts.end(), std::string());
  }

  Dark dark_;
  int size_, mask_ = 0;
  const Layout& layout_;
};

const Layout small{3, {6, 22}, {44}}, middle{10, {6, 28, 50}, blocks(4, 43, 1)},
    largest_m{40, {6, 30, 58, 86, 114, 142, 170}, blocks(18, 47, 31)},
    largest_l{40, {6, 30, 58, 86, 114, 142, 170}, blocks(19, 118, 6)};

std::string bytes(std::size_t count) {
  std::string text;
  while (text.size() < count) text += static_cast<char>('!' + text.size() * 7 % 90);
  return text;
}

}  // namespace

TEST(QrCode, has_the_text_with_the_best_error_correction_that_fits) {
  const std::tuple<std::string, Layout, char> cases[] = {{"https://example.org/头#s=q1YqSy0qzsz", small, 'M'},
                                                         {bytes(210), middle, 'M'},
                                                         {bytes(2331), largest_m, 'M'},
                                                         {bytes(2953), largest_l, 'L'}};
  for (const auto& [text, layout, level] : cases) {
    const QrCode code = qr_code(text);
    const Reader reader([&](int x, int y) { return code.is_dark(x, y); }, code.size, layout);
    EXPECT_EQ(reader.level, level);
    EXPECT_EQ(reader.text(), text);
  }
  EXPECT_EQ(qr_code(bytes(2332)).size, 17 + 4 * 36) << "as of error correction L, M has no room for it";
}

TEST(QrCode, is_refused_where_the_text_is_too_long) {
  const std::string why = complaint([] { qr_code(bytes(2954)); });
  EXPECT_THAT(why, HasSubstr("bytes in the link: 2954; a QR code holds at most 2953"));
}

TEST(QrCode, is_black_on_white_with_a_quiet_zone_in_files) {
  const std::string text = "https://example.org/headscope.html#s=abc";
  const QrCode code = qr_code(text);
  const Pixels pixels = decoded(qr_file(code, "code.png"));
  const int side = code.size + 8, scale = pixels.width / side;
  EXPECT_EQ(pixels.width, scale * side);
  EXPECT_EQ(pixels.height, pixels.width);
  EXPECT_GE(pixels.width, 1000) << "for paper";
  for (int y = 0; y < pixels.height; ++y)
    for (int x = 0; x < pixels.width; ++x) {
      const int column = x / scale - 4, row = y / scale - 4;
      const bool inside = column >= 0 && row >= 0 && column < code.size && row < code.size;
      const std::uint8_t shade = inside && code.is_dark(column, row) ? 0 : 255;
      ASSERT_EQ(pixels.at(x, y), (Rgb{shade, shade, shade})) << x << ", " << y;
    }
  const Reader reader([&](int x, int y) { return pixels.at((x + 4) * scale, (y + 4) * scale).r == 0; },
                      code.size, small);
  EXPECT_EQ(reader.text(), text);
  const std::string svg = qr_file(code, "code.svg");
  EXPECT_THAT(svg, HasSubstr(fmt::format("viewBox=\"0 0 {0} {0}\"", side)));
  for (int y = 0; y < code.size; ++y)
    for (int x = 0; x < code.size; ++x)
      EXPECT_EQ(svg.find(fmt::format("M{} {}h1v1h-1z", x + 4, y + 4)) != std::string::npos,
                code.is_dark(x, y));
  EXPECT_THAT(complaint([&] { qr_file(code, "code.pdf"); }), HasSubstr(".svg"));
}

}  // namespace headscope::tests
