#include "core/figure/canvas/canvas.h"
#include "core/figure/canvas/formats.h"
#include "core/figure/canvas/png_writer.h"
#include "core/io/compress.h"
#include "tests/support/testing.h"

namespace headscope::tests {

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
  EXPECT_THAT(complaint([&] { session_json_in_figure(bytes, "my.figure"); }),
              AllOf(StartsWith("my.figure"), HasSubstr(words)));
}

TEST(Metadata, figures_of_others_have_no_session) {
  const std::vector<std::uint32_t> pixels(4);
  expect_error(png_from_pixels(pixels.data(), 2, 2, 2, {}), "without a session");
  expect_error("<svg xmlns=\"http://www.w3.org/2000/svg\"></svg>", "without a session");
  expect_error("%PDF-1.4\n%%EOF\n", "without a session");
  expect_error("", "not a PNG, SVG, PDF, GIF or WebP");
  expect_error("hello", "not a PNG, SVG, PDF, GIF or WebP");
}

TEST(Metadata, cut_figures_are_called_damaged) {
  for (const FigureFormat format : formats) {
    const std::string whole = figure(format, awkward);
    for (std::size_t size = 0; size < whole.size(); size += 7) {
      const std::string part = whole.substr(0, size);
      complaint([&] { EXPECT_EQ(session_json_in_figure(part, "f"), awkward); });  // it was before the cut
    }
  }
  const auto cut = [](FigureFormat format, std::string_view mark, std::size_t after, const char* words) {
    const std::string whole = figure(format, awkward);
    expect_error(whole.substr(0, whole.find(mark) + after), words);
  };
  cut(FigureFormat::png, png_session_keyword, 30, "damaged PNG");
  cut(FigureFormat::svg, svg_session_close, 0, "damaged SVG");
  cut(FigureFormat::pdf, pdf_session_prefix, 30, "damaged PDF");
}

TEST(Metadata, any_single_damage_is_survived_and_seen_in_png) {
  std::mt19937 random(3);
  for (const FigureFormat format : formats) {
    const std::string whole = figure(format, awkward);
    for (int i = 0; i < 3000; ++i) {
      std::string bytes = whole;
      const std::size_t at = random() % bytes.size();
      bytes[at] = static_cast<char>(static_cast<unsigned>(bytes[at]) ^ (1 + random() % 255));
      complaint([&] {
        const std::string session = session_json_in_figure(bytes, "f");
        EXPECT_TRUE(format != FigureFormat::png || session == awkward) << "byte " << at;
      });
    }
  }
}

TEST(Metadata, lying_lengths_are_not_believed) {
  std::string png = figure(FigureFormat::png, awkward);
  png.replace(png_signature.size(), 4, "\xff\xff\xff\xff");
  expect_error(png, "damaged PNG");
  Budget budget("f", 0);
  std::size_t consumed = 0;
  const std::string bomb = compressed(std::string(std::size_t{100} << 20, 'x'), 9);
  EXPECT_THAT(complaint([&] { decompressed(bomb, budget, consumed); }), HasSubstr("f: too much"));
}

TEST(Compress, base64_is_rfc4648) {
  const char* of_first_letters[] = {"", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"};
  for (std::size_t letters = 0; letters <= 6; ++letters) {
    const std::string plain = std::string("foobar").substr(0, letters);
    EXPECT_EQ(to_base64(plain), of_first_letters[letters]);
    EXPECT_EQ(from_base64(of_first_letters[letters]), plain);
  }
  for (const char* wrong : {"Zg=", "Z===", "Zg==Zg==", "Zm9v!", "====", "Zm9v\n"})
    EXPECT_FALSE(from_base64(wrong)) << wrong;
}

TEST(Compress, round_trips_and_refuses_damage) {
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += static_cast<char>(i % 251 * i % 251);
  const std::string packed = compressed(text, 1);
  Budget budget("f", packed.size());
  std::size_t consumed = 0;
  EXPECT_EQ(decompressed(packed + "more", budget, consumed), text);
  EXPECT_EQ(consumed, packed.size());
  EXPECT_FALSE(decompressed(packed.substr(0, packed.size() / 2), budget, consumed));
  EXPECT_FALSE(decompressed("not zlib", budget, consumed));
  EXPECT_EQ(decompressed(compressed("", 6), budget, consumed), "");
}

}  // namespace headscope::tests
