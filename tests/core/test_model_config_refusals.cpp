#include "tests/support/model_files.h"

namespace headscope::tests {

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
      {"llama", R"("rope_scaling":{"type":"linear","factor":2},"rope_parameters":[2])",
       c + "rope_parameters is [2]; expected an object"},
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
      {"opt", R"("do_layer_norm_before":3)", c + "do_layer_norm_before is 3; expected true or false"},
      {"opt", R"("word_embed_proj_dim":0)", c + "word_embed_proj_dim is 0" + whole},
      {"gpt_neox", R"("rotary_pct":1.5)", c + "rotary_pct is 1.5; expected a number above 0, at most 1"},
      {"gpt_neox", R"("rotary_emb_base":1)", c + "rotary_emb_base is 1; expected a number above 1"},
      {"gpt_neox", R"("use_parallel_residual":"yes")",
       c + "use_parallel_residual is \"yes\"; expected true or"},
      {"gptj", R"("rotary_dim":63)", c + "rotary_dim is 63; expected an even number"},
      {"gptj", R"("rotary_dim":300)", c + "rotary_dim is 300; expected a whole number from 2 to 256"},
      {"gptj", R"("n_embd":64)", c + "rotary_dim is null; expected the number of a head's dimensions"},
      {"gptj", R"("rotary_dim":null)", c + "rotary_dim is null; expected the number of a head's dimensions"},
      {"bloom", R"("apply_residual_connection_post_layernorm":true)",
       c + "apply_residual_connection_post_layernorm is true; expected false: it is not supported"},
      {"falcon", R"("new_decoder_architecture":true,"num_ln_in_parallel_attn":1,"parallel_attn":false)",
       c + "parallel_attn is false; expected true: it is not supported"},
      {"falcon", R"("new_decoder_architecture":true,"num_kv_heads":8)",
       c + "num_attention_heads is 71; expected a multiple of num_kv_heads, which is 8"},
      {"gemma", R"("use_bidirectional_attention":true)",
       c + "use_bidirectional_attention is true; expected false: it is not supported"},
      {"gemma2", R"("attn_logit_softcapping":0)",
       c + "attn_logit_softcapping is 0; expected a number above 0"},
      {"gemma3", R"("text_config":{"rope_local_base_freq":0.5})",
       c + "text_config.rope_local_base_freq is 0.5; expected a number above 1"},
      {"gemma3", R"("text_config":[])", c + "text_config is []; expected an object"},
      {"gemma3_text", R"("layer_types":["full_attention"])",
       c + "layer_types is [\"full_attention\"]; expected a list of 26, one for each layer"},
      {"olmo", R"("clip_qkv":-1)", c + "clip_qkv is -1; expected a number above 0"},
      {"granite", R"("logits_scaling":0)", c + "logits_scaling is 0; expected a number above 0"},
      {"smollm3", R"("no_rope_layers":[1,0])",
       c + "no_rope_layers is [1,0]; expected a list of 36, one for each layer"},
      {"phi3", R"("rope_scaling":{"type":"longrope","short_factor":[1],"long_factor":[1]})",
       c + "rope_scaling.short_factor is [1]; expected a list of length 48"},
      {"mixtral", R"("num_experts_per_tok":9)",
       c + "num_experts_per_tok is 9; expected a whole number from 1 to 8"},
      {"mixtral", R"("num_local_experts":0)", c + "num_local_experts is 0" + whole},
      {"qwen2_moe", R"("shared_expert_intermediate_size":0)",
       c + "shared_expert_intermediate_size is 0" + whole},
      {"phi", R"("partial_rotary_factor":0.01)",
       "c.json: 0 dimensions of a head are rotated; expected an even"},
      {"gpt_neo", R"("attention_types":[[["global","near"],12]])",
       c + "attention_types is [[[\"global\",\"near\"],12]]; expected lists of \"global\" and \"local\", 24 "
           "in all"},
      {"gpt_neo", R"("attention_types":[[["global"],23]])", c + "attention_types is [[[\"global\"],23]]"},
      {"gpt_neo", R"("attention_types":[[["global"],25]])", c + "attention_types is [[[\"global\"],25]]"},
      {"gpt_neo", R"("attention_types":3)", c + "attention_types is 3"},
      {"bert", R"("architectures":["BertForTokenClassification"],"id2label":{})",
       c + "id2label is {…}; expected an object with 1 to 100000 labels"},
      {"bert", R"("architectures":["BertForTokenClassification"],"id2label":{"0":"A","2":"B"})",
       c + "id2label is {…}; expected the names of labels 0 to 1"},
      {"bert", R"("architectures":["BertForTokenClassification"],"id2label":{"0":1})",
       c + "id2label.0 is 1; expected a string"},
      {"bert", R"("architectures":["BertForTokenClassification"],"num_labels":1000000000)",
       c + "num_labels is 1000000000; expected a whole number from 1 to 100000"},
      {"bert", R"("architectures":["BertForSequenceClassification"],"problem_type":"x")",
       c + "problem_type is \"x\"; expected one of: regression"},
      {"modernbert", R"("architectures":["ModernBertForSequenceClassification"],"classifier_pooling":"max")",
       c + "classifier_pooling is \"max\"; expected one of: cls, mean"},
      {"deberta-v2", R"("conv_kernel_size":4)",
       c + "conv_kernel_size is 4; expected an odd number, or 0 for no convolution"},
      {"deberta-v2", R"("conv_kernel_size":3,"conv_groups":5)",
       c + "hidden_size is 1536; expected a multiple of conv_groups"},
      {"deberta-v2", R"("conv_kernel_size":3,"conv_groups":0)", c + "conv_groups is 0" + whole},
      {"deberta-v2", R"("conv_kernel_size":2000)", c + "conv_kernel_size is 2000; expected a whole"},
      {"deberta-v2", R"("conv_kernel_size":3,"conv_act":"step")",
       c + "conv_act is \"step\"; expected one of"},
      {"deberta-v2", R"("relative_attention":true,"pos_att_type":"p2p")",
       c + "pos_att_type is \"p2p\"; expected one of: c2p, p2c"},
      {"deberta-v2", R"("relative_attention":true,"position_buckets":3)",
       c + "position_buckets is 3; expected at least 4, and half of it below 511"},
      {"deberta-v2", R"("relative_attention":true,"position_buckets":256,"max_relative_positions":100)",
       c + "position_buckets is 256; expected at least 4, and half of it below 99"},
      {"deberta-v2", R"("attention_head_size":32)", c + "attention_head_size is 32; expected 64"},
      {"deberta-v2", R"("embedding_size":128)",
       c + "embedding_size is 128; expected 1536, which is hidden_size"},
      {"m2m_100", R"("pad_token_id":null)", c + "pad_token_id is null; expected the number of a token"},
      {"albert", R"("num_hidden_groups":0)", c + "num_hidden_groups is 0" + whole},
      {"albert", R"("num_hidden_groups":13)",
       c + "num_hidden_groups is 13; expected at most 12, the number of layers"},
      {"albert", R"("inner_group_num":1000)", c + "inner_group_num is 1000; expected at most 1000 layers in"},
      {"albert", R"("embedding_size":0)", c + "embedding_size is 0" + whole},
      {"electra", R"("embedding_size":-1)", c + "embedding_size is -1" + whole},
      {"mpnet", R"("relative_attention_num_buckets":16)",
       c + "relative_attention_num_buckets is 16; expected 32"},
      {"modernbert", R"("local_attention":0)", c + "local_attention is 0" + whole},
      {"modernbert", R"("global_attn_every_n_layers":0)", c + "global_attn_every_n_layers is 0" + whole},
      {"modernbert", R"("local_rope_theta":1)", c + "local_rope_theta is 1; expected a number above 1"},
      {"modernbert", R"("layer_types":["full_attention"])",
       c + "layer_types is [\"full_attention\"]; expected a list of 22, one for each layer"},
      {"marian", R"("encoder_layers":0)", c + "encoder_layers is 0" + whole}};
  for (const auto& [type, fields, said] : cases)
    EXPECT_THAT(complaint([&, &of = type, &with = fields] { config_with(of, with); }), StartsWith(said))
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
      {R"({"model_type":"mamba"})",
       "c.json: the architecture mamba is not known; expected one of: GPT-2, BERT"},
      {R"({"model_type":"t"})", "c.json: the architecture t is not known"},
      {R"({"model_type":"bert,"})", "c.json: the architecture bert, is not known"},
      {R"({"architectures":["Qwen2VLForConditionalGeneration"]})",
       "c.json: the architecture Qwen2VLForConditionalGeneration is not known"},
      {"{\"model_type\":" + deep, "c.json: nested more than 32 levels deep"},
      {"{\"a\":\"\xFF\"}", "c.json: byte 6 is not valid UTF-8"}};
  for (const auto& [text, said] : cases)
    EXPECT_THAT(complaint([&, &file = text] { config_of(file); }), StartsWith(said)) << text.substr(0, 60);
  const std::string unknown = complaint([] { config_with("mamba"); });
  EXPECT_THAT(unknown, AllOf(HasSubstr("Marian"), HasSubstr("BLOOM, Falcon, Mixtral"), HasSubstr("capture"),
                             HasSubstr("README")));
  EXPECT_LT(complaint([] { config_with(std::string(5000, 'x')); }).size(), 700U);
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
  write_bytes(at("snapshots/0123/config.json"), "{}");
  EXPECT_EQ(refusal(),
            folder.path.string() + ": config.json is missing; open the folder " + at("snapshots/0123"));
  write_bytes(at("model.gguf"), "x");
  EXPECT_THAT(refusal(), HasSubstr("model.gguf: a whole model in one file"));
  EXPECT_EQ(complaint([&] { read_config(at("none")); }), at("none") + " does not exist");
}

}  // namespace headscope::tests
