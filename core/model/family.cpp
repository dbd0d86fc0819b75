#include "core/model/family.h"

namespace headscope {
namespace {

// Radford et al. 2019.
constexpr Family gpt2_family{
    .prefix = "transformer.",
    .norm = Norm::Kind::layer,
    .norm_first = true,
    .input_rows = true,
    .embedding = {.words = {"wte.weight"}, .positions = "wpe.weight"},
    .decoder = {.self = {.o = "h.#.attn.c_proj", .fused = "h.#.attn.c_attn", .norm = "h.#.ln_1"},
                .feed_forward = {.up = "h.#.mlp.c_fc", .down = "h.#.mlp.c_proj", .norm = "h.#.ln_2"},
                .last_norm = "ln_f"},
    .head = {.output = "lm_head.weight"},
};

// Devlin et al. 2019; RoBERTa (Liu et al. 2019) uses the same names for its body.
constexpr EmbeddingNames bert_embedding{.words = {"embeddings.word_embeddings.weight"},
                                        .positions = "embeddings.position_embeddings.weight",
                                        .types = "embeddings.token_type_embeddings.weight"};
constexpr StackNames bert_stack{
    .self = {.q = "encoder.layer.#.attention.self.query",
             .k = "encoder.layer.#.attention.self.key",
             .v = "encoder.layer.#.attention.self.value",
             .o = "encoder.layer.#.attention.output.dense",
             .norm = "encoder.layer.#.attention.output.LayerNorm"},
    .feed_forward = {.up = "encoder.layer.#.intermediate.dense",
                     .down = "encoder.layer.#.output.dense",
                     .norm = "encoder.layer.#.output.LayerNorm"},
    .first_norm = "embeddings.LayerNorm",
};
constexpr Family bert_family{
    .prefix = "bert.",
    .norm_first = false,
    .embedding = bert_embedding,
    .encoder = bert_stack,
    .head = {.transform = "cls.predictions.transform.dense",
             .norm = "cls.predictions.transform.LayerNorm",
             .output = "cls.predictions.decoder.weight",
             .biases = {"cls.predictions.bias", "cls.predictions.decoder.bias"}},
};
constexpr Family roberta_family{
    .prefix = "roberta.",
    .norm_first = false,
    .embedding = bert_embedding,
    .encoder = bert_stack,
    .head = {.transform = "lm_head.dense",
             .norm = "lm_head.layer_norm",
             .output = "lm_head.decoder.weight",
             .biases = {"lm_head.bias", "lm_head.decoder.bias"}},
};

// Sanh et al. 2019.
constexpr Family distilbert_family{
    .prefix = "distilbert.",
    .norm_first = false,
    .embedding = {.words = {"embeddings.word_embeddings.weight"},
                  .positions = "embeddings.position_embeddings.weight"},
    .encoder = {.self = {.q = "transformer.layer.#.attention.q_lin",
                         .k = "transformer.layer.#.attention.k_lin",
                         .v = "transformer.layer.#.attention.v_lin",
                         .o = "transformer.layer.#.attention.out_lin",
                         .norm = "transformer.layer.#.sa_layer_norm"},
                .feed_forward = {.up = "transformer.layer.#.ffn.lin1",
                                 .down = "transformer.layer.#.ffn.lin2",
                                 .norm = "transformer.layer.#.output_layer_norm"},
                .first_norm = "embeddings.LayerNorm"},
    .head = {.transform = "vocab_transform",
             .norm = "vocab_layer_norm",
             .output = "vocab_projector.weight",
             .biases = {"vocab_projector.bias"}},
};

// Touvron et al. 2023, and its successors: Mistral, Qwen2 and, with norms of q and k, Qwen3.
constexpr Family llama_family{
    .prefix = "model.",
    .norm = Norm::Kind::rms,
    .embedding = {.words = {"embed_tokens.weight"}},
    .decoder = {.self = {.q = "layers.#.self_attn.q_proj",
                         .k = "layers.#.self_attn.k_proj",
                         .v = "layers.#.self_attn.v_proj",
                         .o = "layers.#.self_attn.o_proj",
                         .q_norm = "layers.#.self_attn.q_norm",
                         .k_norm = "layers.#.self_attn.k_norm",
                         .norm = "layers.#.input_layernorm"},
                .feed_forward = {.up = "layers.#.mlp.up_proj",
                                 .gate = "layers.#.mlp.gate_proj",
                                 .down = "layers.#.mlp.down_proj",
                                 .other_up = "layers.#.mlp.up_proj",
                                 .norm = "layers.#.post_attention_layernorm"},
                .last_norm = "norm"},
    .head = {.output = "lm_head.weight"},
};

// Raffel et al. 2020.
constexpr Family t5_family{
    .prefix = "",
    .norm = Norm::Kind::rms,
    .embedding = {.words = {"shared.weight", "encoder.embed_tokens.weight", "decoder.embed_tokens.weight"}},
    .encoder = {.self = {.q = "encoder.block.#.layer.0.SelfAttention.q",
                         .k = "encoder.block.#.layer.0.SelfAttention.k",
                         .v = "encoder.block.#.layer.0.SelfAttention.v",
                         .o = "encoder.block.#.layer.0.SelfAttention.o",
                         .norm = "encoder.block.#.layer.0.layer_norm"},
                .feed_forward = {.up = "encoder.block.#.layer.1.DenseReluDense.wi",
                                 .gate = "encoder.block.#.layer.1.DenseReluDense.wi_0",
                                 .down = "encoder.block.#.layer.1.DenseReluDense.wo",
                                 .other_up = "encoder.block.#.layer.1.DenseReluDense.wi_1",
                                 .norm = "encoder.block.#.layer.1.layer_norm"},
                .last_norm = "encoder.final_layer_norm",
                .relative_bias = "encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight"},
    .decoder = {.self = {.q = "decoder.block.#.layer.0.SelfAttention.q",
                         .k = "decoder.block.#.layer.0.SelfAttention.k",
                         .v = "decoder.block.#.layer.0.SelfAttention.v",
                         .o = "decoder.block.#.layer.0.SelfAttention.o",
                         .norm = "decoder.block.#.layer.0.layer_norm"},
                .cross = {.q = "decoder.block.#.layer.1.EncDecAttention.q",
                          .k = "decoder.block.#.layer.1.EncDecAttention.k",
                          .v = "decoder.block.#.layer.1.EncDecAttention.v",
                          .o = "decoder.block.#.layer.1.EncDecAttention.o",
                          .norm = "decoder.block.#.layer.1.layer_norm"},
                .feed_forward = {.up = "decoder.block.#.layer.2.DenseReluDense.wi",
                                 .gate = "decoder.block.#.layer.2.DenseReluDense.wi_0",
                                 .down = "decoder.block.#.layer.2.DenseReluDense.wo",
                                 .other_up = "decoder.block.#.layer.2.DenseReluDense.wi_1",
                                 .norm = "decoder.block.#.layer.2.layer_norm"},
                .last_norm = "decoder.final_layer_norm",
                .relative_bias = "decoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight"},
    .head = {.output = "lm_head.weight"},
};

// Junczys-Dowmunt et al. 2018; a Transformer of Vaswani et al. 2017.
constexpr Family marian_family{
    .prefix = "model.",
    .norm_first = false,
    .embedding = {.words = {"shared.weight", "encoder.embed_tokens.weight", "decoder.embed_tokens.weight"},
                  .decoder_words = "decoder.embed_tokens.weight"},
    .encoder = {.self = {.q = "encoder.layers.#.self_attn.q_proj",
                         .k = "encoder.layers.#.self_attn.k_proj",
                         .v = "encoder.layers.#.self_attn.v_proj",
                         .o = "encoder.layers.#.self_attn.out_proj",
                         .norm = "encoder.layers.#.self_attn_layer_norm"},
                .feed_forward = {.up = "encoder.layers.#.fc1",
                                 .down = "encoder.layers.#.fc2",
                                 .norm = "encoder.layers.#.final_layer_norm"}},
    .decoder = {.self = {.q = "decoder.layers.#.self_attn.q_proj",
                         .k = "decoder.layers.#.self_attn.k_proj",
                         .v = "decoder.layers.#.self_attn.v_proj",
                         .o = "decoder.layers.#.self_attn.out_proj",
                         .norm = "decoder.layers.#.self_attn_layer_norm"},
                .cross = {.q = "decoder.layers.#.encoder_attn.q_proj",
                          .k = "decoder.layers.#.encoder_attn.k_proj",
                          .v = "decoder.layers.#.encoder_attn.v_proj",
                          .o = "decoder.layers.#.encoder_attn.out_proj",
                          .norm = "decoder.layers.#.encoder_attn_layer_norm"},
                .feed_forward = {.up = "decoder.layers.#.fc1",
                                 .down = "decoder.layers.#.fc2",
                                 .norm = "decoder.layers.#.final_layer_norm"}},
    .head = {.output = "lm_head.weight", .biases = {"final_logits_bias"}},
};

// Families with Marian's names and other places of the norms.
constexpr Family with_embedding_norms(Family family) {
  family.encoder.first_norm = "encoder.layernorm_embedding";
  family.decoder.first_norm = "decoder.layernorm_embedding";
  family.embedding.positions = "encoder.embed_positions.weight";
  family.embedding.decoder_positions = "decoder.embed_positions.weight";
  return family;
}
constexpr Family with_norms_first(Family family) {
  family.norm_first = true;
  family.encoder.last_norm = "encoder.layer_norm";
  family.decoder.last_norm = "decoder.layer_norm";
  return family;
}
// Lewis et al. 2020; Liu et al. 2020; Zhang, Zhao et al. 2020.
constexpr Family bart_family = with_embedding_norms(marian_family);
constexpr Family mbart_family = with_norms_first(bart_family);
constexpr Family pegasus_family = with_norms_first(marian_family);

// Black et al. 2021.
constexpr Family gpt_neo_family{
    .prefix = "transformer.",
    .embedding = {.words = {"wte.weight"}, .positions = "wpe.weight"},
    .decoder = {.self = {.q = "h.#.attn.attention.q_proj",
                         .k = "h.#.attn.attention.k_proj",
                         .v = "h.#.attn.attention.v_proj",
                         .o = "h.#.attn.attention.out_proj",
                         .norm = "h.#.ln_1"},
                .feed_forward = {.up = "h.#.mlp.c_fc", .down = "h.#.mlp.c_proj", .norm = "h.#.ln_2"},
                .last_norm = "ln_f"},
    .head = {.output = "lm_head.weight"},
};

// Zhang, Roller et al. 2022.
constexpr Family opt_family{
    .prefix = "model.",
    .embedding = {.words = {"decoder.embed_tokens.weight"}, .positions = "decoder.embed_positions.weight"},
    .decoder = {.self = {.q = "decoder.layers.#.self_attn.q_proj",
                         .k = "decoder.layers.#.self_attn.k_proj",
                         .v = "decoder.layers.#.self_attn.v_proj",
                         .o = "decoder.layers.#.self_attn.out_proj",
                         .norm = "decoder.layers.#.self_attn_layer_norm"},
                .feed_forward = {.up = "decoder.layers.#.fc1",
                                 .down = "decoder.layers.#.fc2",
                                 .norm = "decoder.layers.#.final_layer_norm"},
                .last_norm = "decoder.final_layer_norm"},
    .head = {.output = "lm_head.weight"},
};

}  // namespace

const Family& family_of(ModelFamily family) {
  switch (family) {
    case ModelFamily::gpt2:
      return gpt2_family;
    case ModelFamily::bert:
      return bert_family;
    case ModelFamily::roberta:
      return roberta_family;
    case ModelFamily::distilbert:
      return distilbert_family;
    case ModelFamily::t5:
      return t5_family;
    case ModelFamily::marian:
      return marian_family;
    case ModelFamily::gpt_neo:
      return gpt_neo_family;
    case ModelFamily::opt:
      return opt_family;
    case ModelFamily::bart:
      return bart_family;
    case ModelFamily::mbart:
      return mbart_family;
    case ModelFamily::pegasus:
      return pegasus_family;
    case ModelFamily::llama:
    case ModelFamily::mistral:
    case ModelFamily::qwen2:
    case ModelFamily::qwen3:
      break;
  }
  return llama_family;
}

}  // namespace headscope
