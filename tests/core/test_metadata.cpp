#include <gtest/gtest.h>

#include <random>

#include "core/base/error.h"
#include "core/figure/canvas.h"
#include "core/figure/compress.h"
#include "core/figure/metadata.h"
#include "core/figure/png_writer.h"

namespace headscope {
namespace {

constexpr FigureFormat formats[] = {FigureFormat::png, FigureFormat::svg, FigureFormat::pdf};

std::string figure(FigureFormat format, const std::string& session) {
  TextShaper shaper;
  const auto canvas = make_canvas(format, 72, 36, 72, shaper, {"8 heads", session});
  canvas->fill({0, 0, 72, 36}, {255, 255, 255});
  return canvas->finish();
}

const std::string awkward = R"({"sentence":"猫 & <dog> ]]> \"quoted\" \\ (a) ; 👍 שלום","seed":42})";

TEST(Metadata, every_format_gives_the_session_back) {
  const std::string sessions[] = {"{}", awkward, R"({"sentence":")" + std::string(200'000, 'x') + "\"}"};
  for (const FigureFormat format : formats)
    for (const std::string& session : sessions)
      EXPECT_EQ(session_json_in_figure(figure(format, session), "f"), session) << static_cast<int>(format);
}

TEST(Metadata, characters_that_xml_cannot_hold_are_escaped_as_json) {
  const std::string svg = figure(FigureFormat::svg, "{\"sentence\":\"\xef\xbf\xbe\"}");
  EXPECT_EQ(session_json_in_figure(svg, "f"), "{\"sentence\":\"\\ufffe\"}");
}

TEST(Metadata, pdf_keywords_are_found_in_a_compressed_stream_too) {
  const std::string information = "<</Title(x)/Keywords(" + pdf_keywords(awkward) + ")>>";
  const std::string pdf = "%PDF-1.5\n1 0 obj\n<</Filter/FlateDecode>>\nstream\r\n" +
                          compressed(information, 6) + "\nendstream\n%%EOF\n";
  EXPECT_EQ(session_json_in_figure(pdf, "f"), awkward);
}

void expect_error(const std::string& bytes, const std::string& words) {
  try {
    session_json_in_figure(bytes, "my.figure");
    FAIL() << "expected: " << words;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::input);
    EXPECT_TRUE(std::string(error.what()).starts_with("my.figure")) << error.what();
    EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
  }
}

TEST(Metadata, figures_of_others_have_no_session) {
  const std::vector<std::uint32_t> pixels(4);
  expect_error(png_from_pixels(pixels.data(), 2, 2, 2, {}), "without a session");
  expect_error("<svg xmlns=\"http://www.w3.org/2000/svg\"></svg>", "without a session");
  expect_error("%PDF-1.4\n%%EOF\n", "without a session");
  expect_error("", "not a PNG, SVG or PDF");
  expect_error("hello", "not a PNG, SVG or PDF");
}

TEST(Metadata, cut_figures_are_called_damaged) {
  for (const FigureFormat format : formats) {
    const std::string whole = figure(format, awkward);
    for (std::size_t size = 0; size < whole.size(); size += 7) {
      const std::string part = whole.substr(0, size);
      try {
        EXPECT_EQ(session_json_in_figure(part, "f"), awkward);  // it stood before the cut
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), Error::Kind::input);
      }
    }
  }
  const std::string png = figure(FigureFormat::png, awkward);
  expect_error(png.substr(0, png.find(png_session_keyword) + 30), "damaged PNG");
  const std::string svg = figure(FigureFormat::svg, awkward);
  expect_error(svg.substr(0, svg.find(svg_session_close)), "damaged SVG");
  const std::string pdf = figure(FigureFormat::pdf, awkward);
  expect_error(pdf.substr(0, pdf.find(pdf_session_prefix) + 30), "damaged PDF");
}

TEST(Metadata, any_single_damage_is_survived_and_seen_in_png) {
  std::mt19937 random(3);
  for (const FigureFormat format : formats) {
    const std::string whole = figure(format, awkward);
    for (int i = 0; i < 3000; ++i) {
      std::string bytes = whole;
      const std::size_t at = random() % bytes.size();
      bytes[at] = static_cast<char>(static_cast<unsigned>(bytes[at]) ^ (1 + random() % 255));
      try {
        const std::string session = session_json_in_figure(bytes, "f");
        EXPECT_TRUE(format != FigureFormat::png || session == awkward) << "byte " << at;
      } catch (const Error&) {
      }
    }
  }
}

TEST(Metadata, lying_lengths_are_not_believed) {
  std::string png = figure(FigureFormat::png, awkward);
  png.replace(png_signature.size(), 4, "\xff\xff\xff\xff");
  expect_error(png, "damaged PNG");
  EXPECT_FALSE(decompressed(compressed(std::string(1 << 20, 'x'), 9), 1000));
}

TEST(Compress, base64_is_rfc4648) {
  const std::pair<const char*, const char*> vectors[] = {{"", ""},
                                                         {"f", "Zg=="},
                                                         {"fo", "Zm8="},
                                                         {"foo", "Zm9v"},
                                                         {"foob", "Zm9vYg=="},
                                                         {"fooba", "Zm9vYmE="},
                                                         {"foobar", "Zm9vYmFy"}};
  for (const auto& [plain, coded] : vectors) {
    EXPECT_EQ(to_base64(plain), coded);
    EXPECT_EQ(from_base64(coded), plain);
  }
  for (const char* wrong : {"Zg=", "Z===", "Zg==Zg==", "Zm9v!", "====", "Zm9v\n"})
    EXPECT_FALSE(from_base64(wrong)) << wrong;
}

TEST(Compress, round_trips_and_refuses_damage) {
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += static_cast<char>(i % 251 * i % 251);
  const std::string packed = compressed(text, 1);
  EXPECT_EQ(decompressed(packed, text.size()), text);
  EXPECT_FALSE(decompressed(packed.substr(0, packed.size() / 2), text.size()));
  EXPECT_FALSE(decompressed("not zlib", 100));
  EXPECT_EQ(decompressed(compressed("", 6), 10), "");
}

}  // namespace
}  // namespace headscope
