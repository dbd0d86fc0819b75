// Folders as transformers saves them, against what its classes give: tests/data/models/save_encoders.py.
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/io/file.h"
#include "core/picture/picture_processor.h"
#include "core/source/engine/engine.h"
#include "core/source/write/write_arrays.h"
#include "tests/support/reference.h"

namespace headscope::tests {
namespace {

constexpr double saved_bound = 2e-5;

class SavedModels : public InFolder {
 protected:
  static std::string saved(const std::string& name) {
    return fmt::format("{}/models/saved/{}", TEST_DATA_DIR, name);
  }
  static Inputs inputs_of(const std::string& name, const Arrays& expected) {
    Inputs inputs;
    inputs.model = saved(name);
    inputs.sentence = "w4 w7 w5 w9";
    if (expected.contains("target_token_ids")) inputs.target = "w8 w10";
    if (expected.contains("similarity")) inputs.sentence += "\nw11 w6";
    if (!expected.contains("token_ids")) inputs.picture = fmt::format("{}/pictures/photo.png", TEST_DATA_DIR);
    return inputs;
  }
  void expect_arrays(const Trace& trace, const Arrays& expected) {
    write_arrays(at("arrays.npz"), trace, {}, "");
    const Arrays found = read_arrays(at("arrays.npz"));
    for (const auto& [name, wanted] : expected) {
      if (name == "similarity") continue;
      SCOPED_TRACE(name);
      const bool two_towers = expected.contains("similarity") && name == "attention";
      const NamedArray& array = found.at(two_towers ? "self_" + name : name);
      ASSERT_EQ(array.values.size(), wanted.values.size());
      EXPECT_LE(
          tests::largest_difference(array.values.data(), std::ssize(array.values), wanted.values.data()),
          saved_bound);
    }
  }
  Engine engine{2};
};

TEST_F(SavedModels, give_what_their_classes_give) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(saved("")))
    if (entry.is_directory()) names.push_back(entry.path().filename().string());
  std::ranges::sort(names);
  EXPECT_EQ(names.size(), 19U);
  for (const std::string& name : names) {
    SCOPED_TRACE(name);
    const Arrays expected = load("models/saved/" + name + "/expected.npz");
    Inputs inputs = inputs_of(name, expected);
    if (name == "bert-no-types") inputs.key_sentence = "w11 w6";
    const auto trace = engine.run(inputs);
    expect_arrays(*trace, expected);
    EXPECT_THAT(trace->source->notes(0), testing::IsEmpty()) << "about tensors that are not read";
    if (!expected.contains("similarity")) continue;
    const Tensor logits = trace->predictions->logits(0, 1);
    EXPECT_LE(tests::largest_difference(logits, expected.at("similarity")), 10 * saved_bound) << "of 7";
  }
}

TEST_F(SavedModels, have_pictures_as_their_processors_make_them) {
  const Arrays expected = load("models/saved/pictures.npz");
  const Picture photo = read_picture(fmt::format("{}/pictures/photo.png", TEST_DATA_DIR));
  const auto all = nlohmann::json::parse(std::ifstream(saved("pictures.json")));
  for (const auto& [name, settings] : all.items()) {
    SCOPED_TRACE(name);
    const Tensor made =
        prepare_picture(parse_picture_processor(settings.dump(), "p.json", ""), photo, "x").pixels;
    ASSERT_EQ(made.shape(), expected.at(name).shape);
    EXPECT_LE(tests::largest_difference(made, expected.at(name)), 2e-6);
  }
}

TEST_F(SavedModels, read_the_first_picture_of_an_animation) {
  const Picture first = read_picture(saved("moving.webp"));
  const NamedArray expected = load("models/saved/pictures.npz").at("moving.webp");
  ASSERT_EQ(expected.shape, (std::vector<Index>{first.height, first.width, 4}));
  // What is not covered is transparent, where the reference has it black.
  for (std::size_t i = 0; i < first.rgba.size(); ++i)
    if (i % 4 < 3) {
      ASSERT_EQ(static_cast<float>(first.rgba[i]), expected.values[i]) << i;
    }
  std::string whole = read_file(saved("moving.webp"));
  whole[whole.find("ANMF") + 8] = '\x03';
  EXPECT_THAT(complaint([&] { decode_picture(whole, "x"); }), HasSubstr("larger than the whole"));
}

}  // namespace
}  // namespace headscope::tests
