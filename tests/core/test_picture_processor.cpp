// Resizing and normalizing as PIL and transformers do: tests/data/pictures/make_pictures.py.
#include "core/picture/picture_processor.h"
#include "tests/support/reference.h"

namespace headscope {
namespace {

using testing::HasSubstr;
using tests::complaint;

Picture photo() {
  return read_picture(fmt::format("{}/pictures/photo.png", TEST_DATA_DIR));
}

TEST(Resize, gives_every_level_that_pil_gives) {
  const Picture whole = photo();
  int cases = 0;
  for (const auto& [name, expected] : tests::load("pictures/expected.npz")) {
    if (!name.starts_with("resize.")) continue;
    ++cases;
    SCOPED_TRACE(name);
    const auto filter = static_cast<Resample>(name[7] - '0');
    const Picture made =
        resized(whole, static_cast<int>(expected.shape[1]), static_cast<int>(expected.shape[0]), filter);
    int largest = 0;
    for (std::size_t i = 0; i < expected.values.size(); ++i)
      largest =
          std::max(largest, std::abs(static_cast<int>(expected.values[i]) - made.rgba[i / 3 * 4 + i % 3]));
    EXPECT_EQ(largest, 0);
  }
  EXPECT_EQ(cases, 24);
}

TEST(PictureProcessor, prepares_as_transformers_does) {
  const std::pair<const char*, const char*> cases[] = {
      {"vit", R"({"image_processor_type": "ViTFeatureExtractor", "size": 16, "resample": 2})"},
      {"clip",
       R"({"image_processor_type": "CLIPImageProcessor", "size": {"shortest_edge": 14}, "crop_size": 12})"},
      {"padded",
       R"({"feature_extractor_type": "CLIPFeatureExtractor", "size": 15,
           "crop_size": {"height": 20, "width": 9}})"},
      {"deit",
       R"({"image_processor_type": "DeiTImageProcessorFast", "size": 18,
           "crop_size": {"height": 15, "width": 14}, "image_mean": [0.485, 0.456, 0.406],
           "image_std": [0.229, 0.224, 0.225]})"}};
  const auto expected = tests::load("pictures/expected.npz");
  for (const auto& [name, json] : cases) {
    SCOPED_TRACE(name);
    const PreparedPicture made = prepare_picture(parse_picture_processor(json, "p.json", ""), photo(), "x");
    const auto& reference = expected.at(std::string("prepare.") + name);
    ASSERT_EQ(made.pixels.shape(), reference.shape);
    for (Index i = 0; i < made.pixels.size(); ++i)
      ASSERT_NEAR(made.pixels.data()[i], reference.values[static_cast<std::size_t>(i)], 1e-6) << i;
  }
}

TEST(PictureProcessor, shows_the_part_that_the_model_sees) {
  const PreparedPicture made = prepare_picture(
      parse_picture_processor(R"({"size": 12, "crop_size": 10})", "p.json", "CLIPImageProcessor"), photo(),
      "x");
  EXPECT_EQ(made.shown.height, 23 * 10 / 12);
  EXPECT_EQ(made.shown.width, 29 * 10 / 15);
}

TEST(PictureProcessor, refuses_absurd_settings_in_a_line) {
  const std::pair<const char*, const char*> cases[] = {
      {R"({"size": 1000000000})", "p.json: size is 1000000000; expected a whole number from 1 to 4096"},
      {R"({"size": 0})", "size is 0"},
      {R"({"size": {"longest_edge": 3}})", "expected a number, height and width, or shortest_edge"},
      {R"({"crop_size": {"shortest_edge": 3}})", "expected a number, or height and width"},
      {R"({"resample": 6})", "resample is 6; expected a whole number from 0 to 5"},
      {R"({"image_std": [0, 1, 1]})", "image_std[0] is 0"},
      {R"({"image_mean": [0.5]})", "expected a list of length 3"},
      {R"({"image_processor_type": "PixtralImageProcessor"})",
       "p.json: image_processor_type is PixtralImageProcessor; expected one of: ViTImageProcessor"},
      {"[]", "expected an object"}};
  for (const auto& [json, part] : cases)
    EXPECT_THAT(
        complaint([&, &text = json] { parse_picture_processor(text, "p.json", "ViTImageProcessor"); }),
        HasSubstr(part));
  Picture line{2, 8000, {}};
  line.rgba.resize(4 * 2 * 8000);
  EXPECT_THAT(complaint([&] {
                prepare_picture(parse_picture_processor("{}", "p.json", "CLIPImageProcessor"), line, "x.png");
              }),
              HasSubstr("x.png: 2 × 8000 pixels; expected a picture of less extreme proportions"));
  PictureProcessor large;
  large.width = large.height = 4000;
  EXPECT_THAT(complaint([&] { prepare_picture(large, line, "x.png"); }),
              HasSubstr("x.png: 4000 × 4000 pixels after resizing; expected at most 8388608"));
}

}  // namespace
}  // namespace headscope
