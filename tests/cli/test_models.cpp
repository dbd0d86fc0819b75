#include "core/base/tensor.h"
#include "tests/cli/cli_fixture.h"
#include "tests/support/model_folder.h"
#include "tests/support/model_inputs.h"
#include "tests/support/reference.h"

namespace headscope::tests {
namespace {

class ModelsOnTheLine : public CliTest {
 protected:
  // The options for a case of models.json, whose model is written to `folder`.
  static Arguments line_of(const Json& entry, const std::string& folder = "m") {
    write_whole_model(folder, entry);
    return {"--model", folder, "--sentence", words_of(entry["ids"])};
  }
  static Arguments line_of(const char* name) { return line_of(model_case(name)); }
};

TEST_F(ModelsOnTheLine, write_the_arrays) {
  const Json entry = model_case("gpt2");
  expect_done(Arguments{"tensors", "-o", "a.npz"} + line_of(entry));
  const Arrays found = read_arrays("a.npz"), expected = load("models/gpt2.npz");
  for (const auto& [name, reference] : {std::pair{"attention", "gpt2.self.attention"},
                                        {"layer_x", "gpt2.self.x"},
                                        {"logits", "gpt2.logits"}}) {
    const NamedArray &a = found.at(name), &b = expected.at(reference);
    ASSERT_EQ(a.shape, b.shape) << name;
    EXPECT_LE(largest_difference(a.values.data(), std::ssize(a.values), b.values.data()), 2e-5) << name;
  }
  std::set<std::string> names;
  for (const auto& [name, array] : found) names.insert(name);
  EXPECT_THAT(names,
              testing::ElementsAre("attention", "context", "k", "key_tokens", "layer_x", "logits", "output",
                                   "q", "scores", "stack_output", "token_ids", "tokens", "v", "x"));
  EXPECT_EQ(found.at("token_ids").dtype, "int64");
  const Arguments model{"--model", "m", "--sentence", "w3 w17 w5"};
  expect_done(Arguments{"tensors", "-o", "b.safetensors", "--arrays", "attention,token_ids", "--layer", "1",
                        "--queries", "1:3"} +
              model);
  const Arrays few = read_arrays("b.safetensors");
  ASSERT_THAT(few, SizeIs(2));
  EXPECT_EQ(few.at("attention").shape, (std::vector<Index>{1, 4, 2, 3}));
  expect_refused(Arguments{"tensors", "-o", "c.npz", "--arrays", "atention"} + model,
                 "there is no array atention; expected one of: attention, ");
  expect_refused(Arguments{"tensors", "-o", "c.npz", "--layer", "9"} + model, "9; expected 0 to 1");
  expect_refused(Arguments{"tensors", "-o", "c.npz", "--queries", "0:4"} + model, "at most 3");
  expect_refused(Arguments{"tensors", "-o", "c.npz", "--block", "cross"} + model, "no cross attention");
  expect_refused({"tensors", "-o", "c.npz", "--model", "none"}, "none");
}

TEST_F(ModelsOnTheLine, that_hear_want_a_spectrogram_and_read_no_sentence) {
  const Json entry = model_case("whisper");
  write_whole_model("m", entry);
  const std::string sound = write_sound("sound.npy", entry);
  expect_refused({"predict", "--model", "m"}, "--features is missing; this model hears, and reads a log-mel");
  const auto done = run({"predict", "--model", "m", "--features", sound, "--sentence", "w3"});
  EXPECT_EQ(done.status, 0);
  EXPECT_THAT(done.err, HasSubstr("--sentence has no effect: this model hears"));
}

TEST_F(ModelsOnTheLine, are_never_written_over_by_what_consists_of_them) {
  const Arguments model = line_of("gpt2");
  fs::create_symlink("m/model.safetensors", "link.safetensors");
  const std::string before = read_file("m/model.safetensors");
  for (const char* name :
       {"m/model.safetensors", "m/../m/model.safetensors", "link.safetensors", "m/config.json"})
    expect_refused(Arguments{"tensors", "-o", name} + model,
                   std::string(name) + " is read by this command; expected another file to write");
  EXPECT_EQ(read_file("m/model.safetensors"), before);
  expect_done(Arguments{"tensors", "-o", "m/arrays.npz"} + model);
  expect_done(Arguments{"tensors", "-o", "m/arrays.npz"} + model);
  expect_refused({"tensors", "-o", "m/arrays.npz", "--capture", "m/arrays.npz"}, "m/arrays.npz is read by");
}

TEST_F(ModelsOnTheLine, read_a_sentence_from_a_file_and_need_one) {
  Arguments model = line_of("gpt2");
  expect_done(Arguments{"tensors", "-o", "a.csv"} + model);
  write_file("text", model.back() + "\n");
  model.resize(2);
  expect_done(Arguments{"tensors", "-o", "b.csv", "--sentence-file", "text"} + model);
  EXPECT_EQ(read_file("a.csv"), read_file("b.csv"));
  write_file("latin", "\xE4");
  write_file("long", sentence_of(70'000, "a", false));
  for (const auto& [line, part] :
       {std::pair{Arguments{"--sentence-file", "none"}, "none does not exist"},
        {Arguments{"--sentence-file", "latin"}, "latin: byte 0 is not valid UTF-8"},
        {Arguments{"--sentence-file", "long"}, "long has 70000 tokens"},
        {Arguments{"--sentence-file", "text", "--sentence", "w1"}, "are both given"},
        {Arguments{"--sentence", " "}, "the sentence has no tokens"}})
    for (const char* name : {"tensors c.csv", "heads c.csv", "export c.svg"}) {
      const std::string words = name;
      const std::size_t blank = words.find(' ');
      expect_refused(Arguments{words.substr(0, blank), "-o", words.substr(blank + 1)} + model + line, part);
    }
}

TEST_F(ModelsOnTheLine, are_no_pickles_wherever_one_is_named) {
  const std::pair<const char*, const char*> cases[] = {{"x.pt", "x.pt: a pickle, which can run any program"},
                                                       {"x.bin", "a pickle"},
                                                       {"x.pth", "a pickle"},
                                                       {"x.ckpt", "a pickle"},
                                                       {"x.pkl", "a pickle"},
                                                       {"x.h5", "weights of TensorFlow"},
                                                       {"x.onnx", "weights of ONNX"}};
  for (const auto& [name, part] : cases) {
    write_file(name, "PK\x03\x04\x80\x02}q");
    for (const Arguments& line : {Arguments{name}, Arguments{"info", name}, Arguments{"predict", name},
                                  Arguments{"predict", "--model", name}, Arguments{"--model", name},
                                  Arguments{"heads", "-o", "o.csv", "--capture", name}})
      expect_refused(line, part);
  }
  write_file("x.gguf", "PK\x03\x04");
  for (const Arguments& line :
       {Arguments{"x.gguf"}, Arguments{"info", "x.gguf"}, Arguments{"--model", "x.gguf"}})
    expect_refused(line, "x.gguf: does not begin with GGUF; expected a GGUF file");
  expect_refused({"heads", "-o", "o.csv", "--capture", "x.gguf"}, "x.gguf: a whole model in one file");
  expect_refused({"info", "y.pt"}, "y.pt does not exist");
}

TEST_F(ModelsOnTheLine, report_the_arithmetic_of_a_cell) {
  const auto json_of = [](const Arguments& line) {
    const CliResult result = run(Arguments{"arithmetic", "--json"} + line);
    EXPECT_EQ(result.status, 0) << result.err;
    return Json::parse(result.out);
  };
  const Json llama =
      json_of(line_of("llama3") + Arguments{"--layer", "1", "--head", "2", "--query", "5", "--key", "3"});
  for (const char* name : {"x_normed", "q_projected", "q_unrotated", "q_rotated", "k_rotated", "rotary_pairs",
                           "query_angles", "residual", "output", "w_o_terms", "b_o"})
    EXPECT_TRUE(llama.contains(name)) << name;
  EXPECT_EQ(llama["q_rotated"], llama["q"]);
  EXPECT_NEAR(llama["query_angles"][0].get<double>() / llama["key_angles"][0].get<double>(), 5.0 / 3, 1e-12);
  EXPECT_EQ(llama["block"], "self");
  for (std::size_t c = 0; c < llama["output"].size(); ++c) {
    double sum = llama["b_o"][c];
    for (const Json& head : llama["w_o_terms"]) sum += head[c].get<double>();
    EXPECT_NEAR(sum, llama["output"][c].get<double>(), 1e-5);
  }
  const Json t5 =
      json_of(line_of("t5") + Arguments{"--target", "w11 w12", "--block", "decoder", "--query", "2"});
  EXPECT_EQ(t5["scale"], 1.0);
  EXPECT_EQ(t5["relative_distance"], -2);
  EXPECT_NEAR(t5["score"].get<double>(), t5["dot"].get<double>() + t5["relative_bias"].get<double>(), 1e-5);
  for (const char* language : {"en", "zh"}) {
    const CliResult text = run(Arguments{"arithmetic", "--language", language} + line_of("qwen3"));
    EXPECT_EQ(text.status, 0) << text.err;
    EXPECT_THAT(text.out, HasSubstr(*language == 'z' ? "旋转到位置 0 的 q" : "q rotated to position 0"));
  }
  const CliResult steps = run(Arguments{"export", "--view", "steps", "-o", "s.svg"} + line_of("qwen3"));
  EXPECT_EQ(steps.status, 0);
  EXPECT_THAT(steps.err, StartsWith("headscope: The smallest text is ")) << "the digits of matrices";
  const auto page = [](const char* name) {
    return Arguments{"export", "--page", name, "-o", "p.svg", "--block", "cross"} + line_of("t5");
  };
  expect_done(page("cost"));
  fs::remove("p.svg");
  expect_refused(page("streaming"), "--page is streaming; this page is about a layer from a seed");
}

TEST_F(ModelsOnTheLine, are_named_by_the_steps_of_a_lesson) {
  line_of(model_case("llama3"));
  std::filesystem::create_directory("lessons");
  const auto lesson = [](const std::string& model) {
    return "# T\n## A\n```state\n{\"model\": \"" + model +
           "\", \"sentence\": \"w3 w17 w5\",\n \"cell\": {\"head\": 1, \"query\": 2, \"key\": 1}}\n```\n"
           "### English\n{weight} {q(0)} {score}\n```claims\nrow_sum = 1\nheads > kv_heads\n"
           "score = dot * scale\n```\n## B\n```state\n{\"reset\": true}\n```\n### English\n{tokens}\n";
  };
  write_file("lessons/a.md", lesson("../m"));
  EXPECT_EQ(run({"info", "lessons/a.md"}).status, 0);
  write_file("lessons/b.md", lesson("gone"));
  const CliResult result = run({"info", "lessons/b.md"});
  EXPECT_EQ(result.status, 2);
  EXPECT_TRUE(result.one_line()) << result.err;
  EXPECT_THAT(result.err, AllOf(HasSubstr("lessons/b.md: line 3: "), HasSubstr("gone")));
}

TEST_F(ModelsOnTheLine, mask_one_layer) {
  const Arguments model = line_of("gpt2");
  expect_done(Arguments{"tensors", "-o", "a.npz", "--arrays", "attention", "--mask", "self:1/padding:0"} +
              model);
  const NamedArray array = read_arrays("a.npz").at("attention");
  const Index heads = array.shape[1], n = array.shape[2];
  const auto weight = [&](Index layer) {
    return array.values[static_cast<std::size_t>(((layer * heads) * n + 3) * n)];
  };
  EXPECT_GT(weight(0), 0);
  EXPECT_EQ(weight(1), 0);
  expect_refused(Arguments{"tensors", "-o", "a.npz", "--mask", "self:2/causal"} + model,
                 "layer is 2; expected 0 to 1");
  expect_refused(Arguments{"tensors", "-o", "a.npz", "--mask", "cross/causal"} + model,
                 "there is no cross attention; expected self");
}

TEST_F(ModelsOnTheLine, write_the_three_blocks_of_an_encoder_decoder) {
  const Arguments model = line_of("marian") + Arguments{"--target", "w11 w12 w13"};
  expect_done(Arguments{"tensors", "-o", "a.npz"} + model);
  const Arrays found = read_arrays("a.npz"), expected = load("models/marian.npz");
  for (const char* block : {"encoder", "decoder", "cross"}) {
    const NamedArray &a = found.at(std::string(block) + "_attention"),
                     &b = expected.at(std::string("marian.") + block + ".attention");
    ASSERT_EQ(a.shape, b.shape);
    EXPECT_LE(largest_difference(a.values.data(), std::ssize(a.values), b.values.data()), 2e-5) << block;
  }
  EXPECT_EQ(found.at("target_token_ids").values, (std::vector<float>{49, 11, 12, 13}));
  for (const char* name : {"encoder_x", "decoder_layer_x", "cross_key_x", "cross_q", "decoder_stack_output",
                           "target_tokens", "tokens", "token_ids", "logits"})
    EXPECT_TRUE(found.contains(name)) << name;
  expect_done(Arguments{"tensors", "-o", "b.npz", "--block", "cross", "--arrays", "cross_attention"} + model);
  EXPECT_THAT(read_arrays("b.npz"), SizeIs(1));
  expect_done(Arguments{"export", "-o", "a.png", "--block", "cross", "--layer", "1", "--head", "2"} + model);
  expect_refused(Arguments{"export", "-o", "b.png", "--block", "self"} + model, "--block is self");
}

TEST_F(ModelsOnTheLine, expect_and_go_on) {
  const Arguments model = line_of("gpt2");
  const CliResult found = run(Arguments{"predict", "--json", "--lens"} + model);
  ASSERT_EQ(found.status, 0) << found.err;
  const Json json = Json::parse(found.out), first = json["positions"][0];
  ASSERT_EQ(json["positions"].size(), 9U);
  EXPECT_EQ(first["expected"].size(), 10U);
  EXPECT_EQ(first["layers"].size(), 2U);
  EXPECT_EQ(first["layers"][1], first["expected"]);
  EXPECT_EQ(first["surprise"], nullptr);
  const NamedArray logits = load("models/gpt2.npz").at("gpt2.logits");
  const auto row = logits.values.begin();
  EXPECT_EQ(first["expected"][0]["token_id"], std::max_element(row, row + 50) - row);
  const CliResult plain = run(Arguments{"predict"} + model);
  EXPECT_EQ(count(plain.out, "\n"), 10U);

  const CliResult text = run(Arguments{"generate", "--json", "--max-tokens", "4"} + model);
  ASSERT_EQ(text.status, 0) << text.err;
  const Json generated = Json::parse(text.out);
  EXPECT_EQ(generated["token_ids"].size(), 4U);
  EXPECT_EQ(generated["token_ids"][0], json["positions"][8]["expected"][0]["token_id"]);
  const Arguments draw{"generate", "--sample-temperature", "2", "--top-k", "5", "--sample-seed", "3"};
  EXPECT_EQ(run(draw + model).out, run(draw + model).out);
  EXPECT_THAT(run(Arguments{"generate", "--top-k", "5"} + model).err, HasSubstr("--top-k has no effect"));
  for (const char* command : {"predict", "generate"})
    expect_refused({command}, "--model is missing; expected the folder of a trained model");
  expect_refused(Arguments{"generate"} + line_of("bert"), "BERT reads a text and writes none");
}

TEST_F(ModelsOnTheLine, tell_labels_and_answers) {
  const CliResult text = run(Arguments{"predict"} + line_of("gpt2-text"));
  EXPECT_THAT(text.out, AllOf(HasSubstr("The likeliest labels of the text"), HasSubstr("\"POSITIVE\"")));
  EXPECT_EQ(count(text.out, "\n"), 2U);
  const Json json = Json::parse(run(Arguments{"predict", "--json", "--lens"} + line_of("bert-tokens")).out);
  EXPECT_EQ(json["of"], "label of this token");
  EXPECT_EQ(json["positions"].size(), 9U);
  EXPECT_EQ(json["positions"][0]["expected"].size(), 3U);
  EXPECT_TRUE(json["positions"][0]["expected"][0].contains("label_id"));
  EXPECT_FALSE(json["positions"][0].contains("surprise"));
  const CliResult span = run(Arguments{"predict"} + line_of("bert-span"));
  EXPECT_THAT(span.out, HasSubstr("The likeliest answer is at positions "));
  EXPECT_TRUE(
      Json::parse(run(Arguments{"predict", "--json"} + line_of("llama-span")).out).contains("answer"));
  EXPECT_THAT(run(Arguments{"predict"} + line_of("electra-replaced")).out, HasSubstr("\"replaced\""));
  const Json shares = Json::parse(
      run(Arguments{"predict", "--json", "--contributions", "NEUTRAL"} + line_of("gpt2-text")).out);
  EXPECT_EQ(shares["token_id"], 1);
  EXPECT_EQ(shares["position"], 8);
  EXPECT_NEAR(shares["contributions"]["sum"].get<double>(), shares["logit"].get<double>(), 1e-5);
  expect_refused(Arguments{"predict", "--contributions", "w7"} + line_of("gpt2-text"),
                 "expected one label of this model (NEGATIVE, NEUTRAL, POSITIVE)");
  expect_refused(Arguments{"generate"} + line_of("gpt2-text"), "so it writes no text");
  for (const char* view : {"lens", "contributions"})
    expect_done(Arguments{"export", "-o", "a.svg", "--view", view} + line_of("gpt2-text"));
  expect_done(Arguments{"tensors", "-o", "a.npz"} + line_of("gpt2-text"));
  EXPECT_EQ(read_arrays("a.npz").at("logits").shape, (std::vector<Index>{1, 3}));
}

TEST_F(ModelsOnTheLine, report_what_each_part_adds_to_a_logit) {
  for (const std::string name : {"gpt2", "t5", "bert", "marian", "deberta-v2-convolved"}) {
    const bool translates = name == "t5" || name == "marian";
    const Arguments model =
        line_of(name.c_str()) + (translates ? Arguments{"--target", "w11 w12"} : Arguments{});
    const CliResult found = run(Arguments{"predict", "--json", "--contributions", "w7"} + model);
    ASSERT_EQ(found.status, 0) << found.err;
    const Json json = Json::parse(found.out), parts = json["contributions"];
    EXPECT_EQ(json["token_id"], 7);
    double sum = 0;
    for (const char* part : {"embedding", "position", "token_type", "embedding_bias", "convolution",
                             "last_norm_bias", "output_bias"})
      sum += parts[part].get<double>();
    for (const Json& layer : parts["layers"]) {
      for (const char* block : {"self", "decoder", "cross"}) {
        if (!layer.contains(block)) continue;
        sum += layer[block]["bias"].get<double>();
        for (const Json& head : layer[block]["heads"]) sum += head.get<double>();
      }
      sum += layer["feed_forward"].get<double>() + layer["feed_forward_bias"].get<double>();
    }
    EXPECT_NEAR(sum, json["logit"].get<double>(), 1e-5);
    EXPECT_EQ(parts["layers"][0].contains("cross"), translates);
    EXPECT_EQ(parts["held"].get<std::string>().starts_with("Activations and norms are held"),
              name == "bert" || name == "deberta-v2-convolved");
  }
  const Arguments model = line_of("gpt2");
  const CliResult at =
      run(Arguments{"predict", "--json", "--contributions", "12", "--position", "2"} + model);
  EXPECT_EQ(Json::parse(at.out)["position"], 2);
  EXPECT_EQ(Json::parse(at.out)["token_id"], 12);
  EXPECT_THAT(run(Arguments{"predict", "--contributions", "w7"} + model).out, HasSubstr("layer 1, head 3"));
  const Arguments ask{"predict", "--contributions"};
  const auto parts_of = [&](const Arguments& tokens) {
    return Json::parse(run(Arguments{"predict", "--json", "--contributions"} + tokens + model).out);
  };
  const Json one = parts_of({"w7"}), other = parts_of({"w12"}), both = parts_of({"w7", "--against", "w12"});
  EXPECT_EQ(both["against_id"], 12);
  EXPECT_FALSE(both.contains("logit"));
  const auto expect_difference = [&](const char* part, const char* of_difference) {
    const Json::json_pointer at(part);
    EXPECT_NEAR(both[Json::json_pointer(of_difference)].get<double>(),
                one[at].get<double>() - other[at].get<double>(), 1e-9)
        << part;
  };
  expect_difference("/logit", "/logit_difference");
  for (const char* part : {"/contributions/sum", "/contributions/embedding", "/contributions/output_bias",
                           "/contributions/layers/1/self/heads/2", "/contributions/layers/0/feed_forward"})
    expect_difference(part, part);
  EXPECT_THAT(run(ask + Arguments{"w7", "--against", "w12"} + model).out,
              AllOf(HasSubstr("minus that of \"w12\" (12)"), HasSubstr("the difference of the logits")));
  expect_refused(ask + Arguments{"w7", "--against", "id:7"} + model,
                 "--contributions and --against are the same, id:7; expected two tokens");
  EXPECT_THAT(run(Arguments{"predict", "--against", "w7"} + model).err, HasSubstr("--against has no effect"));
  expect_refused(ask + Arguments{"w1 w2"} + model,
                 "--contributions is \"w1 w2\", which this model reads in pieces");
  expect_refused(ask + Arguments{"w7", "--position", "9"} + model, "--position is 9; expected 0 to 8");
  EXPECT_THAT(run(ask + Arguments{"w7"} + line_of("bert")).out,
              HasSubstr("Activations and norms are held at this run's values"));
}

TEST_F(ModelsOnTheLine, draw_what_layers_and_heads_say) {
  const Arguments model = line_of("gpt2");
  for (const char* view : {"lens", "contributions"}) {
    expect_done(Arguments{"export", "-o", "a.svg", "--view", view} + model);
    EXPECT_GT(fs::file_size("a.svg"), 4000U);
  }
  expect_done(Arguments{"export", "-o", "a.svg", "--view", "contributions", "--token", "w7"} + model);
  EXPECT_EQ(session_of({"a.svg"}).view.predictions.token, "w7");
  expect_done(Arguments{"export", "-o", "b.svg", "--scatter", "entropy,first"} + model);
  const Session session = session_of({"b.svg"});
  EXPECT_EQ(session.view.kind, ViewKind::head_table);
  EXPECT_EQ(session.view.table.half, TableHalf::scatter);
  EXPECT_EQ(session.view.table.scatter_x, "entropy");
  expect_refused(Arguments{"export", "-o", "c.svg", "--scatter", "entropy"} + model,
                 "expected two of: no_token, entropy");
}

TEST_F(ModelsOnTheLine, find_heads_that_look_at_a_cell) {
  expect_done(Arguments{"heads", "-o", "h.json", "--query", "5", "--key", "2"} + line_of("gpt2"));
  const Json heads = Json::parse(read_file("h.json"))["heads"];
  ASSERT_EQ(heads.size(), 8U);
  const NamedArray maps = load("models/gpt2.npz").at("gpt2.self.attention");
  for (std::size_t i = 0; i < heads.size(); ++i) {
    const std::size_t layer = heads[i]["layer"], head = heads[i]["head"];
    EXPECT_NEAR(heads[i]["weight"].get<double>(),
                static_cast<double>(maps.values[((layer * 4 + head) * 9 + 5) * 9 + 2]), 1e-5);
    if (i > 0) {
      EXPECT_LE(heads[i]["weight"], heads[i - 1]["weight"]);
    }
  }
}

TEST_F(ModelsOnTheLine, ablate_heads) {
  const Arguments model = line_of("gpt2");
  expect_done(Arguments{"tensors", "-o", "a.npz", "--heads-off", "0.1", "--arrays", "context"} + model);
  const NamedArray context = read_arrays("a.npz").at("context");
  for (std::size_t i = 0; i < 24; ++i) EXPECT_EQ(context.values[i] == 0, i / 6 == 1) << i;
  expect_refused(Arguments{"tensors", "-o", "b.npz", "--heads-off", "1"} + model,
                 "--heads-off: \"1\" is not a head");
  expect_refused(Arguments{"tensors", "-o", "b.npz", "--heads-off", "0.4"} + model,
                 "head is 4; expected 0 to 3");
}

TEST_F(ModelsOnTheLine, stay_with_their_sessions) {
  fs::create_directory("work");
  const Arguments model = line_of(model_case("gpt2"), "work/m");
  expect_done(Arguments{"export", "-o", "work/a.svg", "--layer", "1"} + model);
  const Session session = session_of({"work/a.svg"});
  EXPECT_EQ(session.inputs.model, fs::absolute("work/m").string());
  EXPECT_EQ(session.view.layer, 1);
  save_session("work/s.json", session);
  EXPECT_EQ(Json::parse(read_file("work/s.json"))["model"], "m");
  fs::rename("work", "moved");
  EXPECT_EQ(session_of({"moved/s.json"}).inputs.model, fs::absolute("moved/m").string());
  EXPECT_EQ(session_of({"moved/m"}).inputs.model, fs::absolute("moved/m").string());
  expect_done({"heads", "-o", "heads.csv", "moved/s.json"});
  // A session whose model is missing keeps everything.
  fs::remove_all("moved/m");
  EXPECT_EQ(session_of({"moved/s.json"}).inputs.model, fs::absolute("moved/m").string());
  expect_refused({"heads", "-o", "b.csv", "moved/s.json"}, "moved/m");
  EXPECT_EQ(run({"info", "moved/s.json"}).status, 0);
  expect_refused({"pytorch", "--model", "moved/m"}, "moved/m");
}

TEST_F(ModelsOnTheLine, refuse_what_changes_a_seeded_layer_alone) {
  const Arguments model = line_of("gpt2");
  const std::string refused = " is given; a trained model keeps its own sizes, weights, vectors and tokens";
  for (const Arguments& line :
       {Arguments{"predict", "--d-model", "64"}, Arguments{"heads", "-o", "a.csv", "--heads", "4"},
        Arguments{"arithmetic", "--layers", "3"}, Arguments{"generate", "--seed", "1"},
        Arguments{"export", "-o", "a.svg", "--weights", "identity"}, Arguments{"info", "--no-residual"},
        Arguments{"tensors", "-o", "a.npz", "--inputs", "embedding"}, Arguments{"--positions", "sinusoidal"},
        Arguments{"pytorch", "--kv-heads", "2"},
        Arguments{"export", "-o", "a.svg", "--typed-order", "in_out"},
        Arguments{"export", "-o", "a.gif", "--splits", "1"}}) {
    const bool alone = line.back().starts_with("--");
    expect_refused(line + model, (alone ? line.back() : line[line.size() - 2]) + refused);
  }
  expect_refused(Arguments{"export", "-o", "a.gif", "--sweep", "d_model=8:64:4"} + model,
                 "--sweep d_model" + refused);
  expect_done(Arguments{"export", "-o", "a.gif", "--sweep", "temperature=1:2:2", "--dpi", "20"} + model);
  EXPECT_EQ(run(Arguments{"predict", "--gain-q", "2", "--mask", "window:2"} + model).err, "");
}

TEST_F(ModelsOnTheLine, compare_with_ablated_heads) {
  const Arguments view{"export", "-o", "a.svg", "--view", "compare"};
  expect_done(view + Arguments{"--heads-off", "0.1"} + line_of("gpt2"));
  const Session session = session_of({"a.svg"});
  EXPECT_TRUE(session.inputs.ablated_heads.empty());
  ASSERT_TRUE(session.compare.has_value());
  EXPECT_EQ(session.compare->ablated_heads, (std::set<HeadPlace>{{BlockKind::self, 0, 1}}));
  EXPECT_EQ(session.view.layer, 1) << "where it changes something";
  EXPECT_EQ(run(view + Arguments{"--heads-off", "1.0"} + line_of("gpt2")).err, "") << "no layer follows";
  expect_refused(view,
                 "--view compare is given without B; expected --other-sentence, --heads-off or a session");
}

TEST_F(ModelsOnTheLine, say_that_scores_are_not_divided) {
  const CliResult t5 = run(Arguments{"predict", "--no-scale"} + line_of("t5"));
  EXPECT_THAT(t5.err, HasSubstr("--no-scale has no effect: this model does not divide scores by √d_k"));
  EXPECT_EQ(run(Arguments{"predict", "--no-scale"} + line_of("gpt2")).err, "");
}

TEST_F(ModelsOnTheLine, say_why_a_text_ends) {
  const Arguments model = line_of("gpt2");
  const auto end_of = [&](const char* maximum) {
    const CliResult result = run(Arguments{"generate", "--json", "--max-tokens", maximum} + model);
    return Json::parse(result.out)["end"];
  };
  EXPECT_EQ(end_of("2"), "max_tokens");
  EXPECT_EQ(end_of("64"), "positions") << "32 in all";
  EXPECT_THAT(run(Arguments{"generate", "--max-tokens", "1"} + model).err,
              HasSubstr("stopped after 1 token, as many as --max-tokens says"));
  EXPECT_THAT(run(Arguments{"generate"} + model).err, HasSubstr("no position for another"));
}

TEST_F(ModelsOnTheLine, a_session_reports_changed_weights) {
  line_of("gpt2");
  Session session;
  session.inputs.model = fs::absolute("m").string();
  session.inputs.sentence = "w3 w17";
  session.model_weights[session.inputs.model] = "0123456789abcdef";
  save_session("s.json", session);
  EXPECT_THAT(run({"info", "s.json"}).err, HasSubstr("the weights are not those that the session was saved"));
  session.model_weights.clear();
  save_session("s.json", session);
  EXPECT_EQ(run({"info", "s.json"}).err, "");
}

}  // namespace
}  // namespace headscope::tests
