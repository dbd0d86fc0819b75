#include "tests/support/model_files.h"

namespace headscope::tests {

/// "12 layers 12 heads …": every number of a model for which its family has a default.
std::string numbers_of(const ModelConfig& model) {
  const auto stack = [](const LayerStack& s) {
    return s.layers == 0 ? "-" : fmt::format("{} {}/{} {}", s.layers, s.heads, s.kv_heads, s.d_ff);
  };
  const auto longest = model.longest();
  return fmt::format("{} | {} | {} {} | {} | {} {} | {} {}{}{}{}", stack(model.encoder), stack(model.decoder),
                     model.d_model, model.head_dim, model.vocabulary, model.positions,
                     longest ? std::to_string(*longest) : "endless", model.norm_epsilon,
                     static_cast<int>(model.activation), model.tie_embeddings ? " tied" : "",
                     model.gated ? " gated" : "", model.causal ? " causal" : "");
}

TEST(ModelConfigDefaults, are_those_of_each_class) {
  ASSERT_EQ(static_cast<int>(Activation::relu), 4);
  // layers heads/key-value heads d_ff of encoder | decoder | d_model d_k | vocabulary | maximum positions |
  // epsilon, activation (0 gelu, 1 tanh, 4 relu, 8 silu)
  const std::pair<const char*, const char*> cases[] = {
      {"gpt2", "- | 12 12/12 3072 | 768 64 | 50257 | 1024 1024 | 1e-05 1 tied causal"},
      {"bert", "12 12/12 3072 | - | 768 64 | 30522 | 512 512 | 1e-12 0 tied"},
      {"distilbert", "6 12/12 3072 | - | 768 64 | 30522 | 512 512 | 1e-12 0 tied"},
      {"roberta", "12 12/12 3072 | - | 768 64 | 50265 | 512 510 | 1e-12 0 tied"},
      {"llama", "- | 32 32/32 11008 | 4096 128 | 32000 | 2048 endless | 1e-06 8 gated causal"},
      {"mistral", "- | 32 32/8 14336 | 4096 128 | 32000 | 131072 endless | 1e-06 8 gated causal"},
      {"qwen2", "- | 32 32/32 22016 | 4096 128 | 151936 | 32768 endless | 1e-06 8 gated causal"},
      {"qwen3", "- | 32 32/32 22016 | 4096 128 | 151936 | 32768 endless | 1e-06 8 gated causal"},
      {"t5", "6 8/8 2048 | 6 8/8 2048 | 512 64 | 32128 | 0 endless | 1e-06 4 tied"},
      {"mt5", "8 6/6 1024 | 8 6/6 1024 | 512 64 | 250112 | 0 endless | 1e-06 1 tied gated"},
      {"umt5", "8 6/6 1024 | 8 6/6 1024 | 512 64 | 250112 | 0 endless | 1e-06 1 tied gated"},
      {"gpt_neox", "- | 44 64/64 24576 | 6144 96 | 50432 | 2048 endless | 1e-05 0 causal"},
      {"gptj", "- | 28 16/16 16384 | 4096 256 | 50400 | 2048 endless | 1e-05 1 causal"},
      {"phi", "- | 24 32/32 8192 | 2048 64 | 51200 | 2048 endless | 1e-05 1 causal"},
      {"stablelm", "- | 32 32/32 6912 | 2560 80 | 50304 | 4096 endless | 1e-05 8 gated causal"},
      {"gemma", "- | 28 16/16 24576 | 3072 256 | 256000 | 8192 endless | 1e-06 1 tied gated causal"},
      {"gemma2", "- | 26 8/4 9216 | 2304 256 | 256000 | 8192 endless | 1e-06 1 tied gated causal"},
      {"gemma3", "- | 26 8/4 9216 | 2304 256 | 262208 | 131072 endless | 1e-06 1 tied gated causal"},
      {"gemma3n_text", "- | 35 8/2 16384 | 2048 256 | 262400 | 32768 endless | 1e-06 1 tied gated causal"},
      {"gemma4_text", "- | 30 8/4 9216 | 2304 256 | 262144 | 131072 endless | 1e-06 1 tied gated causal"},
      {"gemma4_unified", "- | 30 8/4 9216 | 2304 256 | 262144 | 262144 endless | 1e-06 1 tied gated causal"},
      {"qwen2_vl", "- | 80 64/8 29568 | 8192 128 | 152064 | 32768 endless | 1e-05 8 tied gated causal"},
      {"qwen3_vl", "- | 32 32/32 22016 | 4096 128 | 151936 | 128000 endless | 1e-06 8 tied gated causal"},
      {"llava", "- | 32 32/32 11008 | 4096 128 | 32000 | 2048 endless | 1e-06 8 tied gated causal"},
      {"paligemma", "- | 28 16/16 24576 | 3072 256 | 256000 | 8192 endless | 1e-06 1 tied gated causal"},
      {"olmo", "- | 32 32/32 11008 | 4096 128 | 50304 | 2048 endless | 1e-05 8 gated causal"},
      {"olmo2", "- | 32 32/32 11008 | 4096 128 | 50304 | 2048 endless | 1e-05 8 gated causal"},
      {"granite", "- | 32 32/32 11008 | 4096 128 | 32000 | 2048 endless | 1e-06 8 gated causal"},
      {"smollm3", "- | 36 16/4 11008 | 2048 128 | 128256 | 32768 endless | 1e-06 8 tied gated causal"},
      {"phi3", "- | 32 32/32 8192 | 3072 96 | 32064 | 4096 endless | 1e-05 8 gated causal"},
      {"cohere", "- | 40 64/64 22528 | 8192 128 | 256000 | 8192 endless | 1e-05 8 tied gated causal"},
      {"cohere2", "- | 40 64/64 22528 | 8192 128 | 256000 | 8192 endless | 1e-05 8 tied gated causal"},
      {"bloom", "- | 2 8/8 256 | 64 8 | 250880 | 0 endless | 1e-05 1 tied causal"},
      {"falcon", "- | 32 71/1 18176 | 4544 64 | 65024 | 2048 endless | 1e-05 0 tied causal"},
      {"mixtral", "- | 32 32/8 14336 | 4096 128 | 32000 | 131072 endless | 1e-05 8 gated causal"},
      {"qwen2_moe", "- | 24 16/16 5632 | 2048 128 | 151936 | 32768 endless | 1e-06 8 gated causal"},
      {"qwen3_moe", "- | 24 32/4 6144 | 2048 64 | 151936 | 32768 endless | 1e-06 8 gated causal"},
      {"arcee", "- | 32 32/32 18432 | 2560 80 | 32000 | 4096 endless | 1e-05 5 causal"},
      {"seed_oss", "- | 64 80/8 27648 | 4096 128 | 155136 | 524288 endless | 1e-06 8 gated causal"},
      {"ernie4_5", "- | 18 16/2 3072 | 1024 128 | 103424 | 131072 endless | 1e-05 8 tied gated causal"},
      {"helium", "- | 24 20/20 7040 | 2560 128 | 48000 | 4096 endless | 1e-08 8 gated causal"},
      {"cwm", "- | 64 48/8 21504 | 6144 128 | 128256 | 131072 endless | 1e-05 8 gated causal"},
      {"glm", "- | 40 32/2 13696 | 4096 128 | 151552 | 131072 endless | 1.5625e-07 8 gated causal"},
      {"starcoder2", "- | 30 24/2 12288 | 3072 128 | 49152 | 4096 endless | 1e-05 1 tied causal"},
      {"olmo3", "- | 32 32/32 11008 | 4096 128 | 50304 | 2048 endless | 1e-05 8 gated causal"},
      {"olmoe", "- | 16 16/16 2048 | 2048 128 | 50304 | 4096 endless | 1e-05 8 gated causal"},
      {"exaone4", "- | 32 32/32 16384 | 4096 128 | 102400 | 2048 endless | 1e-05 8 gated causal"},
      {"nemotron", "- | 32 48/48 24576 | 6144 128 | 256000 | 4096 endless | 1e-05 5 causal"},
      {"granitemoe", "- | 32 32/32 11008 | 4096 128 | 32000 | 2048 endless | 1e-06 8 gated causal"},
      {"biogpt", "- | 24 16/16 4096 | 1024 64 | 42384 | 1026 1024 | 1e-05 0 tied causal"},
      {"xglm", "- | 24 16/16 4096 | 1024 64 | 256008 | 2050 endless | 1e-05 0 tied causal"},
      {"phimoe", "- | 32 32/8 6400 | 4096 128 | 32064 | 131072 endless | 1e-05 8 gated causal"},
      {"mpt", "- | 24 16/16 8192 | 2048 128 | 50368 | 2048 endless | 1e-05 0 tied causal"},
      {"codegen", "- | 28 16/16 16384 | 4096 256 | 50400 | 2048 endless | 1e-05 1 causal"},
      {"openai-gpt", "- | 12 12/12 3072 | 768 64 | 40478 | 512 512 | 1e-05 1 tied causal"},
      {"longformer", "12 12/12 3072 | - | 768 64 | 30522 | 512 510 | 1e-12 0 tied"},
      {"big_bird", "12 12/12 3072 | - | 768 64 | 50358 | 4096 4096 | 1e-12 1 tied"},
      {"gpt_oss", "- | 36 64/8 2880 | 2880 64 | 201088 | 131072 endless | 1e-05 8 gated causal"},
      {"deepseek_v2", "- | 32 32/32 11008 | 4096 192 | 32000 | 2048 endless | 1e-06 8 gated causal"},
      {"deepseek_v3", "- | 61 128/128 18432 | 7168 192 | 129280 | 4096 endless | 1e-06 8 gated causal"},
      {"qwen3_next", "- | 48 16/2 5632 | 2048 256 | 151936 | 32768 endless | 1e-06 8 gated causal"},
      {"qwen3_5_text", "- | 32 16/4 12288 | 4096 256 | 248320 | 32768 endless | 1e-06 8 gated causal"},
      {"qwen3_5_moe_text", "- | 40 16/2 512 | 2048 256 | 248320 | 32768 endless | 1e-06 8 gated causal"},
      {"lfm2", "- | 32 32/8 8192 | 2560 80 | 65536 | 128000 endless | 1e-05 8 tied gated causal"},
      {"falcon_h1", "- | 32 32/8 14336 | 4096 128 | 128000 | 8192 endless | 1e-05 8 gated causal"},
      {"granitemoehybrid", "- | 32 32/32 11008 | 4096 128 | 32000 | 2048 endless | 1e-06 8 gated causal"},
      {"albert", "12 64/64 16384 | - | 4096 64 | 30000 | 512 512 | 1e-12 1 tied"},
      {"electra", "12 4/4 1024 | - | 256 64 | 30522 | 512 512 | 1e-12 0 tied"},
      {"mpnet", "12 12/12 3072 | - | 768 64 | 30527 | 512 510 | 1e-12 0 tied"},
      {"modernbert", "22 12/12 1152 | - | 768 64 | 50368 | 8192 endless | 1e-05 0 tied gated"},
      {"nomic_bert", "12 12/12 3072 | - | 768 64 | 30528 | 2048 endless | 1e-12 8 tied gated"},
      {"eurobert", "12 12/12 3072 | - | 768 64 | 128256 | 8192 endless | 1e-05 8 gated"},
      {"rembert", "32 18/18 4608 | - | 1152 64 | 250300 | 512 512 | 1e-12 0"},
      {"dpr", "12 12/12 3072 | - | 768 64 | 30522 | 512 512 | 1e-12 0 tied"},
      {"deberta", "12 12/12 3072 | - | 768 64 | 50265 | 512 512 | 1e-07 0 tied"},
      {"deberta-v2", "24 24/24 6144 | - | 1536 64 | 128100 | 512 512 | 1e-07 0 tied"},
      {"xlnet", "24 16/16 4096 | - | 1024 64 | 32000 | 512 endless | 1e-12 0 tied"},
      {"funnel", "14 12/12 3072 | - | 768 64 | 30522 | 0 endless | 1e-09 1 tied"},
      {"m2m_100", "12 16/16 4096 | 12 16/16 4096 | 1024 64 | 128112 | 1024 endless | 1e-05 4 tied"},
      {"whisper", "4 6/6 1536 | 4 6/6 1536 | 384 64 | 51865 | 1500 1500 | 1e-05 0 tied"},
      {"led", "12 16/16 4096 | 12 16/16 4096 | 1024 64 | 50265 | 16384 16384 | 1e-05 0 tied"},
      {"bigbird_pegasus", "16 16/16 4096 | 16 16/16 4096 | 1024 64 | 96103 | 4096 4096 | 1e-05 1 tied"},
      {"marian", "12 16/16 4096 | 12 16/16 4096 | 1024 64 | 58101 | 1024 endless | 1e-05 0 tied"}};
  for (const auto& [type, numbers] : cases) {
    const ModelConfig model = config_with(type);
    EXPECT_EQ(numbers_of(model), numbers) << type;
    EXPECT_EQ(model.rope.has_value(), model.position_kind == PositionKind::rotary) << type;
    EXPECT_EQ(std::ssize(model.sliding_windows), model.body().layers) << type;
  }
}

TEST(ModelConfigDefaults, of_layers_that_differ) {
  const ModelConfig n = config_with("gemma3n_text", R"("num_hidden_layers":20)");
  EXPECT_EQ(n.decoder.keys_from(4), 4);
  EXPECT_EQ(n.decoder.keys_from(5), 3);  // the last with a window before those that share
  EXPECT_EQ(n.decoder.keys_from(9), 4);
  EXPECT_EQ(n.sparsity[9], 0.95);
  EXPECT_EQ(n.sparsity[10], 0);
  EXPECT_EQ(n.alt_up->streams, 4);
  EXPECT_EQ(n.layer_embeddings->width, 256);
  EXPECT_EQ(n.logit_cap, 30);
  EXPECT_EQ(n.rope_of(4)->theta, 1e6);
  EXPECT_EQ(n.rope_of(3)->theta, 1e4);
  EXPECT_FALSE(n.scale_scores);
  EXPECT_TRUE(
      config_with("gemma3n_text", R"("num_hidden_layers":4,"num_kv_shared_layers":0)").sparsity.empty());
  const ModelConfig widths = config_with(
      "gemma3n_text", R"("num_hidden_layers":2,"num_kv_shared_layers":0,"intermediate_size":[8,12])");
  EXPECT_THAT(widths.decoder.d_ff_of_layers, ElementsAre(8, 12));

  const ModelConfig four = config_with(
      "gemma4",
      R"("text_config":{"num_hidden_layers":12,"num_kv_shared_layers":6,"use_double_wide_mlp":true,)"
      R"("final_logit_softcapping":30})");
  EXPECT_EQ(four.decoder.head_dims[4], 256);
  EXPECT_EQ(four.decoder.head_dims[5], 512);
  EXPECT_EQ(four.decoder.d_ff_of(5), 9216);
  EXPECT_EQ(four.decoder.d_ff_of(6), 18432);
  EXPECT_EQ(four.decoder.keys_from(11), 5);
  EXPECT_EQ(four.decoder.keys_from(10), 4);
  EXPECT_EQ(four.rope_of(5)->scaling, RopeScaling::proportional);
  EXPECT_EQ(four.rope_of(5)->turned_pairs, 64);
  EXPECT_EQ(four.rope_of(4)->dimensions, 256);
  EXPECT_EQ(four.logit_cap, 30);  // its class caps them, as no other that reads pictures
  EXPECT_EQ(four.layer_embeddings->vocabulary, 262144);
  EXPECT_EQ(four.sliding_windows[0], 512);
  EXPECT_FALSE(config_with("gemma4_unified_text").layer_embeddings);
  const ModelConfig whole =
      config_with("gemma4_text", R"("num_hidden_layers":2,"layer_types":["sliding_attention",)"
                                 R"("sliding_attention"],"global_head_dim":0)");
  EXPECT_THAT(whole.sliding_windows, ElementsAre(512, 0));
  EXPECT_TRUE(whole.decoder.head_dims.empty());
  const ModelConfig experts =
      config_with("gemma4_text",
                  R"("enable_moe_block":true,"num_experts":8,"top_k_experts":2,"moe_intermediate_size":16,)"
                  R"("attention_k_eq_v":true,"num_global_key_value_heads":2)");
  EXPECT_EQ(experts.experts->of_token, 2);
  EXPECT_EQ(experts.experts->shared_d_ff, 9216);
  EXPECT_EQ(experts.decoder.kv_heads_of(5), 2);
  EXPECT_EQ(experts.decoder.kv_heads_of(4), 4);
  EXPECT_TRUE(experts.values_are_keys(5));
  EXPECT_FALSE(experts.values_are_keys(4));
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
  EXPECT_TRUE(config_with("qwen2").qkv_bias && config_with("qwen3").qk_norm == QkNorm::head);
  EXPECT_FALSE(config_with("qwen2").output_bias || config_with("qwen2").qk_norm != QkNorm::none);
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
  EXPECT_EQ(config_of(R"({"architectures":["GPTNeoForCausalLM"]})").family, ModelFamily::gpt_neo);
  EXPECT_EQ(config_with("camembert").family, ModelFamily::roberta);
  EXPECT_EQ(config_with("vit").norm_epsilon, 1e-12);
  EXPECT_EQ(config_with("vit_msn").norm_epsilon, 1e-6);
  for (const auto& [name, family] : {std::pair{"XLMRobertaForMaskedLM", ModelFamily::roberta},
                                     {"CamembertModel", ModelFamily::roberta},
                                     {"Data2VecTextForMaskedLM", ModelFamily::roberta},
                                     {"ErnieForMaskedLM", ModelFamily::bert},
                                     {"ViTMSNModel", ModelFamily::vit},
                                     {"ViTMAEModel", ModelFamily::vit},
                                     {"IJepaModel", ModelFamily::vit},
                                     {"BeitModel", ModelFamily::beit},
                                     {"DINOv3ViTModel", ModelFamily::dinov3},
                                     {"Siglip2Model", ModelFamily::siglip2},
                                     {"DPRContextEncoder", ModelFamily::dpr},
                                     {"DebertaModel", ModelFamily::deberta_v1},
                                     {"DebertaV2Model", ModelFamily::deberta},
                                     {"XLNetLMHeadModel", ModelFamily::xlnet},
                                     {"FunnelForMaskedLM", ModelFamily::funnel},
                                     {"AlbertForPreTraining", ModelFamily::albert},
                                     {"ElectraForPreTraining", ModelFamily::electra},
                                     {"MPNetForMaskedLM", ModelFamily::mpnet},
                                     {"ModernBertForMaskedLM", ModelFamily::modernbert}})
    EXPECT_EQ(config_of(fmt::format(R"({{"architectures":["{}"]}})", name)).family, family) << name;
  EXPECT_EQ(config_with("gpt_neo").sliding_windows[1], 256);
  EXPECT_EQ(config_with("gpt_neo").sliding_windows[2], 0);
  EXPECT_EQ(config_with("opt").longest(), 2048);
  EXPECT_EQ(config_with("bart").longest(), 1024);
  EXPECT_EQ(config_with("pegasus").longest(), std::nullopt);
  EXPECT_STREQ(to_name(ModelFamily::pegasus), "PEGASUS");
  EXPECT_STREQ(to_name(ModelFamily::t5), "T5");
  EXPECT_STREQ(to_name(ModelFamily::qwen3), "Qwen3");
}

TEST(ModelConfigNames, of_decoders) {
  EXPECT_EQ(config_of(R"({"architectures":["GPTNeoXForCausalLM"]})").family, ModelFamily::gpt_neox);
  EXPECT_EQ(config_of(R"({"architectures":["Gemma2ForCausalLM"]})").family, ModelFamily::gemma2);
  EXPECT_EQ(config_of(R"({"architectures":["Phi3ForCausalLM"]})").family, ModelFamily::phi3);
  EXPECT_STREQ(to_name(ModelFamily::falcon), "Falcon");
  EXPECT_STREQ(to_name(ModelFamily::smollm3), "SmolLM 3");
  EXPECT_EQ(config_with("gpt_neox").rope->dimensions, 24);
  EXPECT_EQ(config_with("gpt_neox", R"("rotary_pct":0.5)").rope->dimensions, 48);
  EXPECT_EQ(config_with("stablelm_epoch", R"("rope_pct":0.5,"norm_eps":0.25)").rope->dimensions, 40);
  EXPECT_TRUE(config_with("gptj").rope->in_pairs && config_with("cohere").rope->in_pairs);
  // Named gelu, they mean its form with tanh, unless a newer field says gelu.
  EXPECT_EQ(config_with("gemma", R"("hidden_act":"gelu")").activation, Activation::gelu_tanh);
  EXPECT_EQ(config_with("gemma", R"("hidden_act":"relu")").activation, Activation::relu);
  EXPECT_EQ(config_with("gemma", R"("hidden_activation":"gelu")").activation, Activation::gelu);
  EXPECT_EQ(config_with("gemma2").score_cap, 50);
  EXPECT_EQ(config_with("gemma2", R"("final_logit_softcapping":null)").logit_cap, 0);
  EXPECT_EQ(config_with("gemma3").score_cap, 0);
  EXPECT_EQ(config_with("gemma2").score_factor, std::nullopt);  // 1 / √256, as usual
  EXPECT_EQ(config_with("gemma2", R"("query_pre_attn_scalar":144)").score_factor, 1.0 / 12);
  const ModelConfig gemma = config_with(
      "gemma3", R"("eos_token_id":[1,106],"text_config":{"num_hidden_layers":7,"sliding_window":512,)"
                R"("rope_scaling":{"rope_type":"linear","factor":8.0}})");
  EXPECT_THAT(gemma.sliding_windows, ElementsAre(512, 512, 512, 512, 512, 0, 512));
  EXPECT_EQ(gemma.rope_of(5)->theta, 1e6);
  EXPECT_EQ(gemma.rope_of(5)->scaling, RopeScaling::linear);
  EXPECT_EQ(gemma.rope_of(4)->theta, 10000);
  EXPECT_EQ(gemma.rope_of(4)->scaling, RopeScaling::none);
  EXPECT_THAT(gemma.eos_tokens, ElementsAre(1, 106));
  EXPECT_EQ(gemma.text_part_of, std::string("Gemma 3"));
  // As transformers' class: the whole model's output has no cap, and its flag says whether it is tied.
  const ModelConfig pali = config_with(
      "paligemma",
      R"("tie_word_embeddings":false,"text_config":{"model_type":"gemma2","tie_word_embeddings":true,)"
      R"("use_bidirectional_attention":true})");
  EXPECT_EQ(pali.family, ModelFamily::gemma2);
  EXPECT_EQ(pali.score_cap, 50);
  EXPECT_EQ(pali.logit_cap, 0);
  EXPECT_FALSE(pali.tie_embeddings);
  EXPECT_TRUE(pali.causal);
  // As transformers' class: the scaling's older name does not count beside two kinds of layers.
  EXPECT_EQ(config_with("gemma3_text", R"("rope_scaling":{"type":"linear","factor":8.0})").rope->scaling,
            RopeScaling::none);
  EXPECT_EQ(config_with("cohere").rope->theta, 500'000);
  EXPECT_EQ(config_with("cohere2").rope->theta, 10'000);
  EXPECT_EQ(config_with("smollm3").rope_of(3), nullptr);
  EXPECT_NE(config_with("smollm3").rope_of(2), nullptr);
  EXPECT_EQ(config_with("cohere2").rope_of(3), nullptr);
  EXPECT_EQ(config_with("cohere2").sliding_windows[2], 4096);
  EXPECT_EQ(config_with("falcon", R"("alibi":true)").position_kind, PositionKind::linear);
  EXPECT_EQ(
      config_with("falcon", R"("n_head_kv":8,"n_head":64,"hidden_size":512,"new_decoder_architecture":true)")
          .decoder.kv_heads,
      8);
  EXPECT_EQ(config_with("RefinedWeb", R"("n_head_kv":8,"n_head":64,"hidden_size":512)").decoder.kv_heads, 8);
  EXPECT_EQ(config_with("falcon", R"("multi_query":false)").decoder.kv_heads, 71);
  EXPECT_EQ(config_with("mixtral").experts->of_token, 2);
  EXPECT_EQ(config_with("mixtral").experts->d_ff, 14336);
  const Experts sparse =
      *config_with(
           "qwen2_moe",
           R"("num_hidden_layers":4,"decoder_sparse_step":2,"mlp_only_layers":[3],"norm_topk_prob":true)")
           .experts;
  EXPECT_THAT(sparse.layers, ElementsAre(false, true, false, false));
  EXPECT_TRUE(sparse.normalized);
  EXPECT_EQ(sparse.count, 60);
  EXPECT_EQ(sparse.shared_d_ff, 5632);
  EXPECT_EQ(config_with("qwen3_moe").experts->shared_d_ff, 0);
  EXPECT_FALSE(config_with("qwen2").experts);
}

TEST(ModelConfigDefaults, of_sinks_and_latent_attention) {
  const ModelConfig gpt_oss = config_with("gpt_oss");
  EXPECT_TRUE(gpt_oss.sinks && gpt_oss.qkv_bias && gpt_oss.output_bias && gpt_oss.experts->biased);
  EXPECT_EQ(gpt_oss.sliding_windows[0], 128);
  EXPECT_EQ(gpt_oss.sliding_windows[1], 0);
  EXPECT_EQ(gpt_oss.rope->scaling, RopeScaling::yarn);
  EXPECT_FALSE(gpt_oss.rope->truncate);
  EXPECT_NEAR(gpt_oss.rope->attention_factor, 1.3465735902799727, 1e-12);
  EXPECT_FALSE(config_with("llama").sinks);
  const ModelConfig v3 = config_with("deepseek_v3");
  EXPECT_EQ(v3.latent->rank, 512);
  EXPECT_EQ(v3.latent->query_rank, 1536);
  EXPECT_EQ(v3.rope->dimensions, 64);
  EXPECT_EQ(v3.rope->first_dimension, 128);
  EXPECT_EQ(v3.experts->shared_d_ff, 2048);
  EXPECT_FALSE(v3.experts->in_layer(2) || v3.score_factor);
  EXPECT_TRUE(v3.experts->in_layer(3) && v3.experts->sigmoid && v3.rope->in_pairs);
  EXPECT_EQ(config_with("deepseek_v2", R"("q_lora_rank":null)").latent->query_rank, 0);
  // Its temperature is that of the scores, too: 0.1 ln 40 + 1, squared.
  const ModelConfig longer = config_with(
      "deepseek_v3",
      R"("rope_scaling":{"type":"yarn","factor":40,"mscale":1,"mscale_all_dim":1,"original_max_position_embeddings":4096})");
  EXPECT_NEAR(*longer.score_factor * std::sqrt(192), std::pow(0.1 * std::log(40) + 1, 2), 1e-9);
  EXPECT_EQ(longer.rope->attention_factor, 1);
}

TEST(ModelConfigDefaults, of_other_mixers) {
  const ModelConfig next = config_with("qwen3_next");
  EXPECT_TRUE(next.gated_heads && next.norm_offset == 1 && next.experts->normalized);
  EXPECT_EQ(next.rope->dimensions, 64);
  EXPECT_FALSE(next.has_attention(2));
  EXPECT_TRUE(next.has_attention(3));
  EXPECT_EQ(next.heads_of(2), 32);
  EXPECT_EQ(next.state_mixer->kind, Mixer::delta_rule);
  EXPECT_EQ(next.state_mixer->channels(), 8192);
  EXPECT_TRUE(config_with("qwen3_next", R"("full_attention_interval":2)").has_attention(1));
  const ModelConfig lfm2 = config_with("lfm2", R"("full_attn_idxs":[2,5],"block_auto_adjust_ff_dim":false)");
  EXPECT_EQ(lfm2.mixer_of(1), Mixer::short_convolution);
  EXPECT_TRUE(lfm2.has_attention(5));
  EXPECT_EQ(lfm2.heads_of(0), 0);
  EXPECT_EQ(lfm2.decoder.d_ff, 12288);
  const ModelConfig falcon = config_with(
      "falcon_h1",
      R"("time_step_limit":[0.0,{"__float__":"Infinity"}],"mamba_d_ssm":null,"mamba_d_head":"auto")");
  EXPECT_TRUE(falcon.mixer_beside && falcon.has_attention(0));
  EXPECT_EQ(falcon.state_mixer->d_v, 64);
  EXPECT_EQ(falcon.state_mixer->largest_step, 0);
  const ModelConfig granite = config_with("granitemoehybrid", R"("num_local_experts":0)");
  EXPECT_EQ(granite.mixer_of(31), Mixer::mamba2);
  EXPECT_EQ(granite.position_kind, PositionKind::none);
  EXPECT_EQ(granite.decoder.d_ff, 1024);
  EXPECT_FALSE(granite.experts);
}

TEST(ModelConfigNames, of_encoders) {
  const ModelConfig albert =
      config_with("albert", R"("num_hidden_layers":4,"num_hidden_groups":2,"inner_group_num":3)");
  EXPECT_THAT(albert.encoder.stored, ElementsAre(0, 1, 2, 0, 1, 2, 3, 4, 5, 3, 4, 5));
  EXPECT_EQ(albert.encoder.layers, 12);
  EXPECT_EQ(albert.embedding_width, 128);
  EXPECT_EQ(config_with("electra", R"("embedding_size":256)").embedding_width, 0);
  EXPECT_EQ(config_with("mpnet", R"("max_position_embeddings":514)").longest(), 512);
  EXPECT_EQ(config_with("mpnet").relative_buckets, 32);
  const ModelConfig modern = config_with("modernbert", R"("num_hidden_layers":5)");
  EXPECT_THAT(modern.sliding_windows, ElementsAre(0, 65, 65, 0, 65));
  EXPECT_EQ(modern.rope_of(3)->theta, 160'000);
  EXPECT_EQ(modern.rope_of(4)->theta, 10'000);
  const ModelConfig stretched = config_with(
      "modernbert", R"("num_hidden_layers":5,"rope_scaling":{"rope_type":"linear","factor":8.0})");
  EXPECT_EQ(stretched.rope_of(3)->scaling, RopeScaling::linear);
  EXPECT_EQ(stretched.rope_of(4)->scaling, RopeScaling::linear);
  EXPECT_EQ(stretched.rope_of(4)->theta, 10'000);
  EXPECT_FALSE(modern.causal || modern.qkv_bias || modern.norm_bias || modern.first_layer_normed);
}

TEST(ModelConfigNames, of_relative_positions) {
  const ModelConfig deberta = config_with(
      "deberta-v2", R"("relative_attention":true,"pos_att_type":"p2c|c2p","position_buckets":256,)"
                    R"("share_att_key":true,"norm_rel_ebd":"layer_norm","position_biased_input":false)");
  const Disentangled& positions = *deberta.disentangled;
  EXPECT_EQ(positions.rows(), 512);
  EXPECT_EQ(positions.terms(), 3);
  EXPECT_TRUE(positions.shared && positions.normed);
  EXPECT_EQ(deberta.position_kind, PositionKind::none);
  EXPECT_EQ(deberta.longest(), std::nullopt);
  EXPECT_NEAR(*deberta.score_factor, 1 / std::sqrt(3.0 * 64), 1e-12);
  for (const auto& [distance, row] : {std::pair<Index, Index>{0, 256},
                                      {128, 384},
                                      {-128, 128},
                                      {1000, 511},
                                      {-1000, 0},
                                      {511, 511},
                                      {-511, 1}})
    EXPECT_EQ(positions.row_of(distance), row) << distance;
  EXPECT_FALSE(config_with("deberta-v2").disentangled);
  const ModelConfig near = config_with(
      "deberta-v2", R"("relative_attention":true,"pos_att_type":["c2p"],"max_relative_positions":5)");
  EXPECT_EQ(near.disentangled->rows(), 10);
  EXPECT_EQ(near.disentangled->row_of(7), 9);
  EXPECT_EQ(near.disentangled->terms(), 2);
  const ModelConfig computed = config_with("xlnet"), clamped = config_with("xlnet", R"("clamp_len":5)");
  EXPECT_EQ(computed.disentangled->rows(), 0);
  EXPECT_EQ(computed.disentangled->row_of(-700), -700);
  EXPECT_EQ(clamped.disentangled->row_of(-7), -5);
  EXPECT_FALSE(computed.causal || computed.longest());
  const ModelConfig uni = config_with("xlnet", R"("attn_type":"uni","same_length":true)");
  EXPECT_TRUE(uni.causal);
  EXPECT_EQ(uni.sliding_windows, std::vector<Index>(24, 1));
  EXPECT_EQ(config_with("xlnet", R"("same_length":true)").sliding_windows, std::vector<Index>(24, 0));
  const ModelConfig funnel = config_with("funnel", R"("block_sizes":[2,1],"block_repeats":[1,3],"d_head":5)");
  EXPECT_EQ(funnel.funnel->layers, (std::vector<Index>{2, 3}));
  EXPECT_EQ(funnel.encoder.layers, 7);
  EXPECT_EQ(funnel.encoder.stored, (std::vector<Index>{0, 1, 2, 2, 2}));
  EXPECT_EQ(funnel.head_dim, 5);
  EXPECT_TRUE(funnel.funnel->pools(2) && !funnel.funnel->pools(3) && !funnel.funnel->pools(5));
  EXPECT_EQ(funnel.funnel->block_of(4), 1);
  EXPECT_EQ(funnel.funnel->block_of(5), 2);
  EXPECT_EQ(config_with("funnel", R"("architectures":["FunnelBaseModel"])").encoder.layers, 12);
  EXPECT_EQ(config_with("m2m_100").embedding_factor, 32);
  EXPECT_EQ(config_with("m2m_100").position_offset, 2);
}

TEST(ModelConfigNames, of_outputs) {
  const auto output = [](const char* type, const char* architecture, const char* fields = R"("a":0)") {
    return config_with(type, fmt::format(R"("architectures":["{}"],{})", architecture, fields)).output;
  };
  EXPECT_EQ(output("bert", "BertForMaskedLM").kind, OutputKind::tokens);
  EXPECT_EQ(output("bert", "BertForPreTraining").kind, OutputKind::tokens);
  EXPECT_EQ(output("bert", "BertForMultipleChoice").kind, OutputKind::tokens);
  EXPECT_EQ(output("electra", "ElectraForPreTraining").kind, OutputKind::replaced);
  const OutputConfig text = output("bert", "BertForSequenceClassification");
  EXPECT_EQ(text.kind, OutputKind::text_label);
  EXPECT_THAT(text.labels, ElementsAre("LABEL_0", "LABEL_1"));
  EXPECT_EQ(text.reads, OutputConfig::Reads::first);
  EXPECT_EQ(output("gpt2", "GPT2ForSequenceClassification").reads, OutputConfig::Reads::last);
  EXPECT_EQ(
      output("modernbert", "ModernBertForSequenceClassification", R"("classifier_pooling":"mean")").reads,
      OutputConfig::Reads::mean);
  EXPECT_THAT(output("gpt2", "GPT2ForTokenClassification", R"("id2label":{"1":"B","0":"A"})").labels,
              ElementsAre("A", "B"));
  EXPECT_THAT(output("roberta", "XLMRobertaForQuestionAnswering").labels, ElementsAre("start", "end"));
  EXPECT_THAT(output("bart", "BartForSequenceClassification").labels, SizeIs(3)) << "BART's default";
  EXPECT_THAT(output("mbart", "MBartForSequenceClassification").labels, SizeIs(2));
  EXPECT_EQ(
      output("bert", "BertForSequenceClassification", R"("problem_type":"multi_label_classification")").scale,
      LabelScale::any);
  EXPECT_EQ(output("gemma2", "Gemma2ForSequenceClassification").kind, OutputKind::text_label);
  const OutputConfig reread = output("bart", "BartForSequenceClassification");
  EXPECT_EQ(reread.kind, OutputKind::text_label);
  EXPECT_EQ(reread.reads, OutputConfig::Reads::end);
  EXPECT_EQ(output("mbart", "MBartForQuestionAnswering").kind, OutputKind::span);
  EXPECT_EQ(output("t5", "MT5ForSequenceClassification").kind, OutputKind::text_label);
  EXPECT_EQ(output("pegasus", "PegasusForSequenceClassification").kind, OutputKind::tokens);
  const auto rereads = [](const char* type, const char* architecture) {
    return config_with(type, fmt::format(R"("architectures":["{}"])", architecture)).rereads();
  };
  EXPECT_TRUE(rereads("bart", "BartForSequenceClassification"));
  EXPECT_FALSE(rereads("bart", "BartForConditionalGeneration"));
  EXPECT_FALSE(rereads("t5", "T5ForTokenClassification")) << "its encoder alone";
  EXPECT_FALSE(rereads("bert", "BertForSequenceClassification"));
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
  const auto scaled = [](const char* fields) { return config_with("t5", fields).output_factor != 1; };
  EXPECT_TRUE(scaled(R"("tie_word_embeddings":true)"));
  EXPECT_FALSE(scaled(R"("tie_word_embeddings":false)"));
  const std::string written_by_version_5 = R"("tie_word_embeddings":true,"scale_decoder_outputs":false)";
  EXPECT_FALSE(scaled(written_by_version_5.c_str()));
  EXPECT_EQ(config_with("mt5", R"("tie_word_embeddings":true)").output_factor, 1)
      << "version 5 always says so";
  EXPECT_TRUE(config_with("llama", R"("tie_word_embeddings":true)").tie_embeddings);
  const ModelConfig gpt2 =
      config_with("gpt2", R"("scale_attn_weights":false,"scale_attn_by_inverse_layer_idx":true)");
  EXPECT_TRUE(!gpt2.scale_scores && gpt2.scale_scores_by_layer);
  EXPECT_EQ(config_with("marian", R"("scale_embedding":true)").embedding_factor, 32);
  EXPECT_TRUE(config_with("bert", R"("is_decoder":true)").causal);
  EXPECT_FALSE(config_with("bert", R"("is_decoder":true,"is_causal":false)").causal);
  EXPECT_FALSE(config_with("albert", R"("is_decoder":true)").causal);  // whose class has no such masks
  EXPECT_FALSE(config_with("mpnet", R"("is_causal":true)").causal);
  EXPECT_FALSE(config_with("llama", R"("is_causal":false)").causal);
  EXPECT_TRUE(config_with("llama", R"("is_decoder":false)").causal);
  EXPECT_TRUE(config_with("gpt_neo", R"("is_causal":false)").causal);
  // To either side: keys up to the window's width away, or less than half of it for EmbeddingGemma.
  EXPECT_EQ(config_with("mistral", R"("is_causal":false,"sliding_window":4)").sliding_windows[0], 5);
  const ModelConfig both =
      config_with("gemma3_text", R"("use_bidirectional_attention":true,"sliding_window":8)");
  EXPECT_FALSE(both.causal);
  EXPECT_EQ(both.sliding_windows[0], 5);
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
      {"qwen2_moe",
       R"("num_hidden_layers":4,"sliding_window":8,"max_window_layers":2,"use_sliding_window":true)",
       {8, 0, 0, 0}},
      {"qwen3_moe", R"("num_hidden_layers":2,"sliding_window":8,"use_sliding_window":true)", {8, 8}},
      {"phi3", R"("num_hidden_layers":2,"sliding_window":8)", {8, 8}},
      {"phi3", R"("num_hidden_layers":2)", {0, 0}},
      {"gemma2", R"("num_hidden_layers":3,"sliding_window":8)", {8, 0, 8}},
      {"cohere2", R"("num_hidden_layers":4,"sliding_window":8,"sliding_window_pattern":2)", {8, 0, 8, 0}},
      {"smollm3", R"("num_hidden_layers":4,"sliding_window":8,"use_sliding_window":true)", {0, 0, 0, 8}},
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
  EXPECT_EQ(rope(R"("partial_rotary_factor":0.5)").dimensions, 128);  // which LLaMA's class ignores
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

}  // namespace headscope::tests
