#include "core/io/gguf.h"
#include "core/model/run/model_run.h"
#include "core/model/weights/model_files.h"
#include "core/model/weights/model_size.h"
#include "core/text/tokenizer/tokenizer.h"
#include "tests/support/gguf_file.h"
#include "tests/support/read_arrays.h"

namespace headscope::tests {
namespace {

GgufHeader parsed(const std::string& bytes) {
  return parse_gguf(std::as_bytes(std::span(bytes)), "m.gguf");
}
std::string problem_of(const std::string& bytes) {
  return complaint([&] { parsed(bytes); });
}
Tensor logits_of(const std::string& path, const std::vector<Index>& ids) {
  ThreadPool threads(2);
  BufferPool memory;
  const ComputeContext context{best_kernels(), threads, memory};
  ModelRequest request;
  request.input.ids = ids;
  const auto model = LanguageModel::open(path, read_config(path), context);
  return ModelRun::run(model, std::move(request), context)->logits(0, std::ssize(ids), context);
}

/// The same, or of an encoder without a head its last states.
Tensor output_of(const std::string& path, const std::vector<Index>& ids) {
  ThreadPool threads(2);
  BufferPool memory;
  const ComputeContext context{best_kernels(), threads, memory};
  ModelRequest request;
  request.input.ids = ids;
  const auto run =
      ModelRun::run(LanguageModel::open(path, read_config(path), context), std::move(request), context);
  const Tensor logits = run->logits(0, std::ssize(ids), context);
  return logits.empty() ? run->stream(BlockKind::self, memory) : logits;
}

void expect_near(const Tensor& a, const Tensor& b, double tolerance) {
  ASSERT_EQ(a.shape(), b.shape());
  ASSERT_GT(a.size(), 0);
  for (Index i = 0; i < a.size(); ++i) ASSERT_NEAR(a.data()[i], b.data()[i], tolerance) << i;
}

using Names = std::vector<std::pair<std::string, std::string>>;

Names joined(Names first, const Names& then) {
  first.insert(first.end(), then.begin(), then.end());
  return first;
}
const Names gpt2_to_gguf{{"transformer.wte", "token_embd"},   {"transformer.wpe", "position_embd"},
                         {"transformer.ln_f", "output_norm"}, {"transformer.h.", "blk."},
                         {".ln_1.", ".attn_norm."},           {".ln_2.", ".ffn_norm."},
                         {".attn.c_attn.", ".attn_qkv."},     {".attn.c_proj.", ".attn_output."},
                         {".mlp.c_fc.", ".ffn_up."},          {".mlp.c_proj.", ".ffn_down."}};
const Names llama_to_gguf{{"model.embed_tokens", "token_embd"},
                          {"model.norm", "output_norm"},
                          {"lm_head", "output"},
                          {"model.layers.", "blk."},
                          {".input_layernorm.", ".attn_norm."},
                          {".post_attention_layernorm.", ".ffn_norm."},
                          {".self_attn.q_proj.", ".attn_q."},
                          {".self_attn.k_proj.", ".attn_k."},
                          {".self_attn.v_proj.", ".attn_v."},
                          {".self_attn.qkv_proj.", ".attn_qkv."},
                          {".self_attn.o_proj.", ".attn_output."},
                          {".self_attn.q_norm.", ".attn_q_norm."},
                          {".self_attn.k_norm.", ".attn_k_norm."},
                          {".mlp.gate_proj.", ".ffn_gate."},
                          {".mlp.up_proj.", ".ffn_up."},
                          {".mlp.gate_up_proj.", ".ffn_up."},
                          {".mlp.down_proj.", ".ffn_down."}};
const Names gemma2_to_gguf = joined({{".post_attention_layernorm.", ".post_attention_norm."},
                                     {".pre_feedforward_layernorm.", ".ffn_norm."},
                                     {".post_feedforward_layernorm.", ".post_ffw_norm."}},
                                    llama_to_gguf);
const Names phi_to_gguf = joined({{"model.final_layernorm", "output_norm"},
                                  {".self_attn.dense.", ".attn_output."},
                                  {".mlp.fc1.", ".ffn_up."},
                                  {".mlp.fc2.", ".ffn_down."}},
                                 llama_to_gguf);
const Names neox_to_gguf{{"gpt_neox.embed_in", "token_embd"},
                         {"gpt_neox.final_layer_norm", "output_norm"},
                         {"embed_out", "output"},
                         {"gpt_neox.layers.", "blk."},
                         {".input_layernorm.", ".attn_norm."},
                         {".post_attention_layernorm.", ".ffn_norm."},
                         {".attention.query_key_value.", ".attn_qkv."},
                         {".attention.dense.", ".attn_output."},
                         {".mlp.dense_h_to_4h.", ".ffn_up."},
                         {".mlp.dense_4h_to_h.", ".ffn_down."}};
const Names bloom_to_gguf{{"transformer.word_embeddings_layernorm", "token_embd_norm"},
                          {"transformer.word_embeddings", "token_embd"},
                          {"transformer.ln_f", "output_norm"},
                          {"transformer.h.", "blk."},
                          {".ln_mlp.", ".attn_norm."},
                          {".ln_attn.", ".attn_norm_2."},
                          {".input_layernorm.", ".attn_norm."},
                          {".post_attention_layernorm.", ".ffn_norm."},
                          {".self_attention.query_key_value.", ".attn_qkv."},
                          {".self_attention.dense.", ".attn_output."},
                          {".mlp.dense_h_to_4h.", ".ffn_up."},
                          {".mlp.dense_4h_to_h.", ".ffn_down."}};

/// What the conversion to GGUF changes about the tensors of a family.
enum class Change {
  none,
  transposed,  ///< GPT-2's weights are stored as those of other families
  in_pairs,    ///< rows of q and k: halves of a head become neighbours
  plus_one,    ///< Gemma's norms
  regrouped,   ///< q of all heads, then k, then v
};

void apply(Change change, const ModelConfig& config, WrittenTensor& tensor) {
  const Index d_k = config.head_dim, heads = config.body().heads, groups = config.body().kv_heads;
  const auto has = [&](const char* part) { return tensor.name.find(part) != std::string::npos; };
  if (change == Change::in_pairs && (has(".q_proj.") || has(".k_proj."))) {
    std::vector<Index> from;
    for (Index head = 0; head < tensor.shape[0] / d_k; ++head)
      for (Index i = 0; i < d_k / 2; ++i)
        for (const Index row : {i, i + d_k / 2}) from.push_back(head * d_k + row);
    reorder_rows(tensor, from);
  } else if (change == Change::plus_one && has("norm.")) {
    std::vector<float> numbers(tensor.bytes.size() / sizeof(float));
    std::memcpy(numbers.data(), tensor.bytes.data(), tensor.bytes.size());
    for (float& number : numbers) number += 1;
    std::memcpy(tensor.bytes.data(), numbers.data(), tensor.bytes.size());
  } else if (change == Change::regrouped && has("query_key_value")) {
    std::vector<Index> from;
    const Index each = heads / groups, size = (each + 2) * d_k;
    for (const auto& [first, count] :
         {std::pair{Index{0}, each * d_k}, {each * d_k, d_k}, {(each + 1) * d_k, d_k}})
      for (Index group = 0; group < groups; ++group)
        for (Index i = 0; i < count; ++i) from.push_back(group * size + first + i);
    reorder_rows(tensor, from);
  } else if (change == Change::transposed && has(".c_") && tensor.shape.size() == 2) {
    const std::string before = tensor.bytes;
    for (Index in = 0; in < tensor.shape[0]; ++in)
      for (Index out = 0; out < tensor.shape[1]; ++out)
        std::copy_n(before.begin() + 4 * (in * tensor.shape[1] + out), 4,
                    tensor.bytes.begin() + 4 * (out * tensor.shape[0] + in));
    std::swap(tensor.shape[0], tensor.shape[1]);
  }
}

}  // namespace

TEST(Gguf, has_every_quantizations_numbers) {
  const Arrays arrays = read_arrays(std::string(TEST_DATA_DIR) + "/gguf/blocks.npz");
  for (Dtype dtype = Dtype::q4_0; dtype != Dtype::mxfp4_apart;
       dtype = static_cast<Dtype>(static_cast<int>(dtype) + 1)) {
    const DtypeBlock& block = block_of(dtype);
    SCOPED_TRACE(block.name);
    const NamedArray& stored = arrays.at(std::string(block.name) + ".blocks");
    const std::vector<float>& numbers = arrays.at(std::string(block.name) + ".numbers").values;
    ASSERT_EQ(stored.shape, (std::vector<Index>{3, block.bytes}));
    ASSERT_EQ(std::ssize(numbers), 3 * block.numbers);
    std::vector<std::byte> bytes;
    for (const float byte : stored.values) bytes.push_back(static_cast<std::byte>(byte));
    // The bits of ggml's own arithmetic.
    std::vector<float> whole(numbers.size());
    dequantize(dtype, bytes.data(), 0, std::ssize(numbers), whole.data());
    for (std::size_t i = 0; i < numbers.size(); ++i) ASSERT_EQ(whole[i], numbers[i]) << i;
    for (const auto& [begin, count] : {std::pair<Index, Index>{5, 60}, {block.numbers, 7}, {31, 2}}) {
      std::vector<float> part(static_cast<std::size_t>(count));
      dequantize(dtype, bytes.data(), begin, count, part.data());
      EXPECT_TRUE(std::equal(part.begin(), part.end(), whole.begin() + begin)) << begin;
    }
  }
}

TEST(Gguf, claims_of_a_header_are_checked) {
  GgufWriter gguf;
  gguf.text("general.architecture", "gpt2");
  gguf.texts("names", {"a", "b"});
  gguf.reals("numbers", {1, 2, 3});
  gguf.tensor("t", 0, {2, 3}, std::string(24, '\1'));
  const std::string whole = gguf.bytes();
  const GgufHeader header = parsed(whole);
  EXPECT_EQ(std::get<std::vector<std::string>>(header.metadata.at("names")),
            (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(std::get<std::vector<double>>(header.metadata.at("numbers")), (std::vector<double>{1, 2, 3}));
  ASSERT_EQ(header.tensors.size(), 1U);
  EXPECT_EQ(header.tensors[0].shape, (std::vector<Index>{2, 3}));
  EXPECT_EQ(header.tensors[0].begin + 32, whole.size());
  for (std::size_t size = 0; size + 8 < whole.size(); ++size)
    EXPECT_NE(problem_of(whole.substr(0, size)), "no complaint") << size;
  // Any eight bytes of the header as the largest number.
  for (std::size_t at = 0; at + 8 < whole.size() - 32; ++at) {
    std::string claim = whole;
    claim.replace(at, 8, std::string(8, '\xFF'));
    problem_of(claim);
  }
  const auto with = [&](std::size_t at, const std::string& bytes) {
    std::string changed = whole;
    return problem_of(changed.replace(at, bytes.size(), bytes));
  };
  EXPECT_THAT(with(4, GgufWriter::raw(std::uint32_t{1})), HasSubstr("version 1; expected 2 or 3"));
  EXPECT_THAT(with(4, std::string("\0\0\0\3", 4)), HasSubstr("big endian"));
  EXPECT_THAT(with(8, GgufWriter::raw(std::uint64_t{1} << 60)), HasSubstr("the number of tensors"));
  GgufWriter twice;
  twice.tensor("t", 0, {1}, std::string(4, '\1'));
  twice.tensor("t", 0, {1}, std::string(4, '\1'));
  EXPECT_THAT(problem_of(twice.bytes()), HasSubstr("t: given twice"));
  GgufWriter broken;
  broken.tensor("t", 12, {2, 100}, std::string(144, '\1'));
  EXPECT_THAT(problem_of(broken.bytes()),
              HasSubstr("the length of a row of Q4_K is 100; expected a multiple of 256"));
  GgufWriter misaligned;
  misaligned.number("general.alignment", 48);
  EXPECT_THAT(problem_of(misaligned.bytes()), HasSubstr("general.alignment"));
}

TEST(Gguf, a_model_computes_what_its_folder_does) {
  struct Row {
    const char *name, *architecture;
    const Names& names;
    Change change = Change::none;
  };
  const Row rows[] = {{"gpt2", "gpt2", gpt2_to_gguf, Change::transposed},
                      {"qwen2", "qwen2", llama_to_gguf},
                      {"qwen3", "qwen3", llama_to_gguf},
                      {"llama2", "llama", llama_to_gguf, Change::in_pairs},
                      {"gemma", "gemma", llama_to_gguf, Change::plus_one},
                      {"gemma2", "gemma2", gemma2_to_gguf, Change::plus_one},
                      {"gemma3", "gemma3", gemma2_to_gguf, Change::plus_one},
                      {"olmo", "olmo", llama_to_gguf, Change::in_pairs},
                      {"olmo-clipped", "olmo", llama_to_gguf, Change::in_pairs},
                      {"olmo2", "olmo2", gemma2_to_gguf},
                      {"granite", "granite", llama_to_gguf, Change::in_pairs},
                      {"smollm3", "smollm3", llama_to_gguf, Change::in_pairs},
                      {"stablelm", "stablelm", llama_to_gguf},
                      {"cohere", "command-r", llama_to_gguf},
                      {"phi", "phi2", phi_to_gguf},
                      {"phi3", "phi3", llama_to_gguf},
                      {"gpt_neox", "gptneox", neox_to_gguf, Change::regrouped},
                      {"gpt_neox-sequential", "gptneox", neox_to_gguf, Change::regrouped},
                      {"bloom", "bloom", bloom_to_gguf, Change::regrouped},
                      {"falcon", "falcon", bloom_to_gguf, Change::regrouped},
                      {"falcon-newer", "falcon", bloom_to_gguf, Change::regrouped}};
  for (const Row& row : rows) {
    SCOPED_TRACE(row.name);
    const TempFolder folder;
    Json entry = model_case(row.name);
    Json& config = entry["config"];
    // GGUF does not say these.
    for (const char* field : {"use_sliding_window", "sliding_window_pattern", "no_rope_layer_interval",
                              "rotary_pct", "hidden_act"})
      config.erase(field);
    if (config.contains("query_pre_attn_scalar")) config["query_pre_attn_scalar"] = config["head_dim"];
    if (row.architecture == std::string("gemma3")) config["query_pre_attn_scalar"] = config["head_dim"];
    write_whole_model(folder.path / "model", entry);
    const ModelConfig read = read_config((folder.path / "model").string());
    const std::string architecture = row.architecture;
    // Which a file of these does not say, and the folder does not use.
    if (architecture == "qwen2" || architecture == "qwen3" || architecture == "smollm3")
      config.erase("sliding_window");
    if (row.architecture == std::string("falcon")) config["num_kv_heads"] = read.decoder.kv_heads;
    GgufWriter gguf = gguf_of(entry, row.architecture, row.names,
                              [&](WrittenTensor& tensor) { apply(row.change, read, tensor); });
    if (read.rope) {
      gguf.number(architecture + ".rope.dimension_count", static_cast<std::uint32_t>(read.rope->dimensions));
      if (!config.contains("rope_theta") && !config.contains("rotary_emb_base"))
        gguf.real(architecture + ".rope.freq_base", static_cast<float>(read.rope->theta));
    }
    if (architecture == "command-r")
      gguf.real("command-r.logit_scale", static_cast<float>(read.output_factor));
    add_letters_tokenizer(gguf, 50);
    const std::string path = (folder.path / "m.gguf").string();
    gguf.write(path);
    const auto ids = entry["ids"].get<std::vector<Index>>();
    // Sums in another order, and 1 added to a weight beforehand.
    const bool same = row.change == Change::none || row.change == Change::regrouped;
    expect_near(logits_of(path, ids), logits_of((folder.path / "model").string(), ids), same ? 0 : 2e-5);
  }
}

// Models of transformers, converted by llama.cpp's own script, hold what libllama computes, or Gemma 3n's
// class (make_models.py):
// OLMo 3's windows by a list of layers, Gemma 3's two rotary bases and fused matrices, Falcon's groups with
// one norm, YaRN with biases, DistilBERT without token types, gpt-oss's sinks and experts with biases,
// DeepSeek's keys and values by heads with the temperature of their scores, layers with a state: the delta
// rule with its heads in both orders, Mamba-2 beside attention and alone, short convolutions; Gemma 3n's
// AltUp and cut off gates, Gemma 4's heads of two sizes, shared keys, keys as values and experts beside a
// network.
TEST(Gguf, converted_models_compute_what_llama_cpp_does) {
  const std::string folder = std::string(TEST_DATA_DIR) + "/gguf/";
  const Arrays arrays = read_arrays(folder + "models.npz");
  const Json texts = Json::parse(read_file(folder + "models.json", 1 << 20));
  // float32 in another order; ggml's gelu is a table of float16, and its length of a key, by which the delta
  // rule divides, has no epsilon under the root.
  for (const auto& [name, tolerance] : {std::pair{"olmo3", 1e-5},
                                        {"yarn", 1e-5},
                                        {"gemma3", 8e-3},
                                        {"falcon", 3e-3},
                                        {"distilbert", 2e-3},
                                        {"seed_oss", 1e-5},
                                        {"experts", 1e-5},
                                        {"gpt_oss", 1e-5},
                                        {"deepseek_v2", 1e-5},
                                        {"deepseek_v3", 1e-5},
                                        {"qwen3_next", 5e-5},
                                        {"qwen3_5", 1e-5},
                                        {"lfm2", 1e-5},
                                        {"falcon_h1", 1e-5},
                                        {"granite_hybrid", 1e-5},
                                        {"gemma3n", 1e-5},
                                        {"gemma4", 3e-3}}) {
    SCOPED_TRACE(name);
    const std::string path = folder + name + ".gguf";
    std::vector<Index> ids;
    for (const float id : arrays.at(std::string(name) + ".ids").values) ids.push_back(static_cast<Index>(id));
    const NamedArray& expected = arrays.at(std::string(name) + ".output");
    const Tensor output = output_of(path, ids);
    ASSERT_EQ(output.shape(), expected.shape);
    for (std::size_t i = 0; i < expected.values.size(); ++i)
      ASSERT_NEAR(output.data()[i], expected.values[i], tolerance) << i;
    const Tokenizer tokenizer = ModelFiles::open(path)->tokenizer();
    for (const auto& [text, tokens] : texts[name].items())
      EXPECT_EQ(tokenizer.encode(text).ids(), tokens.get<std::vector<TokenId>>()) << text;
  }
}

// Of the first model: its metadata in the first part, its tensors in the others.
void write_parts(const std::filesystem::path& folder, std::size_t count,
                 const std::function<void(GgufWriter& part, std::size_t number)>& say) {
  Json entry = model_case("qwen2");
  for (const char* field : {"use_sliding_window", "sliding_window", "max_window_layers"})
    entry["config"].erase(field);
  const Json tensors = std::exchange(entry["tensors"], Json::array());
  for (std::size_t number = 1; number <= count; ++number) {
    GgufWriter gguf = number == 1 ? gguf_of(entry, "qwen2", llama_to_gguf) : GgufWriter();
    if (number == 1) add_letters_tokenizer(gguf, 50);
    say(gguf, number);
    Json some = entry;
    for (std::size_t i = 0; i < tensors.size(); ++i)
      if (number > 1 && i % (count - 1) == number - 2) some["tensors"].push_back(tensors[i]);
    for (WrittenTensor& tensor : tensors_of(some)) {
      for (const auto& [from, to] : llama_to_gguf)
        if (const std::size_t at = tensor.name.find(from); at != std::string::npos)
          tensor.name.replace(at, from.size(), to);
      gguf.tensor(tensor.name, 0, tensor.shape, tensor.bytes);
    }
    gguf.write(folder / fmt::format("m-{:05}-of-{:05}.gguf", number, count));
  }
}

TEST(Gguf, a_model_in_parts_is_one) {
  const TempFolder folder;
  constexpr std::uint32_t count = 3;
  std::uint32_t tensors = 0;
  Json entry = model_case("qwen2");
  for (const Json& row : entry["tensors"]) tensors += row[4].get<std::uint32_t>();
  const auto say = [&](std::uint32_t all, std::uint32_t in_second, std::uint32_t of_second) {
    write_parts(folder.path, count, [&](GgufWriter& part, std::size_t number) {
      part.number("split.no", number == 2 ? in_second : static_cast<std::uint32_t>(number - 1));
      part.number("split.count", number == 2 ? of_second : count);
      if (number == 1) part.number("split.tensors.count", all);
    });
  };
  const auto path = [&](int number) {
    return (folder.path / fmt::format("m-{:05}-of-{:05}.gguf", number, count)).string();
  };
  say(tensors, 1, count);
  for (const char* field : {"use_sliding_window", "sliding_window", "max_window_layers"})
    entry["config"].erase(field);
  write_whole_model(folder.path / "model", entry);
  const Tensor expected = logits_of((folder.path / "model").string(), {1, 2, 3});
  for (const int number : {1, 2, 3}) expect_near(logits_of(path(number), {1, 2, 3}), expected, 0);
  const auto files = ModelFiles::open(path(2));
  EXPECT_EQ(files->weights().paths(), (std::vector<std::string>{path(1), path(2), path(3)}));
  EXPECT_EQ(files->tokenizer().find("ab"), 4);

  const auto said = [&](int number) { return complaint([&] { ModelFiles::open(path(number)); }); };
  say(tensors + 1, 1, count);
  EXPECT_THAT(said(3),
              HasSubstr(fmt::format("00001-of-00003.gguf: split.tensors.count is {}; expected {}, as",
                                    tensors + 1, tensors)));
  say(tensors, 2, count);
  EXPECT_THAT(said(1), HasSubstr("00002-of-00003.gguf: says that it is part 3 of 3; expected part 2 of 3"));
  EXPECT_THAT(said(2), HasSubstr("part 3 of 3; expected a name that ends in -00003-of-00003.gguf"));
  say(tensors, 7, count);
  EXPECT_THAT(said(1), HasSubstr("split.no is 7; expected a whole number from 0 to 2"));
  say(tensors, 1, 60000);
  EXPECT_THAT(said(2), HasSubstr("split.count is 60000; expected a whole number from 0 to 1000"));
  say(tensors, 1, count);
  std::filesystem::copy_file(path(2), path(3), std::filesystem::copy_options::overwrite_existing);
  EXPECT_THAT(said(1), HasSubstr("says that it is part 2 of 3; expected part 3 of 3"));
  std::filesystem::resize_file(path(2), 100);
  EXPECT_THAT(said(1), HasSubstr("00002-of-00003.gguf: "));
  std::filesystem::remove(path(3));
  EXPECT_THAT(said(1),
              HasSubstr("00003-of-00003.gguf: part 3 of 3 is missing; expected it in the same folder"));
  std::filesystem::rename(path(1), folder.path / "m.gguf");
  EXPECT_THAT(complaint([&] { ModelFiles::open((folder.path / "m.gguf").string()); }),
              HasSubstr("m.gguf: part 1 of 3; expected a name that ends in -00001-of-00003.gguf"));
}

TEST(Gguf, a_type_that_is_not_read_is_named) {
  const TempFolder folder;
  const std::string path = (folder.path / "m.gguf").string();
  Json entry = model_case("qwen2");
  entry["config"].erase("sliding_window");
  entry["tensors"] = Json::array();
  GgufWriter gguf = gguf_of(entry, "qwen2", {});
  gguf.tensor("token_embd.weight", 15, {50, 24}, std::string(100, '\1'));
  gguf.write(path);
  EXPECT_THAT(
      complaint([&] { logits_of(path, {1}); }),
      HasSubstr(
          "token_embd.weight: numbers of type Q8_K; expected float32, float16, bfloat16, float64, Q4_0, "));
}

TEST(Gguf, metadata_that_change_the_model_are_read_or_refused) {
  const TempFolder folder;
  const std::string path = (folder.path / "m.gguf").string();
  const auto said = [&](const char* name, const std::string& architecture, const Names& names,
                        const std::function<void(GgufWriter&)>& add) {
    Json entry = model_case(name);
    for (const char* field : {"use_sliding_window", "sliding_window", "max_window_layers"})
      entry["config"].erase(field);
    GgufWriter gguf = gguf_of(entry, architecture, names);
    add(gguf);
    gguf.write(path);
    return complaint([&] { read_config(path); });
  };
  const auto of_qwen2 = [&](const std::function<void(GgufWriter&)>& add) {
    return said("qwen2", "qwen2", llama_to_gguf, add);
  };
  const char* const not_read = "it may change what the model computes, and is not read";
  EXPECT_THAT(of_qwen2([](GgufWriter& gguf) { gguf.number("qwen2.attention.sliding_window", 8); }),
              AllOf(HasSubstr("m.gguf: qwen2.attention.sliding_window is 8; "), HasSubstr(not_read)));
  EXPECT_THAT(of_qwen2([](GgufWriter& gguf) { gguf.real("qwen2.attention.scale", 0.5F); }),
              HasSubstr("qwen2.attention.scale is 0.5; "));
  EXPECT_THAT(of_qwen2([](GgufWriter& gguf) { gguf.text("qwen2.new_kind", "of\nattention"); }),
              HasSubstr("qwen2.new_kind is of"));
  EXPECT_THAT(of_qwen2([](GgufWriter& gguf) { gguf.number("qwen2.attention.key_length_swa", 4); }),
              HasSubstr(not_read));
  EXPECT_THAT(of_qwen2([](GgufWriter& gguf) { gguf.flag("qwen2.attention.causal", false); }),
              HasSubstr("qwen2.attention.causal is false; expected true"));
  EXPECT_THAT(of_qwen2([](GgufWriter& gguf) { gguf.text("qwen2.rope.scaling.type", "\xFF"); }),
              HasSubstr("m.gguf: qwen2.rope.scaling.type is not valid UTF-8"));
  EXPECT_THAT(of_qwen2([](GgufWriter& gguf) { gguf.text("general.type", "adapter"); }),
              HasSubstr("general.type is adapter; expected a whole model"));
  EXPECT_THAT(
      of_qwen2([](GgufWriter& gguf) { gguf.tensor("blk.0.attn_q.scale", 0, {1}, std::string(4, '\1')); }),
      HasSubstr("m.gguf: blk.0.attn_q.scale: a factor of a whole quantized tensor, which is not read"));
  EXPECT_THAT(of_qwen2([](GgufWriter& gguf) { gguf.tensor("output.bias", 0, {1}, std::string(4, '\1')); }),
              HasSubstr("output.bias: a tensor that Qwen2 does not have"));
  EXPECT_EQ(of_qwen2([](GgufWriter& gguf) {
              gguf.number("qwen2.attention.sliding_window", 0);
              gguf.number("qwen2.vocab_size", 50);
              gguf.number("qwen2.pooling_type", 3);
              gguf.real("qwen2.residual_scale", 1);
              gguf.text("general.name", "any");
            }),
            "no complaint");
  EXPECT_THAT(said("gemma3", "gemma3", gemma2_to_gguf,
                   [](GgufWriter& gguf) {
                     gguf.kinds_of("gemma3.attention.sliding_window_pattern", {1, 0});
                   }),
              HasSubstr("the length of gemma3.attention.sliding_window_pattern is 2; expected "));
}

constexpr std::size_t type = 4;  // bytes, before a value

/// What is said of a file of tests/data/gguf one of whose bytes behind the beginning of a key is another.
std::string said_of(const char* file, const std::string& key, std::size_t place, char byte) {
  const TempFolder folder;
  const std::string path = (folder.path / "m.gguf").string();
  std::string other = read_file(std::string(TEST_DATA_DIR) + "/gguf/" + file);
  other.at(other.find(key) + place) = byte;
  write_file(path, [&](std::ostream& out) { out << other; });
  return complaint([&] { read_config(path); });
}

TEST(Gguf, metadata_of_layers_with_a_state_are_read_or_refused) {
  const auto said = [](const char* file, const std::string& key, char byte) {
    return said_of(file, key, key.size() + type, byte);
  };
  EXPECT_EQ(said("qwen3_next.gguf", "qwen3next.ssm.inner_size", 16), "no complaint");
  EXPECT_THAT(
      said("qwen3_next.gguf", "qwen3next.ssm.inner_size", 15),
      HasSubstr("qwen3next.ssm.inner_size is 15; expected a multiple of qwen3next.ssm.time_step_rank"));
  EXPECT_THAT(said("qwen3_5.gguf", "qwen35.ssm.time_step_rank", 0), HasSubstr("qwen35.ssm."));
  EXPECT_THAT(said("granite_hybrid.gguf", "granitehybrid.ssm.inner_size", 33),
              HasSubstr("granitehybrid.ssm.inner_size is 33; expected a multiple of "));
  const std::string kernel = "falcon-h1.ssm.conv_kernel", heads = "granitehybrid.attention.head_count_kv";
  EXPECT_THAT(said_of("falcon_h1.gguf", kernel, kernel.size() - 1, 'x'),
              HasSubstr("falcon-h1.ssm.conv_kernel is missing; expected a number"));
  // A list: behind its type are that of its numbers, how many there are, and they.
  const std::size_t first = heads.size() + type + 4 + 8;
  EXPECT_EQ(said_of("granite_hybrid.gguf", heads, first, 2), "no complaint") << "two layers that attend";
  EXPECT_THAT(said_of("granite_hybrid.gguf", heads, first, 3),
              HasSubstr(heads + ": expected the same number for every layer with attention"));
}

TEST(Gguf, metadata_of_layers_that_differ_are_read_or_refused) {
  const auto missing = [](const char* file, const std::string& key) {
    return said_of(file, key, key.size() - 1, '!');
  };
  const std::string model = "gemma4.";
  for (const char* key :
       {"attention.shared_kv_layers", "embedding_length_per_layer_input", "rope.freq_base_swa"})
    EXPECT_THAT(missing("gemma4.gguf", model + key),
                HasSubstr(model + key + " is missing; expected a number"));
  const std::string pattern = "attention.sliding_window_pattern",
                    dimensions = "gemma4.rope.dimension_count_swa", heads = "gemma4.attention.head_count_kv",
                    widths = "gemma4.feed_forward_length";
  EXPECT_THAT(missing("gemma3n.gguf", "gemma3n." + pattern),
              HasSubstr("the length of gemma3n." + pattern + " is 0; expected 4, one for each layer"));
  EXPECT_THAT(missing("gemma4.gguf", "rope_freqs.weight"),
              HasSubstr("rope_freqs.weight: the tensor is missing; Gemma 4 needs it"));
  EXPECT_THAT(said_of("gemma4.gguf", dimensions, dimensions.size() + type, 2),
              HasSubstr(dimensions + " is 2; expected 4"));
  const std::size_t first = type + 4 + 8;  // of a list
  EXPECT_THAT(said_of("gemma4.gguf", heads, heads.size() + first, 1),
              HasSubstr(heads + ": expected the same number for every layer with attention"));
  EXPECT_THAT(said_of("gemma4.gguf", widths, widths.size() + first, 0), HasSubstr(widths));
  const std::string cutoffs = "activation_sparsity_scale";
  EXPECT_THAT(missing("gemma3n.gguf", "gemma3n." + cutoffs),
              HasSubstr("the length of gemma3n." + cutoffs + " is 0; expected 4, one for each layer"));
  EXPECT_THAT(said_of("gemma3n.gguf", cutoffs, cutoffs.size() + first + 3, 0x7F),
              HasSubstr("gemma3n." + cutoffs))
      << "no number, or none below 1";
  EXPECT_THAT(said_of("gemma3n.gguf", "altup.num_inputs", 16 + type, 3),
              HasSubstr("altup_proj.weight: shape is [3, "));
}

TEST(Gguf, divisors_of_rotary_frequencies_turn_or_stand_still) {
  const TempFolder folder;
  const std::string path = (folder.path / "m.gguf").string();
  std::string bytes = read_file(std::string(TEST_DATA_DIR) + "/gguf/gemma4.gguf");
  const GgufHeader header = parse_gguf(std::as_bytes(std::span(bytes)), path);
  const auto divisors = std::ranges::find(header.tensors, "rope_freqs.weight", &GgufHeader::Entry::name);
  ASSERT_NE(divisors, header.tensors.end());
  const float half = 2;
  std::memcpy(&bytes.at(divisors->begin + sizeof(half)), &half, sizeof(half));
  write_file(path, [&](std::ostream& out) { out << bytes; });
  EXPECT_THAT(complaint([&] { read_config(path); }),
              HasSubstr("m.gguf: rope_freqs.weight[1] is 2; expected 1e+30"));
}

TEST(Gguf, rates_of_a_state_are_negative) {
  const TempFolder folder;
  const std::string path = (folder.path / "m.gguf").string();
  std::string bytes = read_file(std::string(TEST_DATA_DIR) + "/gguf/falcon_h1.gguf");
  const GgufHeader header = parse_gguf(std::as_bytes(std::span(bytes)), path);
  const auto rates = std::ranges::find(header.tensors, "blk.1.ssm_a", &GgufHeader::Entry::name);
  ASSERT_NE(rates, header.tensors.end());
  bytes.at(rates->begin + 3) &= 0x7F;  // the sign of the first
  write_file(path, [&](std::ostream& out) { out << bytes; });
  EXPECT_THAT(complaint([&] { logits_of(path, {1}); }),
              AllOf(HasSubstr("m.gguf: blk.1.ssm_a: "), HasSubstr("; expected negative numbers")));
}

TEST(Gguf, metadata_of_experts_are_read_or_refused) {
  const auto said = [&](const std::string& key, std::size_t place, char byte) {
    return said_of("experts.gguf", key, place, byte);
  };
  const std::string count = "qwen3moe.expert_count", used = "qwen3moe.expert_used_count";
  EXPECT_EQ(said(count, count.size() + type, 3), "no complaint");
  EXPECT_THAT(said(count, count.size() + type, 4), HasSubstr("_exps.weight: shape is [3, "))
      << "the file has three";
  EXPECT_THAT(said(count, count.size() + type, 0), HasSubstr("qwen3moe.expert_count is 0; expected "));
  EXPECT_THAT(said(used, used.size() + type, 4), HasSubstr("qwen3moe.expert_used_count is 4; expected "));
  EXPECT_THAT(said(used, used.size() - 1, 'x'),
              HasSubstr("qwen3moe.expert_used_count is missing; expected a number"));
  const std::string gating = "deepseek2.expert_gating_func", window = "gpt-oss.attention.sliding_window";
  EXPECT_EQ(said_of("deepseek_v3.gguf", gating, gating.size() + type, 2), "no complaint");
  EXPECT_THAT(said_of("deepseek_v3.gguf", gating, gating.size() + type, 3),
              HasSubstr("deepseek2.expert_gating_func is 3; expected 1 or 2"));
  EXPECT_THAT(said_of("deepseek_v3.gguf", gating, gating.size() + type, 1),
              HasSubstr("deepseek2.expert_weights_norm is true; expected false"));
  EXPECT_THAT(said_of("gpt_oss.gguf", window, window.size() + type, 0),
              HasSubstr("gpt-oss.attention.sliding_window is 0; expected a number above 0"));
  EXPECT_THAT(said_of("gpt_oss.gguf", window, window.size() - 1, 'x'),
              HasSubstr("gpt-oss.attention.sliding_window is missing; expected a number"));
}

TEST(Gguf, rotary_positions_and_windows_are_those_of_the_metadata) {
  const TempFolder folder;
  const std::string path = (folder.path / "m.gguf").string();
  const auto config = [&](const char* name, const std::string& architecture, const Names& names,
                          const std::function<void(GgufWriter&)>& add) {
    Json entry = model_case(name);
    for (const char* field : {"use_sliding_window", "sliding_window", "max_window_layers", "head_dim"})
      entry["config"].erase(field);
    GgufWriter gguf = gguf_of(entry, architecture, names);
    add(gguf);
    gguf.write(path);
    return read_config(path);
  };
  const auto of_qwen2 = [&](const std::function<void(GgufWriter&)>& add) {
    return config("qwen2", "qwen2", llama_to_gguf, add);
  };
  // A factor alone is a linear one; one of a type "none" counts for nothing.
  const ModelConfig linear = of_qwen2([](GgufWriter& gguf) { gguf.real("qwen2.rope.scaling.factor", 4); });
  EXPECT_EQ(linear.rope->scaling, RopeScaling::linear);
  EXPECT_EQ(linear.rope->factor, 4);
  EXPECT_EQ(of_qwen2([](GgufWriter& gguf) {
              gguf.text("qwen2.rope.scaling.type", "none");
              gguf.real("qwen2.rope.scaling.factor", 4);
            }).rope->scaling,
            RopeScaling::none);
  EXPECT_EQ(linear.rope->dimensions, linear.head_dim);
  EXPECT_EQ(linear.head_dim, linear.d_model / linear.decoder.heads);

  const ModelConfig phi = config("phi3", "phi3", llama_to_gguf,
                                 [](GgufWriter& gguf) { gguf.number("phi3.attention.sliding_window", 0); });
  EXPECT_EQ(std::ranges::count(phi.sliding_windows, 0), std::ssize(phi.sliding_windows));

  const ModelConfig local = config("gemma3", "gemma3", gemma2_to_gguf, [](GgufWriter& gguf) {
    gguf.number("gemma3.attention.sliding_window", 5);
    gguf.number("gemma3.attention.sliding_window_pattern", 2);
    gguf.real("gemma3.rope.freq_base_swa", 300);
  });
  EXPECT_EQ(local.sliding_windows[0], 5);
  EXPECT_EQ(local.sliding_windows[1], 0);
  EXPECT_EQ(local.rope_of(0)->theta, 300);
  EXPECT_NE(local.rope_of(1)->theta, 300);
}

TEST(Gguf, messages_name_tensors_and_metadata_as_the_file_does) {
  const TempFolder folder;
  const std::string path = (folder.path / "m.gguf").string();
  const auto said = [&](const std::function<void(Json & config)>& change,
                        const std::function<void(WrittenTensor&)>& spoil) {
    Json entry = model_case("qwen2");
    for (const char* field : {"use_sliding_window", "sliding_window", "max_window_layers"})
      entry["config"].erase(field);
    change(entry["config"]);
    GgufWriter gguf = gguf_of(entry, "qwen2", llama_to_gguf, spoil);
    gguf.write(path);
    return complaint([&] { logits_of(path, {1, 2}); });
  };
  const auto no_config = [](Json&) {};
  const auto no_tensor = [](WrittenTensor&) {};
  EXPECT_EQ(said(no_config, no_tensor), "no complaint");
  EXPECT_THAT(said([](Json& config) { config["num_attention_heads"] = 0; }, no_tensor),
              HasSubstr("m.gguf: qwen2.attention.head_count is 0; expected a whole number"));
  EXPECT_THAT(
      said([](Json& config) { config["num_key_value_heads"] = 3; }, no_tensor),
      HasSubstr("qwen2.attention.head_count is 4; expected a multiple of qwen2.attention.head_count_kv"));
  const auto renamed = [](const char* end) {
    return [end](WrittenTensor& tensor) {
      if (tensor.name.ends_with(end)) tensor.name = "v.another";
    };
  };
  EXPECT_THAT(said(no_config, renamed("layers.1.self_attn.q_proj.weight")),
              HasSubstr("m.gguf: blk.1.attn_q.weight: the tensor is missing"));
  EXPECT_THAT(said(no_config, renamed("model.norm.weight")),
              HasSubstr("m.gguf: output_norm.weight: the tensor is missing"));
  EXPECT_THAT(said(no_config,
                   [](WrittenTensor& tensor) {
                     if (tensor.name.ends_with("layers.0.mlp.down_proj.weight"))
                       std::ranges::reverse(tensor.shape);
                   }),
              AllOf(HasSubstr("blk.0.ffn_down.weight: shape is"), HasSubstr("from the metadata")));
}

TEST(Gguf, quantized_weights_count_as_the_numbers_that_they_stand_for) {
  const Arrays arrays = read_arrays(std::string(TEST_DATA_DIR) + "/gguf/blocks.npz");
  constexpr Index d = 256, d_ff = 256, vocabulary = 8;
  Json config{{"model_type", "qwen2"},     {"architectures", {"Qwen2ForCausalLM"}},
              {"hidden_size", d},          {"num_hidden_layers", 1},
              {"intermediate_size", d_ff}, {"num_attention_heads", 4},
              {"num_key_value_heads", 2},  {"max_position_embeddings", 32},
              {"vocab_size", vocabulary},  {"rms_norm_eps", 1e-6},
              {"rope_theta", 10000.0},     {"tie_word_embeddings", true}};
  const std::pair<const char*, std::uint32_t> types[] = {
      {"Q4_0", 2},    {"Q4_1", 3},    {"Q5_0", 6},     {"Q5_1", 7},   {"Q8_0", 8},
      {"Q2_K", 10},   {"Q3_K", 11},   {"Q4_K", 12},    {"Q5_K", 13},  {"Q6_K", 14},
      {"IQ4_NL", 20}, {"IQ4_XS", 23}, {"MXFP4", 39},   {"TQ1_0", 34}, {"TQ2_0", 35},
      {"Q1_0", 41},   {"Q2_0", 42},   {"IQ1_S", 19},   {"IQ1_M", 29}, {"IQ2_XXS", 16},
      {"IQ2_XS", 17}, {"IQ2_S", 22},  {"IQ3_XXS", 18}, {"IQ3_S", 21}, {"NVFP4", 40}};
  for (const auto& [name_of_type, number_of_type] : types) {
    const std::string type = name_of_type;
    const std::uint32_t of_type = number_of_type;
    SCOPED_TRACE(type);
    const Dtype dtype = dtype_named(type);
    std::string stored;
    for (const float byte : arrays.at(type + ".blocks").values)
      stored += static_cast<char>(static_cast<std::uint8_t>(byte));
    Json entry{{"name", "quantized"}, {"config", config}, {"tensors", Json::array()}};
    GgufWriter gguf = gguf_of(entry, "qwen2", {});
    add_letters_tokenizer(gguf, vocabulary);
    std::vector<WrittenTensor> widened;
    const auto add = [&](const std::string& name, std::vector<std::ptrdiff_t> shape, bool quantized) {
      std::string renamed = name;
      for (const auto& [from, to] : llama_to_gguf)
        if (const std::size_t at = renamed.find(from); at != std::string::npos)
          renamed.replace(at, from.size(), to);
      if (!quantized) {
        widened.push_back(drawn_tensor(name, name, "F32", shape, 0.25, name.ends_with("weight") ? 1 : 0));
        return gguf.tensor(renamed, 0, shape, widened.back().bytes);
      }
      const Index numbers = shape[0] * shape[1], bytes = bytes_of(dtype, numbers);
      std::string blocks;
      while (std::ssize(blocks) < bytes) blocks += stored;
      blocks.resize(static_cast<std::size_t>(bytes));
      std::vector<float> values(static_cast<std::size_t>(numbers));
      dequantize(dtype, reinterpret_cast<const std::byte*>(blocks.data()), 0, numbers, values.data());
      widened.push_back({name, "F32", shape, bytes_as<float>(values)});
      gguf.tensor(renamed, of_type, shape, blocks);
    };
    add("model.embed_tokens.weight", {vocabulary, d}, true);
    const std::string layer = "model.layers.0.";
    for (const char* norm : {"input_layernorm", "post_attention_layernorm"})
      add(layer + norm + ".weight", {d}, false);
    add("model.norm.weight", {d}, false);
    for (const auto& [name, rows] : {std::pair{"q_proj", d}, {"k_proj", d / 2}, {"v_proj", d / 2}}) {
      add(layer + "self_attn." + name + ".weight", {rows, d}, true);
      add(layer + "self_attn." + name + ".bias", {rows}, false);
    }
    add(layer + "self_attn.o_proj.weight", {d, d}, true);
    for (const char* name : {"gate_proj", "up_proj"}) add(layer + "mlp." + name + ".weight", {d_ff, d}, true);
    add(layer + "mlp.down_proj.weight", {d, d_ff}, true);
    const TempFolder folder;
    write_model_folder(folder.path / "model", config, widened);
    const std::string path = (folder.path / "m.gguf").string();
    gguf.write(path);
    // The same sums of the same numbers, of several rows and of one.
    for (const std::vector<Index>& ids : {std::vector<Index>{1, 2, 3, 5}, std::vector<Index>{6}})
      expect_near(logits_of(path, ids), logits_of((folder.path / "model").string(), ids), 0);
    EXPECT_NE(parameter_types(read_config(path), ModelFiles::open(path)->weights()).find(type),
              std::string::npos);
  }
}

TEST(Gguf, tokenizers_of_four_kinds_are_read) {
  const TempFolder folder;
  const std::string path = (folder.path / "t.gguf").string();
  const auto tokens = [&](const std::string& text) {
    const Tokenizer tokenizer = ModelFiles::open(path)->tokenizer();
    std::vector<std::string> texts;
    for (const TokenId id : tokenizer.encode(text).ids()) texts.emplace_back(*tokenizer.token(id));
    return texts;
  };
  using Texts = std::vector<std::string>;
  GgufWriter bytes;
  add_letters_tokenizer(bytes, 10);
  bytes.write(path);
  EXPECT_EQ(tokens("abc a"), (Texts{"ab", "c", "Ġa"}));

  GgufWriter pieces;  // the highest score is joined first: a with b, though bc is a token as well
  pieces.text("tokenizer.ggml.model", "llama");
  pieces.texts("tokenizer.ggml.tokens",
               {"<unk>", "<s>", "</s>", "<0xC3>", "<0xA9>", "▁", "a", "b", "c", "ab", "bc", "▁ab"});
  pieces.reals("tokenizer.ggml.scores", {0, 0, 0, 0, 0, -9, -9, -9, -9, -1, -2, -3});
  pieces.kinds({2, 3, 3, 6, 6, 1, 1, 1, 1, 1, 1, 1});
  pieces.number("tokenizer.ggml.bos_token_id", 1);
  pieces.write(path);
  EXPECT_EQ(tokens("abc bc"), (Texts{"<s>", "▁ab", "c", "▁", "bc"}));
  EXPECT_EQ(tokens("é"), (Texts{"<s>", "▁", "<0xC3>", "<0xA9>"}));
  EXPECT_EQ(tokens("a</s>"), (Texts{"<s>", "▁", "a", "</s>"}));

  GgufWriter listed;  // Gemma 4's: bc is the first merge of the list
  listed.text("tokenizer.ggml.model", "gemma4");
  listed.texts("tokenizer.ggml.tokens",
               {"<unk>", "<bos>", "<0xC3>", "<0xA9>", "▁", "a", "b", "c", "ab", "bc"});
  listed.texts("tokenizer.ggml.merges", {"b c", "a b"});
  listed.kinds({2, 3, 6, 6, 1, 1, 1, 1, 1, 1});
  listed.number("tokenizer.ggml.bos_token_id", 1);
  listed.write(path);
  EXPECT_EQ(tokens("abc ab"), (Texts{"<bos>", "a", "bc", "▁", "ab"}));
  EXPECT_EQ(tokens("é"), (Texts{"<bos>", "<0xC3>", "<0xA9>"}));

  GgufWriter words;
  words.text("tokenizer.ggml.model", "bert");
  words.texts("tokenizer.ggml.tokens", {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "▁play", "ing", "▁a", "▁["});
  for (const auto& [key, id] : {std::pair{"unknown", 1}, {"cls", 2}, {"seperator", 3}})
    words.number(std::string("tokenizer.ggml.") + key + "_token_id", static_cast<std::uint32_t>(id));
  words.write(path);
  EXPECT_EQ(tokens("Playing a ["), (Texts{"[CLS]", "play", "##ing", "a", "[", "[SEP]"}));
  EXPECT_EQ(tokens("x"), (Texts{"[CLS]", "[UNK]", "[SEP]"}));

  // Phi-3's markers take the spaces behind them; a token without a text is in no text.
  GgufWriter markers;
  markers.text("general.name", "Phi-3 mini");
  markers.text("tokenizer.ggml.model", "llama");
  markers.texts("tokenizer.ggml.tokens", {"<unk>", "<s>", "</s>", "▁", "a", "▁a", "<|user|>", ""});
  markers.reals("tokenizer.ggml.scores", {0, 0, 0, -1, -2, -1, 0, 0});
  markers.kinds({2, 3, 3, 1, 1, 1, 3, 1});
  markers.write(path);
  EXPECT_EQ(tokens("<|user|> \n a</s> a"), (Texts{"<s>", "<|user|>", "▁a", "</s>", "▁a"}));
  EXPECT_EQ(tokens("<s> a"), (Texts{"<s>", "<s>", "▁", "▁a"}));
  EXPECT_EQ(tokens(""), (Texts{"<s>"}));

  // Of what the name of the pre-tokenizer says: the beginning, and whether the splitting is known.
  const auto bytes_named = [&](const char* pre) {
    GgufWriter gguf;
    gguf.text("tokenizer.ggml.model", "gpt2");
    if (pre != nullptr) gguf.text("tokenizer.ggml.pre", pre);
    gguf.texts("tokenizer.ggml.tokens", {"a", "1", "11", "111", "Ġ", "<s>"});
    gguf.texts("tokenizer.ggml.merges", {"1 1", "11 1"});
    gguf.kinds({1, 1, 1, 1, 1, 3});
    gguf.number("tokenizer.ggml.bos_token_id", 5);
    gguf.write(path);
  };
  bytes_named("llama-bpe");
  EXPECT_EQ(tokens("a1111"), (Texts{"<s>", "a", "111", "1"}));
  bytes_named("dbrx");
  EXPECT_EQ(tokens("a1111"), (Texts{"a", "111", "1"}));
  EXPECT_TRUE(ModelFiles::open(path)->tokenizer().facts().notes.empty());
  for (const char* pre : {"deepseek-llm", "deepseek-coder", "deepseek-v3", "pixtral"}) {
    bytes_named(pre);
    EXPECT_EQ(tokens("a11").back().front(), '1') << pre;
  }
  bytes_named("deepseek-coder");
  EXPECT_EQ(tokens("11"), (Texts{"1", "1"}));
  bytes_named(nullptr);
  EXPECT_EQ(tokens("1111"), (Texts{"111", "1"}));
  EXPECT_EQ(ModelFiles::open(path)->tokenizer().facts().notes.size(), 1U);
  bytes_named("unheard-of");
  EXPECT_THAT(complaint([&] { ModelFiles::open(path)->tokenizer(); }),
              HasSubstr("tokenizer.ggml.pre is unheard-of; expected one of: "));

  GgufWriter other;
  other.text("tokenizer.ggml.model", "rwkv");
  other.texts("tokenizer.ggml.tokens", {"a"});
  other.write(path);
  EXPECT_THAT(complaint([&] { ModelFiles::open(path)->tokenizer(); }),
              HasSubstr("expected one of: gpt2, llama, gemma4, bert"));
}

}  // namespace headscope::tests
