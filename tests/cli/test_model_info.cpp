#include <fmt/ranges.h>

#include "tests/cli/cli_fixture.h"
#include "tests/support/model_files.h"
#include "tests/support/model_folder.h"

namespace headscope::tests {

class ModelInfo : public CliTest {
 protected:
  /// That many zeros of a type.
  static StoredTensor zeros(const std::string& name, const std::vector<int>& shape,
                            const std::string& dtype = "F32") {
    std::size_t bytes = dtype == "F32" ? 4 : dtype == "F16" ? 2 : dtype == "I64" ? 8 : 1;
    for (const int n : shape) bytes *= static_cast<std::size_t>(n);
    return {name, dtype, fmt::format("[{}]", fmt::join(shape, ",")), std::string(bytes, '\0')};
  }
  static void write_model(const std::string& config, const std::vector<StoredTensor>& tensors) {
    write_bytes("m/config.json", config);
    write_bytes("m/model.safetensors", safetensors_bytes(tensors));
  }
  static nlohmann::json described() {
    const CliResult result = run({"info", "m", "--json"});
    const auto json = nlohmann::json::parse(result.out);
    EXPECT_EQ(result.status, json["problem"].is_null() ? 0 : 1) << result.err;
    return json;
  }
};

constexpr const char* small_gpt2 =
    R"({"model_type":"gpt2","architectures":["GPT2LMHeadModel"],"n_embd":8,"n_head":2,"n_layer":1,"vocab_size":10,"n_positions":6})";

TEST_F(ModelInfo, reports_what_opening_stops_at) {
  write_whole_model("m", model_case("gpt2"));
  EXPECT_EQ(described()["problem"], nullptr);
  EXPECT_EQ(described()["checked"], "numbers");
  const auto with_tensor = [](const char* name, const std::function<void(WrittenTensor&)>& change) {
    const Json entry = model_case("gpt2");
    std::vector<WrittenTensor> tensors = tensors_of(entry);
    for (WrittenTensor& tensor : tensors)
      if (tensor.name.ends_with(name)) change(tensor);
    write_model_folder("m", entry["config"], tensors);
    EXPECT_THAT(run({"info", "m"}).out, HasSubstr("problem"));
    return described()["problem"].get<std::string>();
  };
  const char* name = "h.0.ln_1.weight";
  EXPECT_THAT(with_tensor(name, [](WrittenTensor& tensor) { tensor.name += "x"; }), HasSubstr("is missing"));
  EXPECT_THAT(with_tensor(name,
                          [](WrittenTensor& tensor) {
                            tensor.shape.insert(tensor.shape.begin(), 1), tensor.shape.push_back(1);
                          }),
              HasSubstr("by config.json and its defaults"));
  EXPECT_THAT(with_tensor(name, [](WrittenTensor& tensor) { tensor.dtype = "I32"; }), HasSubstr("int32"));
  EXPECT_THAT(with_tensor(name, [](WrittenTensor& tensor) { tensor.bytes.replace(0, 4, 4, '\xFF'); }),
              HasSubstr("is not finite"));
}

TEST_F(ModelInfo, does_not_read_the_numbers_of_a_large_model) {
  const Json entry = model_case("gpt2");
  std::vector<WrittenTensor> tensors = tensors_of(entry);
  for (WrittenTensor& tensor : tensors)
    if (tensor.name.ends_with("ln_1.weight")) tensor.bytes.replace(0, 4, 4, '\xFF');
  write_whole_model("m", entry);
  write_model_folder("m", entry["config"], tensors);
  EXPECT_THAT(described()["problem"].get<std::string>(), HasSubstr("is not finite"));
  EXPECT_THAT(run({"info", "m"}).out, Not(HasSubstr("\nchecked")));
  // With one more tensor, of zeros in a sparse file.
  std::string file = read_file("m/model.safetensors");
  const std::size_t end = file.find("}}", 8) + 1, numbers = file.find_first_not_of(' ', end + 1),
                    size = file.size() - numbers, more = std::size_t{1} << 30;
  const std::string json = fmt::format(R"({},"more":{{"dtype":"U8","shape":[{}],"data_offsets":[{},{}]}}}})",
                                       file.substr(8, end - 8), more, size, size + more);
  write_bytes("m/model.safetensors", safetensors_bytes(json, file.substr(numbers)));
  fs::resize_file("m/model.safetensors", 8 + json.size() + size + more);
  EXPECT_EQ(described()["problem"], nullptr);
  EXPECT_EQ(described()["checked"], "structure");
  EXPECT_THAT(run({"info", "m"}).out, HasSubstr("not their numbers"));
}

TEST_F(ModelInfo, says_what_a_folder_holds) {
  write_model(
      small_gpt2,
      {zeros("transformer.wte.weight", {10, 8}), zeros("lm_head.weight", {10, 8}),
       zeros("transformer.wpe.weight", {6, 8}), zeros("transformer.h.0.attn.c_attn.bias", {24}, "F16"),
       zeros("transformer.h.0.attn.bias", {1, 1, 6, 6}), zeros("transformer.h.0.attn.masked_bias", {}),
       zeros("transformer.h.0.ln_1.weight", {8})});
  write_bytes("m/vocab.json", "{}");
  write_bytes("m/merges.txt", "");
  const nlohmann::json json = described();
  EXPECT_EQ(json["parameters"], 10 * 8 + 6 * 8 + 24 + 8) << "buffers, and the other end of a tie, are none";
  const nlohmann::json expected = {{"model", "GPT-2"},
                                   {"architecture", "GPT2LMHeadModel"},
                                   {"layers", 1},
                                   {"heads", 2},
                                   {"kv_heads", 2},
                                   {"d_model", 8},
                                   {"d_k", 4},
                                   {"d_ff", 32},
                                   {"vocabulary", 10},
                                   {"positions", 6},
                                   {"position_kind", "learned"},
                                   {"position_limit", true},
                                   {"dtype", "float32, float16"},
                                   {"weight_files", {"model.safetensors"}},
                                   {"tensors", 7},
                                   {"tokenizer_files", {"vocab.json", "merges.txt"}},
                                   {"missing", nlohmann::json::array()}};
  for (const auto& [key, value] : expected.items()) EXPECT_EQ(json[key], value) << key;
  EXPECT_EQ(json["weight_bytes"], fs::file_size("m/model.safetensors"));
  EXPECT_GT(json["run_bytes"]["bytes"], 0);
  const std::string text = run({"info", "m"}).out;
  for (const char* line : {"model            GPT-2\n", "layers           1\n", "parameters       160\n",
                           "positions        6, learned\n", "dtype            float32, float16\n",
                           "tokenizer        vocab.json, merges.txt\n"})
    EXPECT_THAT(text, HasSubstr(line));
  EXPECT_THAT(text, Not(HasSubstr("\nmissing")));
  EXPECT_THAT(run({"info", "m", "--language", "zh"}).out,
              AllOf(HasSubstr("词表大小"), HasSubstr("参数"), Not(HasSubstr("weights"))));
}

TEST_F(ModelInfo, says_what_is_missing) {
  write_bytes("m/config.json", R"({"model_type":"marian","vocab_size":9,"pad_token_id":8,"d_model":16})");
  write_bytes("m/target.spm", "");
  EXPECT_EQ(described()["missing"], nlohmann::json({"model.safetensors", "tokenizer.json"}));
  EXPECT_THAT(
      run({"info", "m"}).out,
      AllOf(HasSubstr("layers           12 + 12\n"), HasSubstr("missing          weights: model.safetensors"),
            HasSubstr("missing          tokenizer: tokenizer.json (target.spm cannot be read")));
  write_bytes("m/model.safetensors.index.json",
              R"({"weight_map":{"a":"1.safetensors","b":"2.safetensors"}})");
  write_bytes("m/1.safetensors", safetensors_bytes({zeros("a", {1})}));
  write_bytes("m/tokenizer.json", "{}");
  EXPECT_EQ(described()["missing"], nlohmann::json({"2.safetensors"}));
  EXPECT_FALSE(described().contains("parameters"));
  write_bytes("m/2.safetensors", safetensors_bytes({zeros("b", {1})}));
  EXPECT_EQ(described()["weight_files"], nlohmann::json({"1.safetensors", "2.safetensors"}));
  EXPECT_THAT(described()["missing"], IsEmpty());
}

TEST_F(ModelInfo, counts_what_is_shared_once) {
  const std::string t5 = R"({"model_type":"t5","d_model":4,"num_heads":1,"d_kv":4)";
  const std::vector<StoredTensor> both = {
      zeros("shared.weight", {5, 4}), zeros("encoder.embed_tokens.weight", {5, 4}),
      zeros("decoder.embed_tokens.weight", {5, 4}), zeros("lm_head.weight", {5, 4})};
  std::vector<StoredTensor> own_output = both;
  own_output.back().data.front() = 1;
  const std::tuple<std::string, std::vector<StoredTensor>, int> cases[] = {
      {t5 + "}", both, 20},
      {t5 + R"(,"tie_word_embeddings":false})", both, 20},
      {t5 + "}", own_output, 40},
      {t5 + "}",
       {zeros("encoder.embed_tokens.weight", {5, 4}), zeros("decoder.embed_tokens.weight", {5, 4})},
       20},
      {R"({"model_type":"bert"})",
       {zeros("bert.embeddings.word_embeddings.weight", {5, 4}),
        zeros("bert.embeddings.position_ids", {1, 5}, "I64"), zeros("cls.predictions.decoder.weight", {5, 4}),
        zeros("cls.predictions.decoder.bias", {5}), zeros("cls.predictions.bias", {5})},
       25},
      {R"({"model_type":"llama"})",
       {zeros("model.embed_tokens.weight", {5, 4}), zeros("lm_head.weight", {5, 4}),
        zeros("model.layers.0.self_attn.rotary_emb.inv_freq", {2})},
       40},
      {R"({"model_type":"marian"})",
       {zeros("model.shared.weight", {5, 4}), zeros("model.decoder.embed_tokens.weight", {5, 4}),
        zeros("model.encoder.embed_positions.weight", {9, 4}), zeros("final_logits_bias", {1, 5})},
       25}};
  for (const auto& [config, tensors, parameters] : cases) {
    write_model(config, tensors);
    EXPECT_EQ(described()["parameters"], parameters) << config;
  }
}

TEST_F(ModelInfo, refuses_in_a_line_what_is_wrong) {
  fs::create_directory("m");
  expect_refused({"info", "m"}, "m: config.json is missing; expected the folder of a model");
  expect_refused({"info", "none"}, "none does not exist");
  write_bytes("m/config.json", R"({"model_type":"mamba"})");
  expect_refused({"info", "m"},
                 "make a capture of this model with headscope.capture (Python) and open that: "
                 "m/config.json: the architecture mamba is not known; headscope info --families");
  write_bytes("m/config.json", small_gpt2);
  write_bytes("m/pytorch_model.bin", "\x80\x02}q");
  expect_refused({"info", "m"}, "m/pytorch_model.bin: a pickle, which can run any program when it is read");
  write_bytes("m/model.safetensors", "cut");
  expect_refused({"info", "m"}, "m/model.safetensors: not a .safetensors file, or cut short");
  expect_refused({"info", "m", "--heads", "4"}, "m is a folder; expected a session or a figure when options");
  write_bytes("m/config.json", "{\"model_type\":\"\x1b[31m\"}");
  expect_refused({"info", "m"}, "m/config.json: ");
}

TEST_F(ModelInfo, names_tensors_that_are_not_read) {
  const Json entry = model_case("gpt2");
  std::vector<WrittenTensor> tensors = tensors_of(entry);
  tensors.push_back(drawn_tensor("x", "h.0.attn.gate.weight", "F32", {2}, 1, 0));
  write_whole_model("m", entry);
  EXPECT_EQ(described()["unread_tensors"], nlohmann::json::array());
  write_safetensors("m/model.safetensors", tensors);
  EXPECT_EQ(described()["unread_tensors"], nlohmann::json::array({"h.0.attn.gate.weight"}));
  EXPECT_THAT(run({"info", "m"}).out,
              HasSubstr("1 tensor of the file is not read, so numbers may differ from "
                        "the original's: h.#.attn.gate.weight"));
}

TEST_F(ModelInfo, says_which_layers_have_softmax_attention) {
  write_whole_model("m", model_case("qwen3_next"));
  const std::string out = run({"info", "m"}).out;
  EXPECT_THAT(out, HasSubstr("softmax          layer 2: 4 heads\n"));
  EXPECT_THAT(out, HasSubstr("delta_rule       layers 1, 3: 6 heads\n"));
  const auto json = nlohmann::json::parse(run({"info", "m", "--json"}).out);
  EXPECT_EQ(json["mixers"], nlohmann::json::array({"delta_rule", "softmax", "delta_rule"}));
  write_whole_model("lfm2", model_case("lfm2"));
  EXPECT_THAT(run({"info", "lfm2"}).out, HasSubstr("convolution      layers 1, 3: no map of heads\n"));
  write_whole_model("falcon", model_case("falcon_h1"));
  EXPECT_THAT(run({"info", "falcon"}).out,
              HasSubstr("mamba2           beside attention in every layer: 6 heads"));
}

TEST_F(ModelInfo, says_which_layers_have_experts) {
  write_whole_model("ds", model_case("deepseek_v3"));
  const std::string of_some = run({"info", "ds"}).out;
  EXPECT_THAT(of_some, HasSubstr("\nd_ff "));
  EXPECT_THAT(of_some, HasSubstr("20 wide, and one, 20 wide, for every token; in layer 2\n"));
  write_whole_model("oss", model_case("gpt_oss"));
  const std::string of_all = run({"info", "oss"}).out;
  EXPECT_THAT(of_all, Not(HasSubstr("\nd_ff "))) << "no layer has a network of that width";
  EXPECT_THAT(of_all, Not(HasSubstr("in layer")));
}

TEST_F(ModelInfo, says_what_a_model_of_speech_hears) {
  write_whole_model("m", model_case("whisper"));
  const std::string out = run({"info", "m"}).out;
  EXPECT_THAT(out, HasSubstr("positions        8 of the sound, sinusoidal; 16 of the text, learned\n"));
  EXPECT_THAT(out, HasSubstr("for sound of length 8"));
}

TEST_F(ModelInfo, says_which_layers_differ) {
  write_whole_model("m", model_case("gemma4"));
  const std::string out = run({"info", "m"}).out;
  EXPECT_THAT(out, HasSubstr("d_k              layers 1, 3: 6 · layers 2, 4: 8\n"));
  EXPECT_THAT(out, HasSubstr("d_ff             layers 1, 2: 28 · layers 3, 4: 56\n"));
  EXPECT_THAT(out, HasSubstr("shared keys      layers 3, 4 read the keys and values of layers 1, 2\n"));
  EXPECT_THAT(out, HasSubstr("per-layer embeddings 5 numbers of each token for each layer\n"));
  const auto json = nlohmann::json::parse(run({"info", "m", "--json"}).out);
  EXPECT_EQ(json["d_k_of_layers"], nlohmann::json::array({6, 8, 6, 8}));
  EXPECT_EQ(json["keys_of_layers"], nlohmann::json::array({0, 1, 0, 1}));
  write_whole_model("n", model_case("gemma3n"));
  EXPECT_THAT(run({"info", "n"}).out,
              HasSubstr("streams          AltUp: 3, of which layers read and change number 1\n"));
}

TEST_F(ModelInfo, lists_the_families_that_are_read) {
  EXPECT_THAT(run({"info", "--families"}).out,
              HasSubstr("RoBERTa          roberta, xlm-roberta, camembert, data2vec-text\n"));
  const auto json = nlohmann::json::parse(run({"info", "--families", "--json"}).out);
  EXPECT_EQ(json["families"][0]["family"], "GPT-2");
  EXPECT_EQ(json["families"][3]["model_types"],
            nlohmann::json::array({"roberta", "xlm-roberta", "camembert", "data2vec-text"}));
}

TEST_F(ModelInfo, says_what_folders_of_other_libraries_are) {
  const auto refused = [](const char* file, const std::string& text, const std::string& said) {
    fs::remove_all("f");
    write_bytes(std::string("f/") + file, text);
    expect_refused({"info", "f"}, said);
    expect_refused({"tensors", "-o", "a.npz", "--model", "f"}, said);
  };
  refused("adapter_config.json", R"({"peft_type":"LORA","base_model_name_or_path":"meta/llama"})",
          "f: an adapter (PEFT, LORA) of the model meta/llama, not a whole model; merge it first");
  refused("config.json", R"({"architecture":"vit_base_patch16_224","num_features":768,"pretrained_cfg":{}})",
          "f: a model of timm (vit_base_patch16_224), whose tensors have names of their own; open the same");
  refused("open_clip_config.json", "{}", "f: a model of open_clip, whose tensors have names of their own");
  refused("modules.json",
          R"([{"idx":0,"path":"0_Transformer","type":"sentence_transformers.models.Transformer"}])",
          "f: a model of sentence-transformers; open its transformer, the folder ");
  refused("modules.json", R"([{"path":"../x","type":"sentence_transformers.models.Transformer"}])",
          "f: a model of sentence-transformers without a transformer in it");
  write_whole_model("m", model_case("gpt2"));
  write_bytes("m/modules.json", "[]");
  EXPECT_THAT(run({"info", "m"}).out,
              HasSubstr("a model of sentence-transformers: its transformer is shown"));
  EXPECT_EQ(described()["problem"], nullptr);
}

}  // namespace headscope::tests
