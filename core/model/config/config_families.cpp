#include "core/model/config/config_families.h"

#include <cmath>

#include "core/base/enum_table.h"
#include "core/model/config/config_decoders.h"
#include "core/model/config/config_encoders.h"
#include "core/model/config/config_gemma.h"
#include "core/model/config/config_hybrid.h"
#include "core/model/config/config_llama.h"
#include "core/model/config/config_newer.h"
#include "core/model/config/config_pictures.h"
#include "core/model/config/config_readers.h"

// Each family's defaults are those of its class in transformers (models/*/configuration_*.py), since files
// may omit values equal to them. Alternative names of a field are listed together, the family's own first.

namespace headscope {
namespace {

using Names = ConfigFields::Names;

/// "relu", "gated-gelu", "gated-silu"; newer files repeat this in two more fields, which take precedence.
void read_t5_feed_forward(const ConfigFields& config, const char* fallback, ModelConfig& model) {
  const char* field = "feed_forward_proj";
  const std::string text = config.text({field}, fallback);
  model.gated = text.starts_with("gated-");
  std::string name = model.gated ? text.substr(6) : text;
  if (text == "gated-gelu") name = "gelu_new";
  model.gated = config.flag("is_gated_act", model.gated);
  model.activation = config.has("dense_act_fn") ? read_activation(config, "dense_act_fn", "")
                                                : named_activation(config, field, name.c_str());
}

void read_t5_config(const ConfigFields& config, ModelConfig& model) {
  const std::string type = config.text({"model_type"}, "t5");
  const bool umt5 = type == "umt5", mt5 = type == "mt5" || umt5;
  read_vocabulary(config, mt5 ? 250112 : 32128, model);
  model.d_model = read_width(config, {"d_model", "hidden_size"}, 512);
  model.head_dim = read_width(config, {"d_kv", "head_dim"}, 64);
  LayerStack& encoder = model.encoder;
  encoder.layers = read_layers(config, {"num_layers", "num_hidden_layers"}, mt5 ? 8 : 6);
  encoder.heads = encoder.kv_heads = read_heads(config, {"num_heads", "num_attention_heads"}, mt5 ? 6 : 8);
  encoder.d_ff = read_inner_width(config, {"d_ff"}, mt5 ? 1024 : 2048);
  model.decoder = encoder;
  model.decoder.layers = read_layers(config, {"num_decoder_layers"}, encoder.layers);
  model.position_kind = PositionKind::relative;
  constexpr Index max_buckets = 1 << 16;
  model.relative_buckets = config.whole({"relative_attention_num_buckets"}, 32, 4, max_buckets);
  // Half of the buckets are exact distances; the others are between that and the longest.
  model.relative_max_distance =
      config.whole({"relative_attention_max_distance"}, 128, model.relative_buckets / 2 + 1, max_positions);
  model.relative_bias_of_layers = umt5;
  model.norm_epsilon = read_epsilon(config, {"layer_norm_epsilon"}, 1e-6);
  read_t5_feed_forward(config, mt5 ? "gated-gelu" : "relu", model);
  model.qkv_bias = model.output_bias = model.mlp_bias = false;
  model.scale_scores = false;
  // A file without an output matrix is tied, whatever the flag says; that once said whether the output is
  // scaled. Newer files always set it: T5's have another flag for that, and mT5's output never is.
  const bool scaled = type == "t5"
                          ? config.flag("scale_decoder_outputs", config.flag("tie_word_embeddings", true))
                          : umt5 && config.flag("tie_word_embeddings", true);
  if (scaled) model.output_factor = 1 / std::sqrt(model.d_model);
  model.tie_embeddings = true;
  model.pad_token = 0;
  model.eos_tokens = {1};
  if (model.architecture.ends_with("T5EncoderModel") ||
      model.architecture.ends_with("T5ForTokenClassification"))
    model.decoder = {};
}

/// What a config leaves out.
struct StackSizes {
  Index d_model = 1024, layers = 12, heads = 16, d_ff = 4096;
};

/// Fields shared by Marian, BART and its successors.
void read_marian_like(const ConfigFields& config, Index vocabulary, ModelConfig& model, bool scaled = false,
                      const StackSizes& usual = {}) {
  const Names widths = {"d_model", "hidden_size"};
  read_vocabulary(config, vocabulary, model);
  model.d_model = read_width(config, widths, usual.d_model);
  const Names encoder_heads = {"encoder_attention_heads"}, decoder_heads = {"decoder_attention_heads"};
  model.encoder.layers = read_layers(config, {"encoder_layers"}, usual.layers);
  model.encoder.heads = model.encoder.kv_heads = read_heads(config, encoder_heads, usual.heads);
  model.encoder.d_ff = read_inner_width(config, {"encoder_ffn_dim"}, usual.d_ff);
  model.decoder.layers = read_layers(config, {"decoder_layers"}, usual.layers);
  model.decoder.heads = model.decoder.kv_heads = read_heads(config, decoder_heads, usual.heads);
  model.decoder.d_ff = read_inner_width(config, {"decoder_ffn_dim"}, usual.d_ff);
  config.expect_multiple(widths, model.d_model, encoder_heads, model.encoder.heads);
  config.expect_multiple(widths, model.d_model, decoder_heads, model.decoder.heads);
  model.head_dim = model.d_model / model.decoder.heads;
  model.positions = read_positions(config, {"max_position_embeddings"}, 1024);
  model.activation = read_activation(config, "activation_function", "gelu");
  if (config.flag("scale_embedding", scaled)) model.embedding_factor = std::sqrt(model.d_model);
  model.tie_embeddings = config.flag("tie_word_embeddings", true);
}

/// Its class and mBART's; tokens differ.
void read_bart_like(const ConfigFields& config, ModelConfig& model) {
  read_marian_like(config, 50265, model);
  model.position_offset = table_rows_before;
  model.positions += table_rows_before;
  model.bos_token = 0;
  model.pad_token = 1;
  model.eos_tokens = {2};
  model.forced_eos_token = 2;
}
void read_bart_config(const ConfigFields& config, ModelConfig& model) {
  read_bart_like(config, model);
  model.norm_first = false;
  model.decoder_start_token = 2;
}

void read_mbart_config(const ConfigFields& config, ModelConfig& model) {
  read_bart_like(config, model);
  model.rotates_reread = true;
}

// Beltagy et al. 2020.
void read_led_config(const ConfigFields& config, ModelConfig& model) {
  read_bart_config(config, model);
  model.embedding_factor = 1;
  model.position_offset = 0;
  model.positions = read_positions(config, {"max_encoder_position_embeddings"}, 16384);
  model.decoder_positions = read_positions(config, {"max_decoder_position_embeddings"}, 1024);
  model.encoder_windows = read_attention_windows(config, model.encoder.layers);
  model.has_global_tokens = true;
  model.forced_eos_token.reset();
}

// Zaheer et al. 2020.
void read_bigbird_pegasus_config(const ConfigFields& config, ModelConfig& model) {
  read_marian_like(config, 96103, model, true);
  constexpr Index layers = 16;
  model.encoder.layers = read_layers(config, {"encoder_layers"}, layers);
  model.decoder.layers = read_layers(config, {"decoder_layers"}, layers);
  model.positions = read_positions(config, {"max_position_embeddings"}, 4096);
  model.activation = read_activation(config, "activation_function", "gelu_new");
  model.qkv_bias = model.output_bias = config.flag("use_bias", false);
  model.block_sparse = read_block_sparse(config);
  model.pad_token = 0;
  model.bos_token = model.decoder_start_token = 2;
  model.eos_tokens = {1};
}

void read_pegasus_config(const ConfigFields& config, ModelConfig& model) {
  read_marian_like(config, 50265, model);
  model.position_kind = PositionKind::sinusoidal;
  model.pad_token = model.decoder_start_token = 0;
  model.eos_tokens = {1};
  model.forced_eos_token = 1;
}

// Fan et al. 2021; NLLB Team 2022.
void read_m2m_100_config(const ConfigFields& config, ModelConfig& model) {
  read_marian_like(config, 128112, model, true);
  model.activation = read_activation(config, "activation_function", "relu");
  model.position_kind = PositionKind::sinusoidal;
  model.sinusoid_to_end = true;
  model.bos_token = 0;
  model.pad_token = 1;
  model.eos_tokens = {2};
  model.decoder_start_token = 2;
  // Counted from after the padding's, which has none.
  const std::optional<Index> pad = config.token("pad_token_id", 1);
  if (!pad) throw config.wrong("{}: {} is {}; expected the number of a token", "pad_token_id");
  model.position_offset = *pad + 1;
  model.padding_has_own_position = true;
}

// Radford et al. 2023. Its classes do not scale embeddings, whatever scale_embedding says.
void read_whisper_config(const ConfigFields& config, ModelConfig& model) {
  read_marian_like(config, 51865, model, false, {384, 4, 6, 1536});
  model.embedding_factor = 1;
  model.key_bias = false;
  model.positions = read_positions(config, {"max_source_positions"}, 1500);
  model.decoder_positions = read_positions(config, {"max_target_positions"}, 448);
  constexpr Index bands = 80, most = 1 << 12, frames_of_token = 2;
  model.sound = SoundInput{frames_of_token * model.positions, config.whole({"num_mel_bins"}, bands, 1, most)};
  model.pad_token = model.bos_token = 50256;
  model.eos_tokens = {50256};
  model.decoder_start_token = 50257;
  model.never_generated = config.tokens("suppress_tokens");
}

void read_marian_config(const ConfigFields& config, ModelConfig& model) {
  read_marian_like(config, 58101, model);
  model.norm_first = false;
  model.decoder_vocabulary = read_token_count(config, {"decoder_vocab_size"}, model.vocabulary);
  model.shared_embeddings = config.flag("share_encoder_decoder_embeddings", true);
  model.position_kind = PositionKind::sinusoidal;
  model.pad_token = 58100;
  model.decoder_start_token = 58100;
  model.eos_tokens = {0};
  model.forced_eos_token = 0;
}

}  // namespace

std::span<const ConfigFamily> config_families() {
  static constexpr ConfigFamily rows[] = {
      {ModelFamily::gpt2, "GPT-2", "gpt2", "GPT2", read_gpt2_config},
      {ModelFamily::bert, "BERT", "bert,ernie", "Bert,Ernie", read_bert_config},
      {ModelFamily::distilbert, "DistilBERT", "distilbert", "DistilBert", read_distilbert_config},
      {ModelFamily::roberta, "RoBERTa", "roberta,xlm-roberta,camembert,data2vec-text",
       "Roberta,XLMRoberta,Camembert,Data2VecText", read_roberta_config},
      {ModelFamily::llama, "LLaMA", "llama", "Llama", read_llama_config},
      {ModelFamily::mistral, "Mistral", "mistral,ministral3", "Mistral,Ministral3", read_mistral_config},
      {ModelFamily::qwen2, "Qwen2", "qwen2", "Qwen2", read_qwen2_config},
      {ModelFamily::qwen3, "Qwen3", "qwen3", "Qwen3", read_qwen3_config},
      {ModelFamily::t5, "T5", "t5,mt5,umt5", "T5,MT5,UMT5", read_t5_config},
      {ModelFamily::marian, "Marian", "marian", "Marian", read_marian_config},
      {ModelFamily::gpt_neo, "GPT-Neo", "gpt_neo", "GPTNeo", read_gpt_neo_config},
      {ModelFamily::opt, "OPT", "opt", "OPT", read_opt_config},
      {ModelFamily::bart, "BART", "bart", "Bart", read_bart_config},
      {ModelFamily::mbart, "mBART", "mbart", "MBart", read_mbart_config},
      {ModelFamily::pegasus, "PEGASUS", "pegasus", "Pegasus", read_pegasus_config},
      {ModelFamily::gpt_neox, "GPT-NeoX", "gpt_neox", "GPTNeoX", read_gpt_neox_config},
      {ModelFamily::phi, "Phi", "phi", "Phi", read_phi_config},
      {ModelFamily::stablelm, "StableLM", "stablelm,stablelm_epoch", "StableLm", read_stablelm_config},
      {ModelFamily::gptj, "GPT-J", "gptj", "GPTJ", read_gptj_config},
      {ModelFamily::gemma, "Gemma", "gemma", "Gemma", read_gemma_config},
      {ModelFamily::gemma2, "Gemma 2", "gemma2", "Gemma2", read_gemma2_config},
      {ModelFamily::gemma3, "Gemma 3", "gemma3_text", "Gemma3", read_gemma3_config},
      {ModelFamily::gemma3n, "Gemma 3n", "gemma3n_text", "Gemma3n", read_gemma3n_config},
      {ModelFamily::gemma4, "Gemma 4", "gemma4_text,gemma4_unified_text", "Gemma4,Gemma4Unified",
       read_gemma4_config},
      {ModelFamily::olmo, "OLMo", "olmo", "Olmo", read_olmo_config},
      {ModelFamily::olmo2, "OLMo 2", "olmo2", "Olmo2", read_olmo2_config},
      {ModelFamily::granite, "Granite", "granite", "Granite", read_granite_config},
      {ModelFamily::smollm3, "SmolLM 3", "smollm3", "SmolLM3", read_smollm3_config},
      {ModelFamily::phi3, "Phi-3", "phi3", "Phi3", read_phi3_config},
      {ModelFamily::cohere, "Cohere", "cohere", "Cohere", read_cohere_config},
      {ModelFamily::cohere2, "Cohere 2", "cohere2", "Cohere2", read_cohere2_config},
      {ModelFamily::bloom, "BLOOM", "bloom", "Bloom", read_bloom_config},
      {ModelFamily::falcon, "Falcon", "falcon,RefinedWeb,RefinedWebModel", "Falcon", read_falcon_config},
      {ModelFamily::mixtral, "Mixtral", "mixtral", "Mixtral", read_mixtral_config},
      {ModelFamily::qwen2_moe, "Qwen2-MoE", "qwen2_moe", "Qwen2Moe", read_qwen2_moe_config},
      {ModelFamily::qwen3_moe, "Qwen3-MoE", "qwen3_moe", "Qwen3Moe", read_qwen3_moe_config},
      {ModelFamily::arcee, "Arcee", "arcee", "Arcee", read_arcee_config},
      {ModelFamily::seed_oss, "Seed-OSS", "seed_oss", "SeedOss", read_seed_oss_config},
      {ModelFamily::ernie, "ERNIE 4.5", "ernie4_5", "Ernie4_5", read_ernie_config},
      {ModelFamily::helium, "Helium", "helium", "Helium", read_helium_config},
      {ModelFamily::cwm, "CWM", "cwm", "Cwm", read_cwm_config},
      {ModelFamily::glm, "GLM", "glm", "Glm", read_glm_config},
      {ModelFamily::glm4, "GLM 4", "glm4", "Glm4", read_glm_config},
      {ModelFamily::starcoder2, "StarCoder 2", "starcoder2", "Starcoder2", read_starcoder2_config},
      {ModelFamily::olmo3, "OLMo 3", "olmo3", "Olmo3", read_olmo3_config},
      {ModelFamily::olmoe, "OLMoE", "olmoe", "Olmoe", read_olmoe_config},
      {ModelFamily::exaone4, "EXAONE 4", "exaone4", "Exaone4", read_exaone4_config},
      {ModelFamily::nemotron, "Nemotron", "nemotron", "Nemotron", read_nemotron_config},
      {ModelFamily::granite_moe, "Granite MoE", "granitemoe", "GraniteMoe", read_granite_moe_config},
      {ModelFamily::biogpt, "BioGPT", "biogpt", "BioGpt", read_biogpt_config},
      {ModelFamily::xglm, "XGLM", "xglm", "XGLM", read_xglm_config},
      {ModelFamily::phimoe, "Phi-MoE", "phimoe", "Phimoe", read_phimoe_config},
      {ModelFamily::mpt, "MPT", "mpt", "Mpt", read_mpt_config},
      {ModelFamily::codegen, "CodeGen", "codegen", "CodeGen", read_codegen_config},
      {ModelFamily::openai_gpt, "GPT", "openai-gpt", "OpenAIGPT", read_openai_gpt_config},
      {ModelFamily::gpt_oss, "gpt-oss", "gpt_oss", "GptOss", read_gpt_oss_config},
      {ModelFamily::deepseek_v2, "DeepSeek-V2", "deepseek_v2", "DeepseekV2", read_deepseek_v2_config},
      {ModelFamily::deepseek_v3, "DeepSeek-V3", "deepseek_v3", "DeepseekV3", read_deepseek_v3_config},
      {ModelFamily::qwen3_next, "Qwen3-Next", "qwen3_next", "Qwen3Next", read_qwen3_next_config},
      {ModelFamily::qwen3_5, "Qwen3.5", "qwen3_5_text,qwen3_5_moe_text",
       "Qwen3_5,Qwen3_5Text,Qwen3_5Moe,Qwen3_5MoeText", read_qwen3_5_config},
      {ModelFamily::lfm2, "LFM2", "lfm2", "Lfm2", read_lfm2_config},
      {ModelFamily::falcon_h1, "Falcon-H1", "falcon_h1", "FalconH1", read_falcon_h1_config},
      {ModelFamily::granite_hybrid, "Granite 4 hybrid", "granitemoehybrid", "GraniteMoeHybrid",
       read_granite_hybrid_config},
      {ModelFamily::albert, "ALBERT", "albert", "Albert", read_albert_config},
      {ModelFamily::electra, "ELECTRA", "electra", "Electra", read_electra_config},
      {ModelFamily::mpnet, "MPNet", "mpnet", "MPNet", read_mpnet_config},
      {ModelFamily::modernbert, "ModernBERT", "modernbert", "ModernBert", read_modernbert_config},
      {ModelFamily::esm, "ESM", "esm", "Esm", read_esm_config},
      {ModelFamily::nomic_bert, "Nomic BERT", "nomic_bert", "NomicBert", read_nomic_bert_config},
      {ModelFamily::eurobert, "EuroBERT", "eurobert", "EuroBert", read_eurobert_config},
      {ModelFamily::rembert, "RemBERT", "rembert", "RemBert", read_rembert_config},
      {ModelFamily::dpr, "DPR", "dpr", "DPRContext,DPRQuestion", read_dpr_config},
      {ModelFamily::deberta_v1, "DeBERTa", "deberta", "Deberta", read_deberta_v1_config},
      {ModelFamily::deberta, "DeBERTa-v2", "deberta-v2", "DebertaV2", read_deberta_config},
      {ModelFamily::xlnet, "XLNet", "xlnet", "XLNet", read_xlnet_config},
      {ModelFamily::funnel, "Funnel", "funnel", "Funnel", read_funnel_config},
      {ModelFamily::longformer, "Longformer", "longformer", "Longformer", read_longformer_config},
      {ModelFamily::bigbird, "BigBird", "big_bird", "BigBird", read_bigbird_config},
      {ModelFamily::led, "LED", "led", "LED", read_led_config},
      {ModelFamily::bigbird_pegasus, "BigBird-Pegasus", "bigbird_pegasus", "BigBirdPegasus",
       read_bigbird_pegasus_config},
      {ModelFamily::m2m_100, "M2M-100", "m2m_100", "M2M100", read_m2m_100_config},
      {ModelFamily::whisper, "Whisper", "whisper", "Whisper", read_whisper_config},
      {ModelFamily::vit, "ViT", "vit,vit_msn,vit_mae,ijepa", "ViT,ViTMSN,ViTMAE,IJepa", read_vit_config},
      {ModelFamily::deit, "DeiT", "deit", "DeiT", read_deit_config},
      {ModelFamily::dinov2, "DINOv2", "dinov2,dinov2_with_registers", "Dinov2", read_dinov2_config},
      {ModelFamily::dinov3, "DINOv3", "dinov3_vit", "DINOv3ViT", read_dinov3_config},
      {ModelFamily::beit, "BEiT", "beit", "Beit", read_beit_config},
      {ModelFamily::clip, "CLIP", "clip,clip_vision_model", "CLIP", read_clip_config},
      {ModelFamily::clip_text, TR("CLIP's text model"), "clip_text_model", "CLIPText", read_clip_text_config},
      {ModelFamily::siglip, "SigLIP", "siglip,siglip_vision_model", "Siglip", read_siglip_config},
      {ModelFamily::siglip2, "SigLIP 2", "siglip2,siglip2_vision_model", "Siglip2", read_siglip2_config},
      {ModelFamily::siglip_text, TR("SigLIP's text model"), "siglip_text_model,siglip2_text_model",
       "SiglipText", read_siglip_text_config}};
  return rows;
}

std::span<const PictureTextModel> picture_text_models() {
  static constexpr PictureTextModel rows[] = {
      {"Gemma 3", "gemma3", "Gemma3", "gemma3_text", read_gemma3_config},
      {"Gemma 3n", "gemma3n", "Gemma3n", "gemma3n_text", nullptr, 0, true},
      {"Gemma 4", "gemma4", "Gemma4", "gemma4_text", nullptr, 0, true},
      {"Gemma 4 unified", "gemma4_unified", "Gemma4Unified", "gemma4_unified_text",
       read_gemma4_unified_config, 0, true},
      {"Qwen2-VL", "qwen2_vl", "Qwen2VL", "qwen2", read_qwen2_vl_config},
      {"Qwen2.5-VL", "qwen2_5_vl", "Qwen2_5_VL", "qwen2", read_qwen2_vl_config},
      {"Qwen3-VL", "qwen3_vl", "Qwen3VL", "qwen3", read_qwen3_vl_config},
      {"Qwen3.5", "qwen3_5", "Qwen3_5", "qwen3_5_text"},
      {"Qwen3.5-MoE", "qwen3_5_moe", "Qwen3_5Moe", "qwen3_5_moe_text"},
      {"LLaVA", "llava", "Llava", "llama"},
      {"LLaVA-NeXT", "llava_next", "LlavaNext", "llama"},
      {"LLaVA-OneVision", "llava_onevision", "LlavaOnevision", "qwen2"},
      {"PaliGemma", "paligemma", "PaliGemma", "gemma", nullptr, 1},
      {"InternVL", "internvl", "InternVL", "qwen2"},
      {"SmolVLM", "smolvlm", "SmolVLM", "llama"},
      {"Idefics 3", "idefics3", "Idefics3", "llama"},
      {"Mistral 3", "mistral3", "Mistral3", "mistral"}};
  return rows;
}

const char* to_name(ModelFamily family) {
  return of_kind(config_families(), family).name;
}

const char* to_name(const ModelConfig& config) {
  return config.own_name != nullptr ? config.own_name : to_name(config.family);
}

}  // namespace headscope
