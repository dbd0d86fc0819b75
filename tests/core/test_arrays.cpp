#include "core/source/engine/engine.h"
#include "core/source/write/write_arrays.h"
#include "tests/support/inputs.h"
#include "tests/support/read_arrays.h"
#include "tests/support/traces.h"

namespace headscope::tests {

void write(const std::string& path, const Trace& trace, int layer = -1) {
  write_arrays(path, trace, layer, session_json(trace.inputs));
}

class ArraysTest : public InFolder {
 protected:
  std::string written(const std::string& name, const std::string& bytes) const {
    write_file(at(name), bytes);
    return at(name);
  }
  static std::shared_ptr<const Trace> small_trace() {
    return Engine(1).run(inputs_of(R"("sentence": "the cat \"sat\" 猫", "key_sentence": "on it", "d_model": 8,
                                      "heads": 4, "kv_heads": 2, "layers": 3)"));
  }
};

void expect_same(const NamedArray& array, const Tensor& tensor, std::size_t begin) {
  const auto size = static_cast<std::size_t>(tensor.size());
  ASSERT_LE(begin + size, array.values.size());
  EXPECT_EQ(std::memcmp(array.values.data() + begin, tensor.data(), size * sizeof(float)), 0);
}

void expect_trace(const std::map<std::string, NamedArray>& arrays, const Trace& trace, int first, int count) {
  using Shape = std::vector<Index>;
  const BlockTrace& block = trace.blocks.front();
  const Index n_q = block.n_q(), n_k = block.n_k();
  EXPECT_EQ(arrays.size(), 12U);
  EXPECT_EQ(arrays.at("x").shape, (Shape{n_q, 8}));
  EXPECT_EQ(arrays.at("key_x").shape, (Shape{n_k, 8}));
  EXPECT_EQ(arrays.at("q").shape, (Shape{count, 4, n_q, 2}));
  for (const char* name : {"k", "v"}) EXPECT_EQ(arrays.at(name).shape, (Shape{count, 2, n_k, 2}));
  for (const char* name : {"scores", "attention"})
    EXPECT_EQ(arrays.at(name).shape, (Shape{count, 4, n_q, n_k}));
  for (const char* name : {"layer_x", "context", "output"})
    EXPECT_EQ(arrays.at(name).shape, (Shape{count, n_q, 8}));
  expect_same(arrays.at("x"), trace.x, 0);
  for (int i = 0; i < count; ++i) {
    const LayerTrace& layer = block.layers[static_cast<std::size_t>(first + i)];
    const Tensor attention = weights(trace, first + i), before = scores(trace, first + i);
    const std::map<std::string, const Tensor*> parts{{"q", &layer.q},           {"k", &layer.k},
                                                     {"v", &layer.v},           {"scores", &before},
                                                     {"attention", &attention}, {"context", &layer.context},
                                                     {"output", &layer.output}, {"layer_x", &layer.x}};
    for (const auto& [name, part] : parts)
      expect_same(arrays.at(name), *part, static_cast<std::size_t>(i * part->size()));
  }
  const NamedArray& tokens = arrays.at("tokens");
  EXPECT_EQ(tokens.dtype, "uint8");
  std::string text;
  for (const float byte : tokens.values) text += static_cast<char>(static_cast<std::uint8_t>(byte));
  auto expected = nlohmann::json::array();
  for (const Token& token : block.tokens) expected.push_back(token.text);
  EXPECT_EQ(nlohmann::json::parse(text), expected);
}

TEST_F(ArraysTest, npz_and_safetensors_come_back_bit_for_bit) {
  const auto trace = small_trace();
  write(at("a.npz"), *trace);
  expect_trace(read_arrays(at("a.npz")), *trace, 0, 3);
  write(at("a.safetensors"), *trace);
  expect_trace(read_arrays(at("a.safetensors")), *trace, 0, 3);
  write(at("b.npz"), *trace, 1);
  expect_trace(read_arrays(at("b.npz")), *trace, 1, 1);
  write(at("c.npz"), *trace);
  EXPECT_EQ(read_file(at("a.npz")), read_file(at("c.npz")));
  EXPECT_EQ(list_arrays(at("a.npz")).at(0).name, "x");
  EXPECT_EQ(list_arrays(at("a.safetensors")).size(), 12U);
}

TEST_F(ArraysTest, safetensors_are_aligned_and_hold_the_session) {
  write(at("a.safetensors"), *small_trace());
  const std::string bytes = read_file(at("a.safetensors"));
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), 8);
  EXPECT_EQ(length % 8, 0U);
  const auto header = nlohmann::json::parse(bytes.substr(8, length));
  const Session session =
      session_from_json(header["__metadata__"]["headscope"].get<std::string>(), "metadata");
  EXPECT_EQ(session.inputs, small_trace()->inputs);
  std::size_t end = 0;
  for (const auto& [name, entry] : header.items())
    if (name != "__metadata__") {
      EXPECT_EQ(entry["data_offsets"][0].get<std::size_t>() % (entry["dtype"] == "F32" ? 4 : 1), 0U);
      end = std::max(end, entry["data_offsets"][1].get<std::size_t>());
    }
  EXPECT_EQ(8 + length + end, bytes.size());
}

TEST_F(ArraysTest, csv_has_a_line_a_cell_from_which_every_float_comes_back) {
  const auto trace = small_trace();
  write(at("a.csv"), *trace, 2);
  std::istringstream lines(read_file(at("a.csv")));
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line,
            "layer,head,query,key,weight,layer_shown,head_shown,name,query_token,key_token,sentence,source");
  const BlockTrace& block = trace->blocks.front();
  for (Index cell = 0; cell < block.heads() * block.n_q() * block.n_k(); ++cell) {
    ASSERT_TRUE(std::getline(lines, line));
    int layer = 0, head = 0, query = 0, key = 0;
    float value = 0;
    ASSERT_EQ(std::sscanf(line.c_str(), "%d,%d,%d,%d,%f", &layer, &head, &query, &key, &value), 5) << line;
    EXPECT_EQ(layer, 2);
    EXPECT_EQ((head * block.n_q() + query) * block.n_k() + key, cell);
    EXPECT_EQ(value, block.maps->weight(2, head, query, key));
  }
  EXPECT_FALSE(std::getline(lines, line));
}

TEST_F(ArraysTest, json_has_nested_lists_tokens_and_the_session) {
  const auto trace = small_trace();
  write(at("a.json"), *trace);
  const auto json = nlohmann::json::parse(read_file(at("a.json")));
  EXPECT_EQ(json["tokens"][0], "the");
  EXPECT_EQ(json["key_tokens"], nlohmann::json({"on", "it"}));
  EXPECT_EQ(session_from_json(json["session"].dump(), "x").inputs, trace->inputs);
  ASSERT_EQ(json["attention"].size(), 3U);
  EXPECT_EQ(json["attention"][2][3][1][1].get<float>(), trace->blocks.front().maps->weight(2, 3, 1, 1));
  EXPECT_EQ(json["x"][0][7].get<float>(), trace->x.data()[7]);
}

TEST_F(ArraysTest, no_tokens_give_arrays_of_no_rows) {
  const auto trace = Engine(1).run(inputs_of(R"("sentence": " ", "layers": 2)"));
  for (const char* name : {"a.npz", "a.safetensors"}) write(at(name), *trace);
  const auto arrays = read_arrays(at("a.npz"));
  EXPECT_EQ(arrays.at("attention").shape, (std::vector<Index>{2, 8, 0, 0}));
  EXPECT_EQ(arrays.at("x").shape, (std::vector<Index>{0, 512}));
  EXPECT_EQ(read_arrays(at("a.safetensors")).at("q").shape, (std::vector<Index>{2, 8, 0, 64}));
  write(at("a.json"), *trace);
  EXPECT_EQ(nlohmann::json::parse(read_file(at("a.json")))["tokens"], nlohmann::json::array());
  write(at("a.csv"), *trace);
  EXPECT_EQ(count(read_file(at("a.csv")), "\n"), 1U);
}

TEST_F(ArraysTest, other_endings_and_targets_are_refused) {
  const auto trace = small_trace();
  EXPECT_EQ(complaint([&] { write(at("a.txt"), *trace); }),
            at("a.txt") + " ends in .txt; expected .npz, .safetensors, .csv or .json");
  EXPECT_EQ(complaint([&] { write(at("a.npz"), *trace, 3); }), "layer is 3; expected 0 to 2");
  fs::create_symlink("/dev/full", at("full.npz"));
  EXPECT_THROW(write(at("full.npz"), *trace), Error);
  EXPECT_THROW(write(at("none/a.npz"), *trace), Error);
  EXPECT_EQ(folder.entries(), 1U);
}

TEST_F(ArraysTest, every_type_is_read) {
  const auto read = [&](const std::string& descr, const std::string& data) {
    return read_npy(written("a.npy", npy_bytes(descr, "(2,)", data))).values;
  };
  using Values = std::vector<float>;
  const auto bytes = [](std::initializer_list<int> list) {
    std::string text;
    for (const int byte : list) text += static_cast<char>(byte);
    return text;
  };
  EXPECT_EQ(read("|b1", bytes({0, 1})), (Values{0, 1}));
  EXPECT_EQ(read("|u1", bytes({0, 255})), (Values{0, 255}));
  EXPECT_EQ(read("|i1", bytes({1, 255})), (Values{1, -1}));
  EXPECT_EQ(read("<i2", bytes({1, 2, 255, 255})), (Values{513, -1}));
  EXPECT_EQ(read(">i2", bytes({1, 2, 255, 255})), (Values{258, -1}));
  EXPECT_EQ(read("<i8", bytes({1, 0, 0, 0, 0, 0, 0, 0, 254, 255, 255, 255, 255, 255, 255, 255})),
            (Values{1, -2}));
  EXPECT_EQ(read("<f4", bytes({0, 0, 0x80, 0x3F, 0, 0, 0x20, 0xC1})), (Values{1, -10}));
  EXPECT_EQ(read(">f4", bytes({0x3F, 0x80, 0, 0, 0xC1, 0x20, 0, 0})), (Values{1, -10}));
  // 1.5 and the smallest subnormal of binary16, 2^-24.
  EXPECT_EQ(read("<f2", bytes({0x00, 0x3E, 0x01, 0x00})), (Values{1.5F, std::ldexp(1.0F, -24)}));
  const auto infinite = read("<f2", bytes({0x00, 0xFC, 0x01, 0x7C}));
  EXPECT_EQ(infinite[0], -INFINITY);
  EXPECT_TRUE(std::isnan(infinite[1]));
  const std::string tenth = bytes({0x9A, 0x99, 0x99, 0x99, 0x99, 0x99, 0xB9, 0x3F});
  const auto doubles = read_npy(written("a.npy", npy_bytes("<f8", "(1,)", tenth)));
  EXPECT_EQ(doubles.values_f64, std::vector<double>{0.1});
  EXPECT_EQ(doubles.values, Values{0.1F});
}

TEST_F(ArraysTest, fortran_order_becomes_c_order) {
  const std::string header = "{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3), }\n";
  const auto array = read_npy(written("a.npy", npy_bytes(header, std::string("\0\3\1\4\2\5", 6))));
  EXPECT_EQ(array.shape, (std::vector<Index>{2, 3}));
  EXPECT_EQ(array.values, (std::vector<float>{0, 1, 2, 3, 4, 5}));
}

TEST_F(ArraysTest, claims_of_a_header_are_held_against_the_file) {
  const auto refuses = [&](const std::string& type, const std::string& rest, const std::string& data,
                           const char* part) {
    const std::string file = written("a.npy", npy_bytes("{'descr': '" + type + "', " + rest + "}\n", data));
    EXPECT_THAT(complaint([&] { read_npy(file); }), HasSubstr(part));
  };
  const std::string c_order = "'fortran_order': False, ", one = "'shape': (1,), ";
  refuses("<f4", c_order + "'shape': (2,), ", "1234", "4 bytes of numbers; expected 8");
  refuses("<f4", c_order + "'shape': (999999999999,999999999), ", "", "too large for any memory");
  refuses("<f4", c_order + "'shape': (99999999999999,), ", "", "0 bytes of numbers");
  refuses("<U4", c_order + "'shape': (1,), ", "", "<U4");
  refuses("<f4", c_order + "'shape': (-1,), ", "", "damaged");
  for (const auto& rest : {one, one + one}) refuses("<f4", rest, "1234", "damaged");
  const std::string cut = written("short.npy", "\x93NUMPY\x01");
  EXPECT_THAT(complaint([&] { read_npy(cut); }), HasSubstr("header is damaged"));
}

TEST_F(ArraysTest, safetensors_types_and_claims) {
  const auto with = [&](const std::string& header, const std::string& data) {
    std::string bytes(8, '\0');
    bytes[0] = static_cast<char>(header.size());
    return written("a.safetensors", bytes + header + data);
  };
  const auto bf16 = read_arrays(
      with(R"({"a":{"dtype":"BF16","shape":[2],"data_offsets":[0,4]}})", std::string("\x80\x3F\x20\xC1", 4)));
  EXPECT_EQ(bf16.at("a").values, (std::vector<float>{1, -10}));
  const auto refuses = [&](const std::string& entry, const char* part) {
    const std::string file = with("{\"a\":" + entry + "}", "1234");
    EXPECT_THAT(complaint([&] { read_arrays(file); }), HasSubstr(part));
  };
  refuses(R"({"dtype":"F32","shape":[1],"data_offsets":[0,5]})", "cut short");
  refuses(R"({"dtype":"F32","shape":[2],"data_offsets":[0,4]})", "expected 8");
  refuses(R"({"dtype":"F8","shape":[4],"data_offsets":[0,4]})", "F8");
  refuses(R"({"dtype":"F32","shape":[-1],"data_offsets":[0,4]})", "damaged");
  refuses("3", "damaged");
  const std::string huge = written("huge.safetensors", std::string(7, '\xFF') + "\x7F{}");
  EXPECT_THAT(complaint([&] { read_arrays(huge); }), HasSubstr("not a .safetensors"));
}

TEST_F(ArraysTest, random_damage_never_does_more_than_complain) {
  const auto trace = small_trace();
  std::mt19937 random(3);
  for (const char* name : {"a.npz", "a.safetensors"}) {
    write(at(name), *trace);
    const std::string whole = read_file(at(name));
    const std::string broken = at("broken" + ending(name));
    for (int i = 0; i < 400; ++i) {
      std::string bytes = whole;
      if (i % 4 == 0) bytes.resize(random() % bytes.size());
      for (unsigned flips = random() % 8; flips > 0 && !bytes.empty(); --flips) {
        // Half of them in the structural parts: the headers at the start and the directory at the end.
        const std::size_t from_end = random() % std::min<std::size_t>(bytes.size(), 1500);
        bytes[i % 2 == 0 ? random() % bytes.size() : bytes.size() - 1 - from_end] =
            static_cast<char>(random() % 256);
      }
      std::ofstream(broken, std::ios::binary) << bytes;
      complaint([&] { read_arrays(broken); });
    }
  }
}

}  // namespace headscope::tests
