#include "core/model/config.h"
#include "tests/support/model_files.h"

namespace headscope::tests {

ModelConfig config_of(const std::string& json) {
  return parse_config(json, "c.json");
}

/// The fields of a model of one type, with commas between.
ModelConfig config_with(const std::string& type, const std::string& fields = "") {
  return config_of(R"({"model_type":")" + type + "\"" + (fields.empty() ? "" : ",") + fields + "}");
}

// ------------------------------------------------------------------------------------------- defaults

TEST(ModelConfigDefaults, are_those_of_each_class) {
  struct Case {
    const char* type;
    ModelFamily family;
    LayerStack encoder, decoder;
    Index d_model, head_dim, vocabulary, positions;
    double epsilon;
    Activation activation;
    bool tied, gated, causal;
    std::optional<Index> longest;
  };
  const std::optional<Index> endless;
  const Case cases[] = {{"gpt2",
                         ModelFamily::gpt2,
                         {},
                         {12, 12, 12, 3072},
                         768,
                         64,
                         50257,
                         1024,
                         1e-5,
                         Activation::gelu_tanh,
                         true,
                         false,
                         true,
                         1024},
                        {"bert",
                         ModelFamily::bert,
                         {12, 12, 12, 3072},
                         {},
                         768,
                         64,
                         30522,
                         512,
                         1e-12,
                         Activation::gelu,
                         true,
                         false,
                         false,
                         512},
                        {"distilbert",
                         ModelFamily::distilbert,
                         {6, 12, 12, 3072},
                         {},
                         768,
                         64,
                         30522,
                         512,
                         1e-12,
                         Activation::gelu,
                         true,
                         false,
                         false,
                         512},
                        {"roberta",
                         ModelFamily::roberta,
                         {12, 12, 12, 3072},
                         {},
                         768,
                         64,
                         50265,
                         512,
                         1e-12,
                         Activation::gelu,
                         true,
                         false,
                         false,
                         510},
                        {"llama",
                         ModelFamily::llama,
                         {},
                         {32, 32, 32, 11008},
                         4096,
                         128,
                         32000,
                         2048,
                         1e-6,
                         Activation::silu,
                         false,
                         true,
                         true,
                         endless},
                        {"mistral",
                         ModelFamily::mistral,
                         {},
                         {32, 32, 8, 14336},
                         4096,
                         128,
                         32000,
                         131072,
                         1e-6,
                         Activation::silu,
                         false,
                         true,
                         true,
                         endless},
                        {"qwen2",
                         ModelFamily::qwen2,
                         {},
                         {32, 32, 32, 22016},
                         4096,
                         128,
                         151936,
                         32768,
                         1e-6,
                         Activation::silu,
                         false,
                         true,
                         true,
                         endless},
                        {"qwen3",
                         ModelFamily::qwen3,
                         {},
                         {32, 32, 32, 22016},
                         4096,
                         128,
                         151936,
                         32768,
                         1e-6,
                         Activation::silu,
                         false,
                         true,
                         true,
                         endless},
                        {"t5",
                         ModelFamily::t5,
                         {6, 8, 8, 2048},
                         {6, 8, 8, 2048},
                         512,
                         64,
                         32128,
                         0,
                         1e-6,
                         Activation::relu,
                         true,
                         false,
                         false,
                         endless},
                        {"mt5",
                         ModelFamily::t5,
                         {8, 6, 6, 1024},
                         {8, 6, 6, 1024},
                         512,
                         64,
                         250112,
                         0,
                         1e-6,
                         Activation::gelu_tanh,
                         false,
                         true,
                         false,
                         endless},
                        {"marian",
                         ModelFamily::marian,
                         {12, 16, 16, 4096},
                         {12, 16, 16, 4096},
                         1024,
                         64,
                         58101,
                         1024,
                         1e-5,
                         Activation::gelu,
                         true,
                         false,
                         false,
                         endless}};
  for (const Case& expected : cases) {
    SCOPED_TRACE(expected.type);
    const ModelConfig model = config_with(expected.type);
    const auto numbers = [](const LayerStack& stack) {
      return std::vector<Index>{stack.layers, stack.heads, stack.kv_heads, stack.d_ff};
    };
    EXPECT_EQ(model.family, expected.family);
    EXPECT_EQ(numbers(model.encoder), numbers(expected.encoder));
    EXPECT_EQ(numbers(model.decoder), numbers(expected.decoder));
    EXPECT_EQ(
        std::vector<Index>({model.d_model, model.head_dim, model.vocabulary, model.positions}),
        std::vector<Index>({expected.d_model, expected.head_dim, expected.vocabulary, expected.positions}));
    EXPECT_EQ(model.norm_epsilon, expected.epsilon);
    EXPECT_EQ(model.activation, expected.activation);
    EXPECT_EQ(std::vector<bool>({model.tie_embeddings, model.gated, model.causal}),
              std::vector<bool>({expected.tied, expected.gated, expected.causal}));
    EXPECT_EQ(model.longest(), expected.longest);
    EXPECT_EQ(model.rope.has_value(), model.position_kind == PositionKind::rotary);
    EXPECT_EQ(std::ssize(model.sliding_windows), model.decoder.layers);
  }
}

TEST(ModelConfigDefaults, of_details) {
  EXPECT_EQ(config_with("bert").token_types, 2);
  EXPECT_EQ(config_with("bert").pad_token, 0);
  EXPECT_EQ(config_with("roberta").position_offset, 2);
  EXPECT_EQ(config_with("roberta", R"("max_position_embeddings":514)").longest(), 512);
  EXPECT_EQ(config_with("roberta", R"("pad_token_id":0)").position_offset, 1);
  EXPECT_EQ(config_with("roberta", R"("hidden_act":"relu")").head_activation, Activation::gelu);
  EXPECT_EQ(config_with("bert", R"("hidden_act":"relu")").head_activation, Activation::relu);
  EXPECT_FALSE(config_with("llama").qkv_bias || config_with("llama").mlp_bias ||
               config_with("qwen3").qkv_bias);
  EXPECT_TRUE(config_with("qwen2").qkv_bias && config_with("qwen3").qk_norm);
  EXPECT_FALSE(config_with("qwen2").output_bias || config_with("qwen2").qk_norm);
  EXPECT_FALSE(config_with("t5").scale_scores || config_with("t5").qkv_bias);
  EXPECT_EQ(config_with("t5").decoder_start_token, 0);
  EXPECT_EQ(config_with("t5").eos_tokens, std::vector<Index>{1});
  EXPECT_EQ(config_with("marian").decoder_start_token, 58100);
  EXPECT_EQ(config_with("marian", R"("vocab_size":65,"pad_token_id":64)").decoder_start_token, 64);
  EXPECT_EQ(
      config_with("qwen3", R"("hidden_size":64,"num_attention_heads":4,"num_key_value_heads":2)").head_dim,
      128);
  EXPECT_EQ(config_with("qwen3",
                        R"("hidden_size":64,"num_attention_heads":4,"num_key_value_heads":2,"head_dim":null)")
                .head_dim,
            16);
  EXPECT_EQ(config_with("qwen2", R"("hidden_size":64,"num_attention_heads":4)").decoder.kv_heads, 4);
  EXPECT_EQ(config_with("mistral", R"("num_key_value_heads":null)").decoder.kv_heads, 32);
  EXPECT_EQ(config_with("llama", R"("num_attention_heads":8,"hidden_size":64)").decoder.kv_heads, 8);
  EXPECT_EQ(config_with("gpt2", R"("n_embd":24,"n_head":2,"n_inner":null)").decoder.d_ff, 96);
}

// ------------------------------------------------------------------------------------ old and new names

TEST(ModelConfigNames, of_old_and_new_files_mean_the_same) {
  const ModelConfig by_attribute = config_with(
      "gpt2",
      R"("hidden_size":32,"num_attention_heads":4,"num_hidden_layers":3,"max_position_embeddings":64)");
  EXPECT_EQ(by_attribute.d_model, 32);
  EXPECT_EQ(by_attribute.decoder.layers, 3);
  EXPECT_EQ(by_attribute.positions, 64);
  const ModelConfig distil =
      config_with("distilbert", R"("dim":32,"n_heads":4,"n_layers":3,"hidden_dim":64,"activation":"relu")");
  EXPECT_EQ(distil.d_model, 32);
  EXPECT_EQ(distil.encoder.d_ff, 64);
  EXPECT_EQ(distil.activation, Activation::relu);
  EXPECT_EQ(config_with("llama", R"("torch_dtype":"float16")").dtype, "float16");
  EXPECT_EQ(config_with("llama", R"("dtype":"bfloat16","torch_dtype":"float16")").dtype, "bfloat16");
  EXPECT_EQ(config_with("llama", R"("torch_dtype":null)").dtype, "");
  for (const char* architecture :
       {"GPT2Model", "GPT2LMHeadModel", "GPT2DoubleHeadsModel", "GPT2ForSequenceClassification"})
    EXPECT_EQ(config_of(fmt::format(R"({{"architectures":["{}"]}})", architecture)).family,
              ModelFamily::gpt2);
  EXPECT_EQ(config_of(R"({"architectures":["MarianMTModel"]})").family, ModelFamily::marian);
  EXPECT_EQ(config_of(R"({"architectures":["MyOwn"],"model_type":"bert"})").family, ModelFamily::bert);
  EXPECT_EQ(config_with("xlm-roberta").family, ModelFamily::roberta);
  EXPECT_STREQ(to_name(ModelFamily::t5), "T5");
  EXPECT_STREQ(to_name(ModelFamily::qwen3), "Qwen3");
}

TEST(ModelConfigNames, of_activations) {
  const std::pair<const char*, Activation> cases[] = {
      {"gelu", Activation::gelu},           {"gelu_new", Activation::gelu_tanh},
      {"gelu_fast", Activation::gelu_tanh}, {"gelu_pytorch_tanh", Activation::gelu_tanh},
      {"relu", Activation::relu},           {"silu", Activation::silu},
      {"swish", Activation::silu},          {"quick_gelu", Activation::quick_gelu},
      {"tanh", Activation::tanh},           {"relu2", Activation::relu_squared}};
  for (const auto& [name, activation] : cases)
    EXPECT_EQ(config_with("gpt2", fmt::format(R"("activation_function":"{}")", name)).activation, activation);
}

TEST(ModelConfigNames, of_t5s_feed_forward) {
  const std::tuple<const char*, Activation, bool> cases[] = {
      {R"("feed_forward_proj":"relu")", Activation::relu, false},
      {R"("feed_forward_proj":"gated-gelu")", Activation::gelu_tanh, true},
      {R"("feed_forward_proj":"gated-silu")", Activation::silu, true},
      {R"("feed_forward_proj":"gelu")", Activation::gelu, false},
      {R"("feed_forward_proj":"gated-gelu","dense_act_fn":"gelu_new","is_gated_act":true)",
       Activation::gelu_tanh, true},
      {R"("dense_act_fn":"gelu_new","is_gated_act":true)", Activation::gelu_tanh, true}};
  for (const auto& [fields, activation, gated] : cases) {
    EXPECT_EQ(config_with("t5", fields).activation, activation) << fields;
    EXPECT_EQ(config_with("t5", fields).gated, gated) << fields;
  }
}

TEST(ModelConfigNames, of_ties_and_scales) {
  const auto scaled = [](const char* fields) { return config_with("t5", fields).scale_decoder_outputs; };
  EXPECT_TRUE(scaled(R"("tie_word_embeddings":true)"));
  EXPECT_FALSE(scaled(R"("tie_word_embeddings":false)"));
  EXPECT_FALSE(scaled(R"("tie_word_embeddings":true,"scale_decoder_outputs":false)"));
  EXPECT_TRUE(config_with("llama", R"("tie_word_embeddings":true)").tie_embeddings);
  const ModelConfig gpt2 =
      config_with("gpt2", R"("scale_attn_weights":false,"scale_attn_by_inverse_layer_idx":true)");
  EXPECT_TRUE(!gpt2.scale_scores && gpt2.scale_scores_by_layer);
  EXPECT_TRUE(config_with("marian", R"("scale_embedding":true)").scale_embedding);
  EXPECT_TRUE(config_with("bert", R"("is_decoder":true)").causal);
  EXPECT_FALSE(config_of(R"({"model_type":"t5","architectures":["T5EncoderModel"]})").has_decoder());
  EXPECT_EQ(config_with("t5", R"("num_layers":2,"num_decoder_layers":3)").decoder.layers, 3);
}

TEST(ModelConfigTokens, are_one_or_a_list_or_none) {
  EXPECT_EQ(config_with("llama", R"("eos_token_id":[1,2,9])").eos_tokens, (std::vector<Index>{1, 2, 9}));
  EXPECT_EQ(config_with("llama", R"("eos_token_id":7)").eos_tokens, std::vector<Index>{7});
  EXPECT_EQ(config_with("llama", R"("pad_token_id":-1)").pad_token, std::nullopt);
  EXPECT_EQ(config_with("bert", R"("pad_token_id":null)").pad_token, std::nullopt);
  EXPECT_THAT(config_with("llama", R"("vocab_size":5,"eos_token_id":[4,5])").eos_tokens, ElementsAre(4));
  EXPECT_THAT(config_with("marian", R"("bad_words_ids":[[58100],[1,2]])").never_generated,
              ElementsAre(58100));
}

// ------------------------------------------------------------------------------------------ windows, rope

TEST(ModelConfigWindows, are_by_layer) {
  const std::tuple<const char*, const char*, std::vector<Index>> cases[] = {
      {"llama", R"("num_hidden_layers":2,"sliding_window":8)", {0, 0}},
      {"mistral", R"("num_hidden_layers":2,"sliding_window":8)", {8, 8}},
      {"mistral", R"("num_hidden_layers":2,"sliding_window":null)", {0, 0}},
      {"mistral", R"("num_hidden_layers":2)", {4096, 4096}},
      {"qwen2", R"("num_hidden_layers":3,"sliding_window":8,"max_window_layers":1)", {0, 0, 0}},
      {"qwen2",
       R"("num_hidden_layers":3,"sliding_window":8,"max_window_layers":1,"use_sliding_window":true)",
       {0, 8, 8}},
      {"qwen3", R"("num_hidden_layers":2,"sliding_window":8,"use_sliding_window":true)", {0, 0}},
      {"qwen3",
       R"("num_hidden_layers":2,"sliding_window":8,"use_sliding_window":true,"layer_types":["sliding_attention","full_attention"])",
       {8, 0}},
      {"qwen2",
       R"("num_hidden_layers":2,"layer_types":["full_attention","full_attention"],"sliding_window":null)",
       {0, 0}}};
  for (const auto& [type, fields, windows] : cases)
    EXPECT_EQ(config_with(type, fields).sliding_windows, windows) << type << fields;
}

TEST(ModelConfigRope, is_read_from_old_and_new_fields) {
  const auto rope = [](const std::string& fields) { return *config_with("llama", fields).rope; };
  EXPECT_EQ(rope("").theta, 10000);
  EXPECT_EQ(rope("").dimensions, 128);
  EXPECT_EQ(rope(R"("rope_theta":500000.0)").theta, 500000);
  EXPECT_EQ(
      rope(R"("rope_theta":500000,"rope_parameters":{"rope_type":"default","rope_theta":7000.5})").theta,
      7000.5);
  EXPECT_EQ(rope(R"("partial_rotary_factor":0.5)").dimensions, 64);
  EXPECT_EQ(rope(R"("head_dim":32)").dimensions, 32);
  EXPECT_EQ(rope(R"("rope_scaling":null,"rope_parameters":null)").scaling, RopeScaling::none);
  for (const char* field : {"rope_scaling", "rope_parameters"})
    for (const char* type : {"type", "rope_type"})
      EXPECT_EQ(rope(fmt::format(R"("{}":{{"{}":"linear","factor":2.5}})", field, type)).factor, 2.5);
  const Rope dynamic = rope(
      R"("max_position_embeddings":64,"rope_scaling":{"type":"dynamic","factor":4,"original_max_position_embeddings":16})");
  EXPECT_EQ(dynamic.scaling, RopeScaling::dynamic);
  EXPECT_EQ(dynamic.original_positions, 64);
  const Rope llama3 = rope(
      R"("rope_scaling":{"rope_type":"llama3","factor":32,"low_freq_factor":1,"high_freq_factor":4,"original_max_position_embeddings":8192})");
  EXPECT_EQ(std::vector<double>({llama3.factor, llama3.low_frequency_factor, llama3.high_frequency_factor,
                                 llama3.attention_factor}),
            (std::vector<double>{32, 1, 4, 1}));
  EXPECT_EQ(llama3.original_positions, 8192);
}

TEST(ModelConfigRope, of_yarn_and_longrope_has_an_attention_factor) {
  const auto rope = [](const std::string& scaling, const std::string& more = "") {
    return *config_with("qwen2", R"("head_dim":8,"rope_scaling":{)" + scaling + "}" + more).rope;
  };
  const Rope yarn = rope(R"("type":"yarn","factor":4,"original_max_position_embeddings":1024)");
  EXPECT_DOUBLE_EQ(yarn.attention_factor, 0.1 * std::log(4.0) + 1);
  EXPECT_EQ(std::vector<double>({yarn.beta_fast, yarn.beta_slow}), (std::vector<double>{32, 1}));
  EXPECT_EQ(yarn.original_positions, 1024);
  EXPECT_TRUE(yarn.truncate);
  EXPECT_EQ(rope(R"("type":"yarn","factor":4)").original_positions, 32768);
  EXPECT_EQ(rope(R"("type":"yarn","original_max_position_embeddings":8192)").factor, 4);
  EXPECT_EQ(rope(R"("type":"yarn","factor":4,"attention_factor":1.5)").attention_factor, 1.5);
  EXPECT_EQ(rope(R"("type":"yarn","factor":0.5)").attention_factor, 1);
  EXPECT_DOUBLE_EQ(rope(R"("type":"yarn","factor":4,"mscale":2,"mscale_all_dim":0.5)").attention_factor,
                   (0.2 * std::log(4.0) + 1) / (0.05 * std::log(4.0) + 1));
  EXPECT_FALSE(rope(R"("type":"yarn","factor":4,"truncate":false)").truncate);
  const std::string lists = R"("short_factor":[1,1,1,1],"long_factor":[2,3,4,5])";
  const Rope long_rope =
      rope("\"type\":\"longrope\"," + lists, R"(,"original_max_position_embeddings":4096)");
  EXPECT_EQ(long_rope.long_factors, (std::vector<double>{2, 3, 4, 5}));
  EXPECT_EQ(long_rope.factor, 8);
  EXPECT_DOUBLE_EQ(long_rope.attention_factor, std::sqrt(1 + std::log(8.0) / std::log(4096.0)));
}

// --------------------------------------------------------------------------------------------- refusals

TEST(ModelConfigRefusals, name_field_found_and_expected) {
  const std::string c = "c.json: ", whole = "; expected a whole number from 1 to ";
  const std::tuple<const char*, const char*, std::string> cases[] = {
      {"gpt2", R"("n_layer":0)", c + "n_layer is 0" + whole + "1000"},
      {"gpt2", R"("n_layer":-3)", c + "n_layer is -3" + whole},
      {"gpt2", R"("n_layer":1001)", c + "n_layer is 1001" + whole},
      {"gpt2", R"("n_layer":2.5)", c + "n_layer is 2.5" + whole},
      {"gpt2", R"("n_layer":"12")", c + "n_layer is \"12\"" + whole},
      {"gpt2", R"("n_layer":true)", c + "n_layer is true" + whole},
      {"gpt2", R"("n_layer":[12])", c + "n_layer is [12]" + whole},
      {"gpt2", R"("num_hidden_layers":0)", c + "num_hidden_layers is 0" + whole},
      {"gpt2", R"("n_head":5)", c + "n_embd is 768; expected a multiple of n_head, which is 5"},
      {"gpt2", R"("n_embd":9223372036854775807)", c + "n_embd is 9223372036854775807" + whole},
      {"gpt2", R"("n_embd":9223372036854775808)", c + "n_embd is 9223372036854775808" + whole},
      {"gpt2", R"("n_embd":1e300)", c + "n_embd is 1e+300" + whole},
      {"gpt2", R"("n_embd":1e999)", c + "n_embd: the number is beyond 1.8e308"},
      {"gpt2", R"("vocab_size":0)", c + "vocab_size is 0" + whole},
      {"gpt2", R"("n_positions":0)", c + "n_positions is 0" + whole},
      {"gpt2", R"("n_inner":0)", c + "n_inner is 0" + whole},
      {"gpt2", R"("activation_function":"prelu")",
       c + "activation_function is \"prelu\"; expected one of: gelu"},
      {"gpt2", R"("activation_function":3)", c + "activation_function is 3; expected a string"},
      {"gpt2", R"("layer_norm_epsilon":0)",
       c + "layer_norm_epsilon is 0; expected a number above 0, at most 1"},
      {"gpt2", R"("layer_norm_epsilon":-1e-5)",
       c + "layer_norm_epsilon is -1e-05; expected a number above 0"},
      {"gpt2", R"("layer_norm_epsilon":"1e-5")",
       c + "layer_norm_epsilon is \"1e-5\"; expected a number above"},
      {"gpt2", R"("layer_norm_epsilon":NaN)", c + "layer_norm_epsilon: not JSON at line 1"},
      {"gpt2", R"("scale_attn_weights":1)", c + "scale_attn_weights is 1; expected true or false"},
      {"gpt2", R"("tie_word_embeddings":"yes")",
       c + "tie_word_embeddings is \"yes\"; expected true or false"},
      {"gpt2", R"("add_cross_attention":true)", c + "add_cross_attention is true; expected false"},
      {"gpt2", R"("bos_token_id":"a")", c + "bos_token_id is \"a\"; expected the number of a token"},
      {"gpt2", R"("eos_token_id":[1,"a"])", c + "eos_token_id is [1,\"a\"]; expected the number of a token"},
      {"gpt2", R"("eos_token_id":1.5)", c + "eos_token_id is 1.5; expected the number of a token"},
      {"gpt2", R"("eos_token_id":18446744073709551615)",
       c + "eos_token_id is 18446744073709551615; expected"},
      {"gpt2", R"("pruned_heads":{"0":[1]})", c + "pruned_heads is {…}; expected a model with all its heads"},
      {"gpt2", R"("dtype":32)", c + "dtype is 32; expected a string"},
      {"gpt2", R"("n_layer":1,"n_layer":2)", c + "field n_layer is given twice"},
      {"llama", R"("quantization_config":{"bits":4})",
       c + "quantization_config is {…}; expected a model that is not"},
      {"bert", R"("hidden_size":10,"num_attention_heads":3)",
       c + "hidden_size is 10; expected a multiple of num"},
      {"bert", R"("position_embedding_type":"relative_key")",
       c + "position_embedding_type is \"relative_key\"; exp"},
      {"bert", R"("type_vocab_size":0)", c + "type_vocab_size is 0" + whole},
      {"distilbert", R"("dim":0)", c + "dim is 0" + whole},
      {"roberta", R"("max_position_embeddings":2)", c + "pad_token_id is null; expected less than 1"},
      {"roberta", R"("pad_token_id":511)", c + "pad_token_id is 511; expected less than 511"},
      {"roberta", R"("pad_token_id":null)", c + "pad_token_id is null; expected the number of a token"},
      {"llama", R"("num_key_value_heads":5)",
       c + "num_attention_heads is 32; expected a multiple of num_key_value"},
      {"llama", R"("num_key_value_heads":64)",
       c + "num_attention_heads is 32; expected a multiple of num_key_value"},
      {"llama", R"("num_key_value_heads":0)", c + "num_key_value_heads is 0" + whole},
      {"llama", R"("hidden_size":100,"num_attention_heads":3)",
       c + "hidden_size is 100; expected a multiple of"},
      {"llama", R"("head_dim":7)",
       c + "7 dimensions of a head are rotated; expected an even number, at least 2"},
      {"llama", R"("head_dim":0)", c + "head_dim is 0" + whole},
      {"llama", R"("rope_theta":0)", c + "rope_theta is 0; expected a number above 0"},
      {"llama", R"("rope_theta":1)", c + "rope_theta is 1; expected a number above 1"},
      {"llama", R"("rope_theta":"big")", c + "rope_theta is \"big\"; expected a number above 0"},
      {"llama", R"("rope_scaling":"linear")", c + "rope_scaling is \"linear\"; expected an object"},
      {"llama", R"("rope_scaling":{"type":"magic"})",
       c + "rope_scaling.type is \"magic\"; expected one of: default"},
      {"llama", R"("rope_scaling":{"rope_type":3})", c + "rope_scaling.rope_type is 3; expected a string"},
      {"llama", R"("rope_scaling":{"type":"linear"})",
       c + "rope_scaling.factor is null; expected a number above 0"},
      {"llama", R"("rope_scaling":{"type":"linear","factor":0})",
       c + "rope_scaling.factor is 0; expected a number"},
      {"llama", R"("rope_scaling":{"type":"linear","factor":-2})",
       c + "rope_scaling.factor is -2; expected a"},
      {"llama", R"("rope_scaling":{"type":"dynamic","factor":2},"head_dim":2)",
       c + "2 dimensions of a head are"},
      {"llama", R"("rope_scaling":{"type":"llama3","factor":8,"low_freq_factor":4,"high_freq_factor":4})",
       c + "rope_scaling.high_freq_factor is 4; expected more than low_freq_factor, which is 4"},
      {"llama", R"("rope_scaling":{"type":"yarn","factor":8,"original_max_position_embeddings":0})",
       c + "rope_scaling.original_max_position_embeddings is 0" + whole},
      {"llama", R"("rope_scaling":{"type":"longrope","factor":8})",
       c + "rope_scaling.short_factor is null; exp"},
      {"llama", R"("rope_scaling":{"type":"longrope","factor":8,"short_factor":[1,2]})",
       c + "rope_scaling.short_factor is [1,2]; expected a list of length 64, of numbers above 0"},
      {"llama", R"("rope_parameters":{"full_attention":{"rope_type":"default"}})",
       c + "rope_parameters.full_attention is {…}; expected the same rotary positions in every layer"},
      {"mistral", R"("sliding_window":0)", c + "sliding_window is 0" + whole},
      {"qwen2", R"("layer_types":["full_attention"])",
       c + "layer_types is [\"full_attention\"]; expected a list of 32"},
      {"qwen2", R"("num_hidden_layers":1,"layer_types":["chunked"])",
       c + "layer_types is chunked; expected one of"},
      {"qwen2", R"("layer_types":[1])", c + "layer_types is [1]; expected a list of strings"},
      {"t5", R"("feed_forward_proj":"gated-magic")",
       c + "feed_forward_proj is \"gated-magic\"; expected one of"},
      {"t5", R"("relative_attention_num_buckets":1)",
       c + "relative_attention_num_buckets is 1; expected a whole"},
      {"t5", R"("relative_attention_max_distance":16)",
       c + "relative_attention_max_distance is 16; expected a"},
      {"t5", R"("vocab_size":5,"decoder_start_token_id":5)",
       c + "decoder_start_token_id is 5; expected less than 5"},
      {"marian", R"("d_model":30,"decoder_attention_heads":4,"encoder_attention_heads":3)",
       c + "d_model is 30; expected a multiple of decoder_attention_heads, which is 4"},
      {"marian", R"("vocab_size":9,"pad_token_id":null)",
       c + "decoder_start_token_id is null; expected less than 9"},
      {"marian", R"("encoder_layers":0)", c + "encoder_layers is 0" + whole}};
  for (const auto& [type, fields, said] : cases)
    EXPECT_THAT(complaint([&, &type = type, &fields = fields] { config_with(type, fields); }),
                StartsWith(said))
        << fields;
}

TEST(ModelConfigRefusals, of_files_that_are_no_config) {
  const std::string deep(100'000, '[');
  const std::pair<std::string, std::string> cases[] = {
      {"", "c.json: empty; expected JSON"},
      {"[]", "c.json: []; expected an object"},
      {"{", "c.json: the file is cut short"},
      {"{}",
       "c.json: model_type is missing; expected one of: GPT-2, BERT, DistilBERT, RoBERTa, LLaMA, Mistral, "
       "Qwen2, Qwen3, T5, Marian"},
      {R"({"model_type":null})", "c.json: model_type is missing"},
      {R"({"model_type":3})", "c.json: model_type is 3; expected a string"},
      {R"({"architectures":"GPT2Model"})",
       "c.json: architectures is \"GPT2Model\"; expected a list of strings"},
      {R"({"model_type":"gpt_neox"})",
       "c.json: the architecture gpt_neox is not known; expected one of: GPT-2, BERT"},
      {R"({"model_type":"t"})", "c.json: the architecture t is not known"},
      {R"({"model_type":"bert,"})", "c.json: the architecture bert, is not known"},
      {R"({"architectures":["Qwen2MoeForCausalLM"]})",
       "c.json: the architecture Qwen2MoeForCausalLM is not known"},
      {"{\"model_type\":" + deep, "c.json: nested more than 32 levels deep"},
      {"{\"a\":\"\xFF\"}", "c.json: byte 6 is not valid UTF-8"}};
  for (const auto& [text, said] : cases)
    EXPECT_THAT(complaint([&, &text = text] { config_of(text); }), StartsWith(said)) << text.substr(0, 60);
  const std::string unknown = complaint([] { config_with("gpt_neox"); });
  EXPECT_THAT(unknown, AllOf(HasSubstr("Marian"), HasSubstr("capture"), HasSubstr("README")));
  EXPECT_LT(complaint([] { config_with(std::string(5000, 'x')); }).size(), 500U);
}

class ModelConfigFolder : public InFolder {};

TEST_F(ModelConfigFolder, is_read_with_what_generation_says) {
  write_bytes(at("config.json"), R"({"model_type":"llama","eos_token_id":2,"vocab_size":100})");
  write_bytes(at("generation_config.json"), R"({"eos_token_id":[2,3],"pad_token_id":0})");
  const ModelConfig model = read_config(folder.path.string());
  EXPECT_THAT(model.eos_tokens, ElementsAre(2, 3));
  EXPECT_EQ(model.pad_token, 0);
  EXPECT_EQ(model.bos_token, 1);
  const auto refusal = [&] { return complaint([&] { read_config(folder.path.string()); }); };
  write_bytes(at("generation_config.json"), "[]");
  EXPECT_THAT(refusal(), StartsWith(at("generation_config.json") + ": []; expected an object"));
  fs::remove(at("generation_config.json"));
  fs::create_symlink("/etc/hostname", at("generation_config.json"));
  EXPECT_THAT(refusal(), HasSubstr("a link that leads out of the folder"));
  fs::remove(at("config.json"));
  EXPECT_EQ(refusal(), folder.path.string() + ": config.json is missing; expected the folder of a model");
  write_bytes(at("model.gguf"), "x");
  EXPECT_THAT(refusal(), HasSubstr("weights of GGUF are not read"));
  EXPECT_EQ(complaint([&] { read_config(at("none")); }), at("none") + " does not exist");
}

}  // namespace headscope::tests
