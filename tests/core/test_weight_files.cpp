#include <csignal>

#include "core/io/path_in_folder.h"
#include "core/io/safetensors_reader.h"
#include "tests/support/model_files.h"

namespace headscope::tests {

class WeightFilesTest : public InFolder {
 protected:
  void write(const std::string& name, const std::string& bytes) const { write_bytes(at(name), bytes); }
  void write_index(const std::string& map) const {
    write("model.safetensors.index.json", R"({"metadata":{"total_size":1},"weight_map":{)" + map + "}}");
  }
  std::string refusal() const {
    return complaint([&] { WeightFiles::open_folder(folder.path.string()); });
  }
};

std::string tensor_file(const std::string& name, const std::string& numbers = std::string(4, '\0')) {
  return safetensors_bytes({{name, "F32", fmt::format("[{}]", numbers.size() / 4), numbers}});
}

TEST_F(WeightFilesTest, numbers_of_four_types_at_any_alignment_are_exact) {
  write("model.safetensors",
        safetensors_bytes({{"odd", "U8", "[1]", "x"},
                           {"single", "F32", "[2,2]", bytes_of({1.5F, -0.0F, 3e38F, 1e-45F})},
                           {"half", "F16", "[6]",
                            bytes_of<std::uint16_t>({0x3C00, 0xBC01, 0x0001, 0x83FF, 0x7BFF, 0x8000})},
                           {"brain", "BF16", "[3]", bytes_of<std::uint16_t>({0x3F80, 0xC120, 0x0001})},
                           {"none", "F32", "[0,3]", ""},
                           {"mask", "F32", "[]", bytes_of({-1e4F})},
                           {"eight", "F8_E4M3", "[2]", "ab"},
                           {"double", "F64", "[3]", bytes_of({1.0, -0.1, 1e-45})}}));
  const WeightFiles weights = WeightFiles::open_folder(folder.path.string());
  EXPECT_EQ(weights.tensors().size(), 8U);
  const auto floats = [&](const char* name) {
    const TensorView* view = weights.find(name);
    std::vector<float> values(static_cast<std::size_t>(view->size()));
    copy_as_float(*view, values.data(), weights.where(name));
    return values;
  };
  EXPECT_EQ(floats("single"), (std::vector<float>{1.5F, -0.0F, 3e38F, 1e-45F}));
  EXPECT_EQ(floats("half"),
            (std::vector<float>{1, -1.0009765625F, 0x1p-24F, -1023 * 0x1p-24F, 65504, -0.0F}));
  EXPECT_TRUE(std::signbit(floats("half")[5]));
  EXPECT_EQ(floats("brain"), (std::vector<float>{1, -10, 0x1p-133F}));
  EXPECT_EQ(floats("double"), (std::vector<float>{1, -0.1F, 1e-45F}));
  EXPECT_EQ(floats("mask"), (std::vector<float>{-1e4F}));
  EXPECT_THAT(floats("none"), IsEmpty());
  EXPECT_EQ(weights.find("single")->shape, (std::vector<Index>{2, 2}));
  EXPECT_EQ(weights.find("nothing"), nullptr);
  EXPECT_EQ(weights.where("nothing"), at("model.safetensors") + ": nothing");
  for (const auto& [name, type] : {std::pair("eight", "F8_E4M3"), {"odd", "uint8"}})
    EXPECT_EQ(complaint([&, read = name] { floats(read); }),
              at("model.safetensors") + ": " + name + ": numbers of type " + type +
                  "; expected float32, float16, bfloat16, float64");
  weights.check_whole();
}

TEST_F(WeightFilesTest, shards_are_found_by_their_index) {
  write("model-00001-of-00002.safetensors", tensor_file("a", bytes_of({1.0F})));
  write("model-00002-of-00002.safetensors", tensor_file("b", bytes_of({2.0F, 3.0F})));
  write_index(R"("a":"model-00001-of-00002.safetensors","b":"model-00002-of-00002.safetensors")");
  WeightFiles opened = WeightFiles::open_folder(folder.path.string());
  const WeightFiles weights = std::move(opened);
  EXPECT_EQ(weights.paths().size(), 2U);
  EXPECT_EQ(weights.where("b"), at("model-00002-of-00002.safetensors") + ": b");
  EXPECT_EQ(weights.find("b")->file, 1U);
  EXPECT_EQ(weights.total_bytes(), fs::file_size(weights.paths()[0]) + fs::file_size(weights.paths()[1]));
  float b[2];
  copy_as_float(*weights.find("b"), b, "b");
  EXPECT_EQ(b[1], 3);
  EXPECT_THAT(missing_shards(folder.path.string()), IsEmpty());
}

TEST_F(WeightFilesTest, an_index_is_a_list_of_claims) {
  write("a.safetensors", tensor_file("a"));
  write("copy.safetensors", tensor_file("a"));
  write("b.bin", "pickle");
  write("c.safetensors", tensor_file("c"));
  const std::string index = at("model.safetensors.index.json");
  const std::pair<std::string, std::string> cases[] = {
      {"", index + ": weight_map is empty"},
      {R"("a":"a.safetensors","b":"b.safetensors")", index + ": 1 of its files is missing: b.safetensors"},
      {R"("a":"x1.safetensors","b":"x2.safetensors")",
       index + ": 2 of its files are missing: x1.safetensors, x2"},
      {R"("a":"a.safetensors","b":"a.safetensors")",
       at("a.safetensors") + ": b is missing; model.safetensors.index.json names it"},
      {R"("a":"c.safetensors","c":"a.safetensors")",
       at("c.safetensors") + ": a is missing; model.safetensors.index.json names it"},
      {R"("a":"a.safetensors","b":"copy.safetensors")",
       at("copy.safetensors") + ": a is in " + at("a.safetensors") + " as well"},
      {R"("a":"b.bin")", index + ": weight_map.a is \"b.bin\"; expected the name of a .safetensors file"},
      {R"("a":"model.safetensors.index.json")", index + ": weight_map.a is \"model.safetensors.index.json\""},
      {R"("a":3)", index + ": weight_map.a is 3; expected the name of a .safetensors file"},
      {R"("a":["a.safetensors"])", index + ": weight_map.a is [\"a.safetensors\"]; expected the name"},
      {R"("a":"")", index + ": weight_map.a is \"\""},
      {R"("a":"../a.safetensors")",
       index + ": weight_map.a is \"../a.safetensors\"; expected a file in the same"},
      {R"("a":"/etc/a.safetensors")", index + ": weight_map.a is \"/etc/a.safetensors\"; expected a file in"},
      {R"("a":"x/../../a.safetensors")", index + ": weight_map.a is \"x/../../a.safetensors\"; expected a"},
      {R"("a":"a.safetensors\u0000.safetensors")", index + ": weight_map.a is"},
      {R"("a":"a.safetensors","a":"a.safetensors")", index + ": field weight_map.a is given twice"}};
  for (const auto& [map, said] : cases) {
    write_index(map);
    EXPECT_THAT(refusal(), StartsWith(said)) << map;
  }
  for (const char* text : {"[]", "{}", "{\"weight_map\":[]}", "{\"weight_map\":null}", "3"}) {
    write("model.safetensors.index.json", text);
    EXPECT_EQ(refusal(), index + ": weight_map is missing; expected an object from tensors to files");
  }
  write("model.safetensors.index.json", "{\"weight_map\":");
  EXPECT_THAT(refusal(), HasSubstr("cut short"));
}

TEST_F(WeightFilesTest, other_formats_are_refused_with_what_to_do) {
  const std::pair<const char*, const char*> cases[] = {
      {"pytorch_model.bin", "a pickle, which can run any program"},
      {"model.pt", "a pickle"},
      {"consolidated.00.pth", "a pickle"},
      {"model.ckpt", "a pickle"},
      {"model.onnx", "weights of ONNX are not read"},
      {"tf_model.h5", "weights of TensorFlow are not read"},
      {"flax_model.msgpack", "weights of Flax are not read"}};
  for (const auto& [name, said] : cases) {
    write(name, "x");
    const std::string reported = refusal();
    EXPECT_THAT(reported, AllOf(StartsWith(at(name) + ": "), HasSubstr(said), HasSubstr("save_pretrained")));
    EXPECT_EQ(complaint([&, file = name] { WeightFiles::open_file(at(file)); }), reported);
    fs::remove(at(name));
  }
  write("model.gguf", "x");
  EXPECT_EQ(refusal(),
            at("model.gguf") + ": a whole model in one file; open this file as a model, not its folder");
  fs::remove(at("model.gguf"));
  EXPECT_EQ(refusal(),
            folder.path.string() +
                ": no weights; expected model.safetensors, or model.safetensors.index.json and the "
                "files it names");
  write("flax_model.msgpack", "x");
  write("training_args.bin", "x");
  EXPECT_THAT(refusal(), HasSubstr("Flax"));
  write("pytorch_model-00001-of-00002.bin", "x");
  EXPECT_THAT(refusal(), HasSubstr("pickle"));
  write("model.fp16.safetensors", tensor_file("a"));
  EXPECT_EQ(refusal(), "no complaint") << "beside weights that are read, the others do not matter";
  write("second.safetensors", tensor_file("b"));
  EXPECT_THAT(refusal(), HasSubstr("model.safetensors.index.json is missing"));
  fs::remove(at("model.fp16.safetensors"));
  fs::rename(at("second.safetensors"), at("adapter_model.safetensors"));
  EXPECT_THAT(refusal(), HasSubstr("an adapter, not a whole model"));
  EXPECT_EQ(complaint([&] { WeightFiles::open_folder(at("none")); }), at("none") + " does not exist");
  EXPECT_THAT(complaint([&] { WeightFiles::open_folder(at("training_args.bin")); }), HasSubstr("a pickle"));
  EXPECT_EQ(complaint([&] { WeightFiles::open_folder(at("adapter_model.safetensors")); }),
            at("adapter_model.safetensors") + " is not a folder");
}

TEST_F(WeightFilesTest, links_may_leave_the_folder_only_as_in_the_hubs_cache) {
  const std::string hash(64, 'a'), snapshot = "hub/models--x--y/snapshots/0123456789abcdef",
                                   blob = "hub/models--x--y/blobs/";
  write(blob + hash, tensor_file("a"));
  write(blob + "not-a-hash", tensor_file("a"));
  write("elsewhere/" + hash, tensor_file("a"));
  fs::create_directories(at(snapshot));
  const auto linked = [&](const std::string& name, const std::string& target) {
    fs::remove(at(name));
    fs::create_symlink(target, at(name));
    return complaint([&] { WeightFiles::open_folder(fs::path(at(name)).parent_path().string()); });
  };
  const std::string file = snapshot + "/model.safetensors", out = "a link that leads out of the folder";
  EXPECT_EQ(linked(file, "../../blobs/" + hash), "no complaint");
  EXPECT_THAT(linked(file, "../../blobs/not-a-hash"), HasSubstr(out));
  EXPECT_THAT(linked(file, "../../../../elsewhere/" + hash), HasSubstr(out));
  EXPECT_THAT(linked(file, at("elsewhere/" + hash)), AllOf(StartsWith(at(file)), HasSubstr(out)));
  EXPECT_EQ(linked(file, "../../blobs/" + std::string(64, 'b')), at(file) + " does not exist");
  EXPECT_EQ(linked(file, "model.safetensors"), at(file) + ": a link that leads to itself");
  fs::create_directory(at("plain"));
  EXPECT_THAT(linked("plain/model.safetensors", "../" + blob + hash), HasSubstr(out));
  write("plain/inside/weights", tensor_file("a"));
  EXPECT_EQ(linked("plain/model.safetensors", "inside/weights"), "no complaint");
  fs::create_directory_symlink(at("plain"), at("link-to-folder"));
  EXPECT_EQ(complaint([&] { WeightFiles::open_folder(at("link-to-folder")); }), "no complaint");
  EXPECT_EQ(path_in_folder(at("plain"), "inside/weights"), at("plain/inside/weights"));
  for (const char* name : {"", ".", "..", "../x", "a/../../x", "/etc/passwd", "./x"})
    EXPECT_THAT(complaint([&] { path_in_folder(at("plain"), name); }), HasSubstr("is outside of the folder"));
}

TEST_F(WeightFilesTest, what_is_no_plain_file_is_refused) {
  fs::create_directory(at("model.safetensors"));
  EXPECT_EQ(refusal(), at("model.safetensors") + " is a folder; expected a file");
  fs::remove(at("model.safetensors"));
  write("model.safetensors", "");
  EXPECT_EQ(refusal(), at("model.safetensors") + ": not a .safetensors file, or cut short");
  fs::remove(at("model.safetensors"));
  EXPECT_EQ(complaint([&] { WeightFiles::open_file("/dev/zero"); }), "/dev/zero: not a regular file");
}

TEST_F(WeightFilesTest, a_file_cut_short_while_it_is_mapped_ends_in_a_line) {
  constexpr std::size_t numbers = 100'000;
  std::string data(4 * numbers, '\0');
  for (std::size_t i = 0; i < numbers; ++i) {
    const auto value = static_cast<float>(i + 1);
    std::memcpy(data.data() + 4 * i, &value, 4);
  }
  for (const std::uintmax_t left : {std::uintmax_t{0}, std::uintmax_t{5000}, std::uintmax_t{4 * numbers}}) {
    write("model.safetensors", tensor_file("a", data));
    const WeightFiles weights = WeightFiles::open_folder(folder.path.string());
    weights.check_whole();
    weights.will_need();
    fs::resize_file(at("model.safetensors"), left);
    std::vector<float> values(numbers);
    // As kernels do, on several threads at once.
    std::vector<std::thread> readers;
    for (std::size_t part = 0; part < 4; ++part)
      readers.emplace_back([&, part] {
        const std::span<const std::byte> bytes = weights.find("a")->bytes.subspan(part * numbers, numbers);
        std::memcpy(values.data() + part * numbers / 4, bytes.data(), bytes.size());
      });
    for (std::thread& reader : readers) reader.join();
    EXPECT_EQ(std::ranges::count(values, 0.0F) == numbers, left == 0);
    EXPECT_EQ(complaint([&] { weights.check_whole(); }),
              at("model.safetensors") + ": was cut short or became unreadable while in use; open it again");
    write("model.safetensors", tensor_file("a", data));
    EXPECT_THAT(complaint([&] { weights.check_whole(); }),
                HasSubstr(left == 4 * numbers ? "was written to while in use" : "was cut short"))
        << "zeros in the place of what was there stay";
  }
}

TEST_F(WeightFilesTest, a_file_written_to_while_it_is_mapped_is_reported) {
  write("model.safetensors", tensor_file("a"));
  const WeightFiles weights = WeightFiles::open_folder(folder.path.string());
  weights.check_whole();
  std::fstream(at("model.safetensors"), std::ios::in | std::ios::out).seekp(-1, std::ios::end).put('\1');
  fs::last_write_time(at("model.safetensors"),
                      fs::last_write_time(at("model.safetensors")) + std::chrono::seconds(2));
  EXPECT_EQ(complaint([&] { weights.check_whole(); }),
            at("model.safetensors") +
                ": was written to while in use, so numbers may be of both versions; open it again");
}

TEST_F(WeightFilesTest, other_bus_errors_end_the_program_as_ever) {
  write("model.safetensors", tensor_file("a"));
  const WeightFiles weights = WeightFiles::open_folder(folder.path.string());
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(
      {
        const MappedFile mapped(at("model.safetensors"));
        std::raise(SIGBUS);
        std::exit(0);
      },
      [](int status) { return !WIFEXITED(status) || WEXITSTATUS(status) != 0; }, testing::_);
}

}  // namespace headscope::tests
