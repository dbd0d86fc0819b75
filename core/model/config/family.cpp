#include "core/model/config/family.h"

namespace headscope {
namespace {

// Radford et al. 2019.
constexpr Family gpt2_family{
    .prefix = "transformer.",
    .norm = Norm::Kind::layer,
    .input_rows = true,
    .embedding = {.words = {"wte.weight"}, .positions = "wpe.weight"},
    .decoder = {.self = {.o = "h.#.attn.c_proj", .fused = "h.#.attn.c_attn", .norm = "h.#.ln_1"},
                .feed_forward = {.up = "h.#.mlp.c_fc", .down = "h.#.mlp.c_proj", .norm = "h.#.ln_2"},
                .last_norm = "ln_f"},
    .head = {.output = "lm_head.weight"},
};

// Radford et al. 2018.
constexpr Family openai_gpt_names() {
  Family family = gpt2_family;
  family.embedding.words = {"tokens_embed.weight"};
  family.embedding.positions = "positions_embed.weight";
  return family;
}
constexpr Family openai_gpt_family = openai_gpt_names();

// Heads of labels. What BERT-like models call alike, and what decoders do.
constexpr HeadNames classifier{.output = "classifier.weight", .biases = {"classifier.bias"}};
constexpr HeadNames answer{.output = "qa_outputs.weight", .biases = {"qa_outputs.bias"}};
constexpr HeadNames score{.output = "score.weight",
                          .other_output = "classifier.weight",
                          .biases = {"score.bias", "classifier.bias"}};
// Of encoder–decoders, on the decoder's output.
constexpr HeadNames text_classifier{.transform = "classification_head.dense",
                                    .activation = Activation::tanh,
                                    .output = "classification_head.out_proj.weight",
                                    .biases = {"classification_head.out_proj.bias"}};
/// One product more before the last one.
constexpr HeadNames classifier_after(std::string_view transform, Activation activation) {
  HeadNames names = classifier;
  names.transform = transform;
  names.activation = activation;
  return names;
}
constexpr HeadNames classifier_after_pooler(std::string_view pooler) {
  HeadNames names = classifier_after(pooler, Activation::tanh);
  names.body_transform = true;
  return names;
}
constexpr HeadNames two_products(Activation activation) {
  return {.transform = "classifier.dense",
          .activation = activation,
          .output = "classifier.out_proj.weight",
          .biases = {"classifier.out_proj.bias"}};
}

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
    .other_prefixes = {"ernie."},
    .embedding = bert_embedding,
    .encoder = bert_stack,
    .head = {.transform = "cls.predictions.transform.dense",
             .norm = "cls.predictions.transform.LayerNorm",
             .output = "cls.predictions.decoder.weight",
             .biases = {"cls.predictions.decoder.bias", "cls.predictions.bias"}},
    .text_label = classifier_after_pooler("pooler.dense"),
    .token_label = classifier,
    .span = answer,
};
constexpr Family roberta_family{
    .prefix = "roberta.",
    .other_prefixes = {"data2vec_text."},
    .embedding = bert_embedding,
    .encoder = bert_stack,
    .head = {.transform = "lm_head.dense",
             .norm = "lm_head.layer_norm",
             .output = "lm_head.decoder.weight",
             .biases = {"lm_head.decoder.bias", "lm_head.bias"}},
    .text_label = two_products(Activation::tanh),
    .token_label = classifier,
    .span = answer,
};

// Beltagy et al. 2020.
constexpr Family longformer_names() {
  Family family = roberta_family;
  family.prefix = "longformer.";
  family.encoder.self.q_global = "encoder.layer.#.attention.self.query_global";
  family.encoder.self.k_global = "encoder.layer.#.attention.self.key_global";
  family.encoder.self.v_global = "encoder.layer.#.attention.self.value_global";
  return family;
}
constexpr Family longformer_family = longformer_names();

// Zaheer et al. 2020.
constexpr Family bigbird_names() {
  Family family = bert_family;
  family.text_label = {.transform = "classifier.dense",
                       .output = "classifier.out_proj.weight",
                       .biases = {"classifier.out_proj.bias"}};
  family.span = {.network = {.up = "qa_classifier.intermediate.dense",
                             .down = "qa_classifier.output.dense",
                             .norm = "qa_classifier.output.LayerNorm"},
                 .output = "qa_classifier.qa_outputs.weight",
                 .biases = {"qa_classifier.qa_outputs.bias"}};
  return family;
}
constexpr Family bigbird_family = bigbird_names();

// Lan et al. 2020.
constexpr Family albert_family{
    .prefix = "albert.",
    .embedding = {.words = {"embeddings.word_embeddings.weight"},
                  .positions = "embeddings.position_embeddings.weight",
                  .types = "embeddings.token_type_embeddings.weight",
                  .project_in = "encoder.embedding_hidden_mapping_in"},
    .encoder = {.self = {.q = "encoder.albert_layer_groups.#.albert_layers.%.attention.query",
                         .k = "encoder.albert_layer_groups.#.albert_layers.%.attention.key",
                         .v = "encoder.albert_layer_groups.#.albert_layers.%.attention.value",
                         .o = "encoder.albert_layer_groups.#.albert_layers.%.attention.dense",
                         .norm = "encoder.albert_layer_groups.#.albert_layers.%.attention.LayerNorm"},
                .feed_forward = {.up = "encoder.albert_layer_groups.#.albert_layers.%.ffn",
                                 .down = "encoder.albert_layer_groups.#.albert_layers.%.ffn_output",
                                 .norm = "encoder.albert_layer_groups.#.albert_layers.%."
                                         "full_layer_layer_norm"},
                .first_norm = "embeddings.LayerNorm"},
    .head = {.transform = "predictions.dense",
             .norm = "predictions.LayerNorm",
             .output = "predictions.decoder.weight",
             .biases = {"predictions.decoder.bias", "predictions.bias"}},
    .text_label = classifier_after_pooler("pooler"),
    .token_label = classifier,
    .span = answer,
};

// Clark et al. 2020.
constexpr EmbeddingNames with_projection(EmbeddingNames names, std::string_view projection) {
  names.project_in = projection;
  return names;
}
constexpr Family electra_family{
    .prefix = "electra.",
    .embedding = with_projection(bert_embedding, "embeddings_project"),
    .encoder = bert_stack,
    .head = {.transform = "generator_predictions.dense",
             .norm = "generator_predictions.LayerNorm",
             .output = "generator_lm_head.weight",
             .biases = {"generator_lm_head.bias"}},
    .text_label = two_products(Activation::gelu),
    .token_label = classifier,
    .span = answer,
    .replaced = {.transform = "discriminator_predictions.dense",
                 .output = "discriminator_predictions.dense_prediction.weight",
                 .biases = {"discriminator_predictions.dense_prediction.bias"}},
};

// Song et al. 2020.
constexpr StackNames mpnet_stack() {
  StackNames names = bert_stack;
  names.self = {.q = "encoder.layer.#.attention.attn.q",
                .k = "encoder.layer.#.attention.attn.k",
                .v = "encoder.layer.#.attention.attn.v",
                .o = "encoder.layer.#.attention.attn.o",
                .norm = "encoder.layer.#.attention.LayerNorm"};
  names.relative_bias = "encoder.relative_attention_bias.weight";
  return names;
}
constexpr Family mpnet_family{
    .prefix = "mpnet.",
    .embedding = bert_embedding,
    .encoder = mpnet_stack(),
    .head = roberta_family.head,
    .text_label = two_products(Activation::tanh),
    .token_label = classifier,
    .span = answer,
};

// He et al. 2021; He et al. 2023.
constexpr StackNames deberta_stack() {
  StackNames names = bert_stack;
  names.self.q = "encoder.layer.#.attention.self.query_proj";
  names.self.k = "encoder.layer.#.attention.self.key_proj";
  names.self.v = "encoder.layer.#.attention.self.value_proj";
  names.self.position_q = "encoder.layer.#.attention.self.pos_query_proj";
  names.self.position_k = "encoder.layer.#.attention.self.pos_key_proj";
  names.positions = "encoder.rel_embeddings.weight";
  names.positions_norm = "encoder.LayerNorm";
  names.convolution = "encoder.conv.conv";
  names.convolution_norm = "encoder.conv.LayerNorm";
  return names;
}
constexpr Family deberta_family{
    .prefix = "deberta.",
    .embedding = bert_embedding,
    .encoder = deberta_stack(),
    .head = bert_family.head,
    .text_label = classifier_after("pooler.dense", Activation::gelu),
    .token_label = classifier,
    .span = answer,
};

constexpr Family deberta_newer_names() {
  Family family = deberta_family;
  family.head = {.transform = "lm_predictions.lm_head.dense",
                 .norm = "lm_predictions.lm_head.LayerNorm",
                 .biases = {"lm_predictions.lm_head.bias"}};
  return family;
}
constexpr Family deberta_newer_family = deberta_newer_names();

constexpr Family deberta_v1_names(Family family) {
  AttentionNames& names = family.encoder.self;
  names.q = names.k = names.v = {};
  names.fused = "encoder.layer.#.attention.self.in_proj";
  names.q_bias = "encoder.layer.#.attention.self.q_bias";
  names.v_bias = "encoder.layer.#.attention.self.v_bias";
  names.position_q = "encoder.layer.#.attention.self.pos_q_proj";
  names.position_k = "encoder.layer.#.attention.self.pos_proj";
  return family;
}
constexpr Family deberta_v1_family = deberta_v1_names(deberta_family),
                 deberta_v1_newer_family = deberta_v1_names(deberta_newer_family);

// Yang et al. 2019.
constexpr Family xlnet_family{
    .prefix = "transformer.",
    .embedding = {.words = {"word_embedding.weight"}},
    .encoder = {.self = {.q = "layer.#.rel_attn.q",
                         .k = "layer.#.rel_attn.k",
                         .v = "layer.#.rel_attn.v",
                         .o = "layer.#.rel_attn.o",
                         .q_bias = "layer.#.rel_attn.r_w_bias",
                         .norm = "layer.#.rel_attn.layer_norm",
                         .position_k = "layer.#.rel_attn.r",
                         .position_bias = "layer.#.rel_attn.r_r_bias",
                         .segment_bias = "layer.#.rel_attn.r_s_bias",
                         .segments = "layer.#.rel_attn.seg_embed"},
                .feed_forward = {.up = "layer.#.ff.layer_1",
                                 .down = "layer.#.ff.layer_2",
                                 .norm = "layer.#.ff.layer_norm"}},
    .head = {.output = "lm_loss.weight", .biases = {"lm_loss.bias"}},
    .text_label = {.transform = "sequence_summary.summary",
                   .output = "logits_proj.weight",
                   .biases = {"logits_proj.bias"}},
    .token_label = classifier,
    .span = answer,
};

// Dai et al. 2020.
constexpr StackNames funnel_stack{
    .self = {.q = "encoder.blocks.#.%.attention.q_head",
             .k = "encoder.blocks.#.%.attention.k_head",
             .v = "encoder.blocks.#.%.attention.v_head",
             .o = "encoder.blocks.#.%.attention.post_proj",
             .q_bias = "encoder.blocks.#.%.attention.r_w_bias",
             .norm = "encoder.blocks.#.%.attention.layer_norm",
             .position_k = "encoder.blocks.#.%.attention.r_kernel",
             .position_bias = "encoder.blocks.#.%.attention.r_r_bias",
             .segment_bias = "encoder.blocks.#.%.attention.r_s_bias",
             .segments = "encoder.blocks.#.%.attention.seg_embed"},
    .feed_forward = {.up = "encoder.blocks.#.%.ffn.linear_1",
                     .down = "encoder.blocks.#.%.ffn.linear_2",
                     .norm = "encoder.blocks.#.%.ffn.layer_norm"},
    .first_norm = "embeddings.layer_norm",
};
constexpr StackNames funnel_upsampled_stack{
    .self = {.q = "decoder.layers.%.attention.q_head",
             .k = "decoder.layers.%.attention.k_head",
             .v = "decoder.layers.%.attention.v_head",
             .o = "decoder.layers.%.attention.post_proj",
             .q_bias = "decoder.layers.%.attention.r_w_bias",
             .norm = "decoder.layers.%.attention.layer_norm",
             .position_k = "decoder.layers.%.attention.r_kernel",
             .position_bias = "decoder.layers.%.attention.r_r_bias",
             .segment_bias = "decoder.layers.%.attention.r_s_bias",
             .segments = "decoder.layers.%.attention.seg_embed"},
    .feed_forward = {.up = "decoder.layers.%.ffn.linear_1",
                     .down = "decoder.layers.%.ffn.linear_2",
                     .norm = "decoder.layers.%.ffn.layer_norm"},
};
constexpr Family funnel_family{
    .prefix = "funnel.",
    .embedding = {.words = {"embeddings.word_embeddings.weight"}},
    .encoder = funnel_stack,
    .decoder = funnel_upsampled_stack,
    .head = {.output = "lm_head.weight", .biases = {"lm_head.bias"}},
    .text_label = {.transform = "classifier.linear_hidden",
                   .output = "classifier.linear_out.weight",
                   .biases = {"classifier.linear_out.bias"}},
    .token_label = classifier,
    .span = answer,
    .replaced = {.transform = "discriminator_predictions.dense",
                 .output = "discriminator_predictions.dense_prediction.weight",
                 .biases = {"discriminator_predictions.dense_prediction.bias"}},
};

// Warner et al. 2024.
constexpr HeadNames modernbert_labels{.transform = "head.dense",
                                      .norm = "head.norm",
                                      .output = "classifier.weight",
                                      .biases = {"classifier.bias"}};
constexpr Family modernbert_family{
    .prefix = "model.",
    .embedding = {.words = {"embeddings.tok_embeddings.weight"}},
    .encoder =
        {.self = {.o = "layers.#.attn.Wo", .fused = "layers.#.attn.Wqkv", .norm = "layers.#.attn_norm"},
         .feed_forward = {.down = "layers.#.mlp.Wo", .fused = "layers.#.mlp.Wi", .norm = "layers.#.mlp_norm"},
         .first_norm = "embeddings.norm",
         .last_norm = "final_norm"},
    .head = {.transform = "head.dense",
             .norm = "head.norm",
             .output = "decoder.weight",
             .biases = {"decoder.bias"}},
    .text_label = modernbert_labels,
    .token_label = modernbert_labels,
    .span = modernbert_labels,
};

constexpr Family esm_names() {
  Family family = roberta_family;
  family.prefix = "esm.";
  family.other_prefixes = {};
  family.embedding.types = {};
  family.encoder.self.norm = "encoder.layer.#.attention.LayerNorm";
  family.encoder.feed_forward.norm = "encoder.layer.#.LayerNorm";
  family.encoder.first_norm = "embeddings.layer_norm";
  family.encoder.last_norm = "encoder.emb_layer_norm_after";
  return family;
}
constexpr Family esm_family = esm_names();

// Nussbaum et al. 2024.
constexpr Family nomic_bert_family{
    .prefix = "nomic_bert.",
    .embedding = {.words = {"embeddings.word_embeddings.weight"},
                  .types = "embeddings.token_type_embeddings.weight"},
    .encoder = {.self = {.o = "encoder.layers.#.attn.out_proj",
                         .fused = "encoder.layers.#.attn.Wqkv",
                         .norm = "encoder.layers.#.norm1"},
                .feed_forward = {.gate = "encoder.layers.#.mlp.fc12",
                                 .down = "encoder.layers.#.mlp.fc2",
                                 .other_up = "encoder.layers.#.mlp.fc11",
                                 .norm = "encoder.layers.#.norm2"},
                .first_norm = "emb_ln"},
    .head = {.transform = "cls.predictions.transform.dense",
             .norm = "cls.predictions.transform.layer_norm",
             .output = "cls.predictions.decoder.weight",
             .biases = {"cls.predictions.decoder.bias", "cls.predictions.bias"}},
    .text_label = classifier_after_pooler("pooler.dense"),
    .token_label = classifier,
};

// Chung et al. 2021.
constexpr Family rembert_names() {
  Family family = bert_family;
  family.prefix = "rembert.";
  family.other_prefixes = {};
  family.embedding.project_in = "encoder.embedding_hidden_mapping_in";
  family.head = {.transform = "cls.predictions.dense",
                 .norm = "cls.predictions.LayerNorm",
                 .output = "cls.predictions.decoder.weight",
                 .biases = {"cls.predictions.decoder.bias"}};
  return family;
}
constexpr Family rembert_family = rembert_names();

// Karpukhin et al. 2020.
constexpr Family dpr_names() {
  Family family = bert_family;
  family.prefix = "ctx_encoder.bert_model.";
  family.other_prefixes = {"question_encoder.bert_model.", "span_predictor.encoder.bert_model."};
  family.head = family.text_label = family.token_label = {};
  family.span = {.output = "span_predictor.qa_outputs.weight", .biases = {"span_predictor.qa_outputs.bias"}};
  return family;
}
constexpr Family dpr_family = dpr_names();

// Sanh et al. 2019.
constexpr Family distilbert_family{
    .prefix = "distilbert.",
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
    .text_label = classifier_after("pre_classifier", Activation::relu),
    .token_label = classifier,
    .span = answer,
};

// Touvron et al. 2023, and its successors: Mistral, Qwen2 and, with norms of q and k, Qwen3. Classes that
// answer questions call the body "transformer".
constexpr Family llama_family{
    .prefix = "model.",
    .other_prefixes = {"transformer."},
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

// Boizard et al. 2025.
constexpr Family eurobert_names() {
  Family family = llama_family;
  family.other_prefixes = {};
  family.encoder = family.decoder;
  family.decoder = {};
  family.head.biases = {"lm_head.bias"};
  family.text_label = classifier_after("dense", Activation::gelu);
  family.token_label = classifier;
  return family;
}
constexpr Family eurobert_family = eurobert_names();

// Raffel et al. 2020.
constexpr Family t5_family{
    .prefix = "",
    .other_prefixes = {"transformer."},
    .norm = Norm::Kind::rms,
    .embedding = {.words = {"encoder.embed_tokens.weight", "shared.weight", "decoder.embed_tokens.weight"},
                  .decoder_words = "decoder.embed_tokens.weight"},
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
                .relative_bias = "encoder.block.#.layer.0.SelfAttention.relative_attention_bias.weight"},
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
                .relative_bias = "decoder.block.#.layer.0.SelfAttention.relative_attention_bias.weight"},
    .head = {.output = "lm_head.weight"},
    .text_label = text_classifier,
    .token_label = classifier,
    .span = answer,
};

// Junczys-Dowmunt et al. 2018; a Transformer of Vaswani et al. 2017.
constexpr Family marian_family{
    .prefix = "model.",
    .embedding = {.words = {"encoder.embed_tokens.weight", "shared.weight", "decoder.embed_tokens.weight"},
                  .decoder_words = "decoder.embed_tokens.weight",
                  .positions = "encoder.embed_positions.weight",
                  .decoder_positions = "decoder.embed_positions.weight"},
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
  return family;
}
constexpr Family with_last_norms(Family family) {
  family.encoder.last_norm = "encoder.layer_norm";
  family.decoder.last_norm = "decoder.layer_norm";
  return family;
}
// Lewis et al. 2020; Liu et al. 2020; Zhang, Zhao et al. 2020.
constexpr Family bart_names() {
  Family family = with_embedding_norms(marian_family);
  family.text_label = text_classifier;
  family.span = answer;
  return family;
}
constexpr Family bart_family = bart_names();
// Beltagy et al. 2020; Zaheer et al. 2020.
constexpr Family led_names() {
  Family family = bart_family;
  family.prefix = "led.";
  family.text_label = {};
  AttentionNames& names = family.encoder.self;
  names.q = "encoder.layers.#.self_attn.longformer_self_attn.query";
  names.k = "encoder.layers.#.self_attn.longformer_self_attn.key";
  names.v = "encoder.layers.#.self_attn.longformer_self_attn.value";
  names.q_global = "encoder.layers.#.self_attn.longformer_self_attn.query_global";
  names.k_global = "encoder.layers.#.self_attn.longformer_self_attn.key_global";
  names.v_global = "encoder.layers.#.self_attn.longformer_self_attn.value_global";
  names.o = "encoder.layers.#.self_attn.output";
  return family;
}
constexpr Family led_family = led_names();
constexpr Family bigbird_pegasus_names() {
  Family family = marian_family;
  family.text_label = text_classifier;
  family.span = answer;
  AttentionNames& names = family.encoder.self;
  names.q = "encoder.layers.#.self_attn.self.query";
  names.k = "encoder.layers.#.self_attn.self.key";
  names.v = "encoder.layers.#.self_attn.self.value";
  names.o = "encoder.layers.#.self_attn.output";
  family.encoder.last_norm = "encoder.layernorm_embedding";
  family.decoder.last_norm = "decoder.layernorm_embedding";
  return family;
}
constexpr Family bigbird_pegasus_family = bigbird_pegasus_names();
constexpr Family mbart_family = with_last_norms(bart_family);
constexpr Family pegasus_family = with_last_norms(marian_family);
// Fan et al. 2021.
constexpr Family m2m_100_family = pegasus_family;

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
    .embedding = {.words = {"decoder.embed_tokens.weight"},
                  .positions = "decoder.embed_positions.weight",
                  .project_in = "decoder.project_in"},
    .decoder = {.self = {.q = "decoder.layers.#.self_attn.q_proj",
                         .k = "decoder.layers.#.self_attn.k_proj",
                         .v = "decoder.layers.#.self_attn.v_proj",
                         .o = "decoder.layers.#.self_attn.out_proj",
                         .norm = "decoder.layers.#.self_attn_layer_norm"},
                .feed_forward = {.up = "decoder.layers.#.fc1",
                                 .down = "decoder.layers.#.fc2",
                                 .norm = "decoder.layers.#.final_layer_norm"},
                .last_norm = "decoder.final_layer_norm"},
    .head = {.project_out = "decoder.project_out", .output = "lm_head.weight"},
};

// Lin et al. 2022; Luo et al. 2022.
constexpr Family xglm_family{
    .prefix = "model.",
    .embedding = {.words = {"embed_tokens.weight"}, .positions = "embed_positions.weight"},
    .decoder = {.self = {.q = "layers.#.self_attn.q_proj",
                         .k = "layers.#.self_attn.k_proj",
                         .v = "layers.#.self_attn.v_proj",
                         .o = "layers.#.self_attn.out_proj",
                         .norm = "layers.#.self_attn_layer_norm"},
                .feed_forward = {.up = "layers.#.fc1",
                                 .down = "layers.#.fc2",
                                 .norm = "layers.#.final_layer_norm"},
                .last_norm = "layer_norm"},
    .head = {.output = "lm_head.weight"},
};
constexpr Family biogpt_names() {
  Family family = xglm_family;
  family.prefix = "biogpt.";
  family.head.output = "output_projection.weight";
  return family;
}
constexpr Family biogpt_family = biogpt_names();

// Black et al. 2022.
constexpr Family gpt_neox_family{
    .prefix = "gpt_neox.",
    .embedding = {.words = {"embed_in.weight"}},
    .decoder = {.self = {.o = "layers.#.attention.dense",
                         .fused = "layers.#.attention.query_key_value",
                         .norm = "layers.#.input_layernorm"},
                .feed_forward = {.up = "layers.#.mlp.dense_h_to_4h",
                                 .down = "layers.#.mlp.dense_4h_to_h",
                                 .norm = "layers.#.post_attention_layernorm"},
                .last_norm = "final_layer_norm"},
    .head = {.output = "embed_out.weight"},
};

// Wang and Komatsuzaki 2021.
constexpr Family gptj_family{
    .prefix = "transformer.",
    .embedding = {.words = {"wte.weight"}},
    .decoder = {.self = {.q = "h.#.attn.q_proj",
                         .k = "h.#.attn.k_proj",
                         .v = "h.#.attn.v_proj",
                         .o = "h.#.attn.out_proj",
                         .norm = "h.#.ln_1"},
                .feed_forward = {.up = "h.#.mlp.fc_in", .down = "h.#.mlp.fc_out"},
                .last_norm = "ln_f"},
    .head = {.output = "lm_head.weight", .biases = {"lm_head.bias"}},
};

// Nijkamp et al. 2023.
constexpr Family codegen_names() {
  Family family = gptj_family;
  AttentionNames& names = family.decoder.self;
  names.q = names.k = names.v = {};
  names.fused = "h.#.attn.qkv_proj";
  return family;
}
constexpr Family codegen_family = codegen_names();

// MosaicML 2023.
constexpr Family mpt_family{
    .prefix = "transformer.",
    .embedding = {.words = {"wte.weight"}},
    .decoder = {.self = {.o = "blocks.#.attn.out_proj",
                         .fused = "blocks.#.attn.Wqkv",
                         .norm = "blocks.#.norm_1"},
                .feed_forward = {.up = "blocks.#.ffn.up_proj",
                                 .down = "blocks.#.ffn.down_proj",
                                 .norm = "blocks.#.norm_2"},
                .last_norm = "norm_f"},
    .head = {.output = "lm_head.weight"},
};

// Le Scao et al. 2022.
constexpr Family bloom_family{
    .prefix = "transformer.",
    .embedding = {.words = {"word_embeddings.weight"}},
    .decoder = {.self = {.o = "h.#.self_attention.dense",
                         .fused = "h.#.self_attention.query_key_value",
                         .norm = "h.#.input_layernorm"},
                .feed_forward = {.up = "h.#.mlp.dense_h_to_4h",
                                 .down = "h.#.mlp.dense_4h_to_h",
                                 .norm = "h.#.post_attention_layernorm"},
                .first_norm = "word_embeddings_layernorm",
                .last_norm = "ln_f"},
    .head = {.output = "lm_head.weight"},
};

// Almazrouei et al. 2023; layers with a norm for each of the two sublayers name them in another way.
constexpr Family falcon_with(Family family, std::string_view norm, std::string_view other_norm) {
  family.decoder.first_norm = {};
  family.decoder.self.norm = norm;
  family.decoder.feed_forward.norm = other_norm;
  return family;
}
constexpr Family falcon_family =
    falcon_with(bloom_family, "h.#.input_layernorm", "h.#.post_attention_layernorm");
constexpr Family falcon_two_norms_family = falcon_with(bloom_family, "h.#.ln_attn", "h.#.ln_mlp");

// Families with LLaMA's names and some of their own.

constexpr Family phi_names() {
  Family family = llama_family;
  family.norm = Norm::Kind::layer;
  family.decoder.self.o = "layers.#.self_attn.dense";
  family.decoder.self.q_norm = "layers.#.self_attn.q_layernorm";
  family.decoder.self.k_norm = "layers.#.self_attn.k_layernorm";
  family.decoder.feed_forward = {.up = "layers.#.mlp.fc1", .down = "layers.#.mlp.fc2"};
  family.decoder.last_norm = "final_layernorm";
  family.head.biases = {"lm_head.bias"};
  return family;
}
constexpr Family phi_family = phi_names();

constexpr Family with_layer_norms(Family family) {
  family.norm = Norm::Kind::layer;
  return family;
}
constexpr Family olmo_family = with_layer_norms(llama_family), cohere_family = olmo_family;

constexpr Family stablelm_names() {
  Family family = with_layer_norms(llama_family);
  family.decoder.self.q_norm = "layers.#.self_attn.q_layernorm.norms.@";
  family.decoder.self.k_norm = "layers.#.self_attn.k_layernorm.norms.@";
  return family;
}
constexpr Family stablelm_family = stablelm_names();

constexpr Family with_output_norms(Family family) {
  family.decoder.self.output_norm = "layers.#.post_attention_layernorm";
  family.decoder.feed_forward.output_norm = "layers.#.post_feedforward_layernorm";
  return family;
}
constexpr Family gemma2_names() {
  Family family = with_output_norms(llama_family);
  family.decoder.feed_forward.norm = "layers.#.pre_feedforward_layernorm";
  return family;
}
constexpr Family gemma2_family = gemma2_names();
constexpr Family gemma3_names() {
  Family family = gemma2_family;
  family.other_prefixes = {"model.language_model.", "language_model.model.", "language_model."};
  return family;
}
constexpr Family gemma3_family = gemma3_names();
// Gemma Team 2025; 2026.
constexpr Family with_layer_embeddings(Family family) {
  family.embedding.of_layers = "embed_tokens_per_layer.weight";
  family.embedding.to_layers = "per_layer_model_projection";
  family.embedding.layers_norm = "per_layer_projection_norm";
  family.decoder.layer_embedding = {.gate = "layers.#.per_layer_input_gate",
                                    .project = "layers.#.per_layer_projection",
                                    .output_norm = "layers.#.post_per_layer_input_norm"};
  return family;
}
constexpr Family gemma3n_names() {
  Family family = with_layer_embeddings(gemma3_family);
  family.decoder.alt_up = {.prediction = "layers.#.altup.prediction_coefs",
                           .correction = "layers.#.altup.correction_coefs",
                           .router = "layers.#.altup.modality_router",
                           .router_norm = "layers.#.altup.router_norm",
                           .scale = "layers.#.altup.correct_output_scale",
                           .left = "layers.#.laurel.linear_left",
                           .right = "layers.#.laurel.linear_right",
                           .norm = "layers.#.laurel.post_laurel_norm",
                           .split = "altup_projections.#",
                           .merge = "altup_unembed_projections.#"};
  return family;
}
constexpr Family gemma3n_family = gemma3n_names();
constexpr Family gemma4_names() {
  Family family = with_layer_embeddings(gemma3_family);
  family.decoder.layer_factor = "layers.#.layer_scalar";
  FeedForwardNames& names = family.decoder.feed_forward;
  names.fused_router = names.router = "layers.#.router.proj";
  names.router_scale = "layers.#.router.scale";
  names.expert_scales = "layers.#.router.per_expert_scale";
  names.experts_fused = "layers.#.experts.gate_up_proj";
  names.experts_down = "layers.#.experts.down_proj";
  names.experts_norm = "layers.#.pre_feedforward_layernorm_2";
  names.experts_output_norm = "layers.#.post_feedforward_layernorm_2";
  names.shared_output_norm = "layers.#.post_feedforward_layernorm_1";
  names.shared_gate = names.gate;
  names.shared_up = names.other_up;
  names.shared_down = names.down;
  return family;
}
constexpr Family gemma4_family = gemma4_names();

// Jiang et al. 2024; Qwen Team 2024.
constexpr Family with_experts(Family family) {
  FeedForwardNames& names = family.decoder.feed_forward;
  names.experts_fused = "layers.#.mlp.experts.gate_up_proj";
  names.experts_down = "layers.#.mlp.experts.down_proj";
  names.fused_router = "layers.#.mlp.gate";
  return family;
}
constexpr Family mixtral_names() {
  Family family = with_experts(llama_family);
  FeedForwardNames& names = family.decoder.feed_forward;
  names.router = "layers.#.block_sparse_moe.gate";
  names.expert_gate = "layers.#.block_sparse_moe.experts.@.w1";
  names.expert_down = "layers.#.block_sparse_moe.experts.@.w2";
  names.expert_up = "layers.#.block_sparse_moe.experts.@.w3";
  return family;
}
constexpr Family mixtral_family = mixtral_names();
constexpr Family phimoe_names() {
  Family family = with_layer_norms(mixtral_family);
  family.decoder.feed_forward.fused_router = "layers.#.mlp.router";
  family.head.biases = {"lm_head.bias"};
  return family;
}
constexpr Family phimoe_family = phimoe_names();
constexpr Family granite_moe_names() {
  Family family = llama_family;
  FeedForwardNames& names = family.decoder.feed_forward;
  names.experts_fused = "layers.#.block_sparse_moe.input_linear.weight";
  names.experts_down = "layers.#.block_sparse_moe.output_linear.weight";
  names.fused_router = "layers.#.block_sparse_moe.router.layer";
  // As a GGUF file has them, one by one.
  names.router = mixtral_family.decoder.feed_forward.router;
  names.expert_gate = mixtral_family.decoder.feed_forward.expert_gate;
  names.expert_down = mixtral_family.decoder.feed_forward.expert_down;
  names.expert_up = mixtral_family.decoder.feed_forward.expert_up;
  return family;
}
constexpr Family granite_moe_family = granite_moe_names();
constexpr Family gpt_oss_names() {
  Family family = with_experts(llama_family);
  FeedForwardNames& names = family.decoder.feed_forward;
  names.fused_router = names.router = "layers.#.mlp.router";
  // As a GGUF file has them, one by one.
  names.expert_gate = "layers.#.mlp.experts.@.gate_proj";
  names.expert_up = "layers.#.mlp.experts.@.up_proj";
  names.expert_down = "layers.#.mlp.experts.@.down_proj";
  family.decoder.self.sinks = "layers.#.self_attn.sinks";
  return family;
}
constexpr Family gpt_oss_family = gpt_oss_names();
constexpr Family qwen_moe_names() {
  Family family = with_experts(llama_family);
  FeedForwardNames& names = family.decoder.feed_forward;
  names.router = "layers.#.mlp.gate";
  names.expert_gate = "layers.#.mlp.experts.@.gate_proj";
  names.expert_up = "layers.#.mlp.experts.@.up_proj";
  names.expert_down = "layers.#.mlp.experts.@.down_proj";
  names.shared_gate = "layers.#.mlp.shared_expert.gate_proj";
  names.shared_up = "layers.#.mlp.shared_expert.up_proj";
  names.shared_down = "layers.#.mlp.shared_expert.down_proj";
  names.shared_router = "layers.#.mlp.shared_expert_gate";
  return family;
}
constexpr Family qwen_moe_family = qwen_moe_names();
// Qwen Team 2025; 2026.
constexpr Family qwen3_next_names() {
  Family family = qwen_moe_family;
  family.decoder.mixer = {.in = "layers.#.linear_attn.in_proj_qkvz",
                          .gate = "layers.#.linear_attn.in_proj_z",  // of a GGUF file
                          .strength_and_decay = "layers.#.linear_attn.in_proj_ba",
                          .convolution = "layers.#.linear_attn.conv1d",
                          .rates = "layers.#.linear_attn.A_log",
                          .step_bias = "layers.#.linear_attn.dt_bias",
                          .heads_norm = "layers.#.linear_attn.norm",
                          .o = "layers.#.linear_attn.out_proj",
                          .norm = "layers.#.input_layernorm"};
  return family;
}
constexpr Family qwen3_next_family = qwen3_next_names();
constexpr Family qwen3_5_names() {
  Family family = qwen3_next_family;
  MixerNames& names = family.decoder.mixer;
  names.in = "layers.#.linear_attn.in_proj_qkv";
  names.strength_and_decay = {};
  names.strength = "layers.#.linear_attn.in_proj_b";
  names.decay = "layers.#.linear_attn.in_proj_a";
  return family;
}
constexpr Family qwen3_5_family = qwen3_5_names();
// Liquid AI 2025.
constexpr Family lfm2_names() {
  Family family = llama_family;
  AttentionNames& names = family.decoder.self;
  names.o = "layers.#.self_attn.out_proj";
  names.q_norm = "layers.#.self_attn.q_layernorm";
  names.k_norm = "layers.#.self_attn.k_layernorm";
  names.norm = "layers.#.operator_norm";
  family.decoder.mixer = {.in = "layers.#.conv.in_proj",
                          .convolution = "layers.#.conv.conv",
                          .o = "layers.#.conv.out_proj",
                          .norm = "layers.#.operator_norm"};
  family.decoder.feed_forward = {.gate = "layers.#.feed_forward.w1",
                                 .down = "layers.#.feed_forward.w2",
                                 .other_up = "layers.#.feed_forward.w3",
                                 .norm = "layers.#.ffn_norm"};
  family.decoder.last_norm = "embedding_norm";
  return family;
}
constexpr Family lfm2_family = lfm2_names();
constexpr MixerNames mamba2_names{.in = "layers.#.mamba.in_proj",
                                  .convolution = "layers.#.mamba.conv1d",
                                  .rates = "layers.#.mamba.A_log",
                                  .step_bias = "layers.#.mamba.dt_bias",
                                  .skip = "layers.#.mamba.D",
                                  .heads_norm = "layers.#.mamba.norm",
                                  .o = "layers.#.mamba.out_proj",
                                  .norm = "layers.#.input_layernorm"};
// Falcon-LLM Team 2025.
constexpr Family falcon_h1_names() {
  Family family = llama_family;
  family.decoder.mixer = mamba2_names;
  family.decoder.feed_forward = {.gate = "layers.#.feed_forward.gate_proj",
                                 .down = "layers.#.feed_forward.down_proj",
                                 .other_up = "layers.#.feed_forward.up_proj",
                                 .norm = "layers.#.pre_ff_layernorm"};
  family.decoder.last_norm = "final_layernorm";
  return family;
}
constexpr Family falcon_h1_family = falcon_h1_names();
// Granite Team 2025: every layer has a network of all tokens, beside which there may be experts.
constexpr Family granite_hybrid_names() {
  Family family = granite_moe_family;
  family.decoder.mixer = mamba2_names;
  FeedForwardNames& names = family.decoder.feed_forward;
  names.fused = names.shared_fused = "layers.#.shared_mlp.input_linear";
  names.down = names.shared_down = "layers.#.shared_mlp.output_linear";
  // As a GGUF file has them.
  names.gate = names.shared_gate = "layers.#.shared_mlp.gate_linear";
  names.other_up = names.shared_up = "layers.#.shared_mlp.up_linear";
  return family;
}
constexpr Family granite_hybrid_family = granite_hybrid_names();
constexpr Family deepseek_names() {
  Family family = qwen_moe_family;
  AttentionNames& names = family.decoder.self;
  names.query_down = "layers.#.self_attn.q_a_proj";
  names.query_down_norm = "layers.#.self_attn.q_a_layernorm";
  names.query_up = "layers.#.self_attn.q_b_proj";
  names.down = "layers.#.self_attn.kv_a_proj_with_mqa";
  names.down_norm = "layers.#.self_attn.kv_a_layernorm";
  names.up = "layers.#.self_attn.kv_b_proj";
  names.key_up = "layers.#.self_attn.k_b_proj";
  names.value_up = "layers.#.self_attn.v_b_proj";
  FeedForwardNames& network = family.decoder.feed_forward;
  network.router_bias = "layers.#.mlp.gate.e_score_correction_bias";
  network.shared_gate = "layers.#.mlp.shared_experts.gate_proj";
  network.shared_up = "layers.#.mlp.shared_experts.up_proj";
  network.shared_down = "layers.#.mlp.shared_experts.down_proj";
  return family;
}
constexpr Family deepseek_family = deepseek_names();

constexpr Family olmo2_names() {
  Family family = with_output_norms(llama_family);
  family.decoder.self.norm = family.decoder.feed_forward.norm = {};
  return family;
}
constexpr Family olmo2_family = olmo2_names();

constexpr Family phi3_names() {
  Family family = llama_family;
  family.decoder.self.fused = "layers.#.self_attn.qkv_proj";
  family.decoder.feed_forward.fused = "layers.#.mlp.gate_up_proj";
  return family;
}
constexpr Family phi3_family = phi3_names();

constexpr Family glm_names() {
  Family family = llama_family;
  family.decoder.feed_forward.fused = "layers.#.mlp.gate_up_proj";
  return family;
}
constexpr Family glm_family = glm_names();
constexpr Family glm4_names() {
  Family family = glm_family;
  family.decoder.self.output_norm = "layers.#.post_self_attn_layernorm";
  family.decoder.feed_forward.output_norm = "layers.#.post_mlp_layernorm";
  return family;
}
constexpr Family glm4_family = glm4_names();

constexpr Family starcoder2_names() {
  Family family = with_layer_norms(llama_family);
  family.decoder.feed_forward.up = "layers.#.mlp.c_fc";
  family.decoder.feed_forward.down = "layers.#.mlp.c_proj";
  return family;
}
constexpr Family starcoder2_family = starcoder2_names();

// Radford et al. 2023.
constexpr Family whisper_names() {
  Family family = with_last_norms(marian_family);
  family.head = {.output = "proj_out.weight"};
  return family;
}
constexpr Family whisper_family = whisper_names();

// Dosovitskiy et al. 2021; Touvron et al. 2021.
constexpr Family vit_family{
    .prefix = "vit.",
    .other_prefixes = {"deit.", "dinov2.", "dinov2_with_registers.", "ijepa.", "beit."},
    .encoder = {.self = {.q = "encoder.layer.#.attention.attention.query",
                         .k = "encoder.layer.#.attention.attention.key",
                         .v = "encoder.layer.#.attention.attention.value",
                         .o = "encoder.layer.#.attention.output.dense",
                         .norm = "encoder.layer.#.layernorm_before"},
                .feed_forward = {.up = "encoder.layer.#.intermediate.dense",
                                 .down = "encoder.layer.#.output.dense",
                                 .norm = "encoder.layer.#.layernorm_after"},
                .last_norm = "layernorm"},
    .picture_label = classifier,
    .picture = {.patches = "embeddings.patch_embeddings.projection",
                .positions = "embeddings.position_embeddings",
                .class_token = "embeddings.cls_token",
                .distillation_token = "embeddings.distillation_token",
                .registers = "embeddings.register_tokens"},
};
// DeiT's class and distillation token have a head each.
constexpr HeadNames two_classifiers{.output = "cls_classifier.weight",
                                    .second_output = "distillation_classifier",
                                    .biases = {"cls_classifier.bias"}};

// Oquab et al. 2024.
constexpr Family dinov2_names(bool gated) {
  Family family = vit_family;
  family.encoder.self.norm = "encoder.layer.#.norm1";
  family.encoder.self.output_scale = "encoder.layer.#.layer_scale1.lambda1";
  family.encoder.feed_forward = {.up = "encoder.layer.#.mlp.fc1", .down = "encoder.layer.#.mlp.fc2"};
  if (gated)
    family.encoder.feed_forward = {.down = "encoder.layer.#.mlp.weights_out",
                                   .fused = "encoder.layer.#.mlp.weights_in"};
  family.encoder.feed_forward.norm = "encoder.layer.#.norm2";
  family.encoder.feed_forward.output_scale = "encoder.layer.#.layer_scale2.lambda1";
  return family;
}
constexpr Family dinov2_family = dinov2_names(false), dinov2_gated_family = dinov2_names(true);

// Siméoni et al. 2025.
constexpr Family dinov3_family{
    .prefix = "",
    .other_prefixes = {"model."},
    .encoder = {.self = {.q = "layer.#.attention.q_proj",
                         .k = "layer.#.attention.k_proj",
                         .v = "layer.#.attention.v_proj",
                         .o = "layer.#.attention.o_proj",
                         .norm = "layer.#.norm1",
                         .output_scale = "layer.#.layer_scale1.lambda1"},
                .feed_forward = {.up = "layer.#.mlp.up_proj",
                                 .gate = "layer.#.mlp.gate_proj",
                                 .down = "layer.#.mlp.down_proj",
                                 .other_up = "layer.#.mlp.up_proj",
                                 .norm = "layer.#.norm2",
                                 .output_scale = "layer.#.layer_scale2.lambda1"},
                .last_norm = "norm"},
    .picture = {.patches = "embeddings.patch_embeddings",
                .class_token = "embeddings.cls_token",
                .registers = "embeddings.register_tokens"},
};

// Bao et al. 2022.
constexpr Family beit_names(bool of_layers) {
  Family family = vit_family;
  family.encoder.self.output_scale = "encoder.layer.#.lambda_1";
  family.encoder.feed_forward.output_scale = "encoder.layer.#.lambda_2";
  family.encoder.relative_bias_of_all = "encoder.relative_position_bias.relative_position_bias_table";
  family.encoder.relative_bias =
      of_layers ? "encoder.layer.#.attention.attention.relative_position_bias.relative_position_bias_table"
                : family.encoder.relative_bias_of_all;
  family.picture_label.norm = "pooler.layernorm";
  return family;
}
constexpr Family beit_family = beit_names(true), beit_shared_family = beit_names(false);

// Radford et al. 2021: two towers with the same layers, whose names begin with the tower's, or alone do not.
constexpr StackNames clip_picture_stack{
    .self = {.q = "encoder.layers.#.self_attn.q_proj",
             .k = "encoder.layers.#.self_attn.k_proj",
             .v = "encoder.layers.#.self_attn.v_proj",
             .o = "encoder.layers.#.self_attn.out_proj",
             .norm = "encoder.layers.#.layer_norm1"},
    .feed_forward = {.up = "encoder.layers.#.mlp.fc1",
                     .down = "encoder.layers.#.mlp.fc2",
                     .norm = "encoder.layers.#.layer_norm2"},
    .first_norm = "pre_layrnorm",
    .last_norm = "post_layernorm",
};
constexpr StackNames clip_text_stack{
    .self = {.q = "encoder.layers.#.self_attn.q_proj",
             .k = "encoder.layers.#.self_attn.k_proj",
             .v = "encoder.layers.#.self_attn.v_proj",
             .o = "encoder.layers.#.self_attn.out_proj",
             .norm = "encoder.layers.#.layer_norm1"},
    .feed_forward = {.up = "encoder.layers.#.mlp.fc1",
                     .down = "encoder.layers.#.mlp.fc2",
                     .norm = "encoder.layers.#.layer_norm2"},
    .last_norm = "final_layer_norm",
};
constexpr EmbeddingNames clip_text_embedding{.words = {"embeddings.token_embedding.weight"},
                                             .positions = "embeddings.position_embedding.weight"};
constexpr PictureNames clip_picture_names{
    .patches = "embeddings.patch_embedding",
    .positions = "embeddings.position_embedding.weight",
    .class_token = "embeddings.class_embedding",
    .projection = "visual_projection",
    .similarity_factor = "logit_scale",
};
constexpr Family clip_family{.prefix = "vision_model.",
                             .encoder = clip_picture_stack,
                             .picture_label = classifier,
                             .picture = clip_picture_names};
constexpr Family clip_text_family{.prefix = "text_model.",
                                  .embedding = clip_text_embedding,
                                  .encoder = clip_text_stack,
                                  .picture = {.projection = "text_projection"}};

// Zhai et al. 2023.
constexpr Family siglip_names() {
  Family family = clip_family;
  family.encoder.first_norm = {};
  PictureNames& names = family.picture;
  names.projection = {};
  names.probe = "head.probe";
  names.probe_weight = "head.attention.in_proj_weight";
  names.probe_bias = "head.attention.in_proj_bias";
  names.probe_output = "head.attention.out_proj";
  names.probe_norm = "head.layernorm";
  names.probe_up = "head.mlp.fc1";
  names.probe_down = "head.mlp.fc2";
  names.similarity_shift = "logit_bias";
  return family;
}
constexpr Family siglip_family = siglip_names();
constexpr Family siglip_text_family{.prefix = "text_model.",
                                    .embedding = clip_text_embedding,
                                    .encoder = clip_text_stack,
                                    .picture = {.projection = "head", .projection_bias = true}};

}  // namespace

const Family& family_of(const ModelConfig& config) {
  switch (config.family) {
    case ModelFamily::gpt2:
      return gpt2_family;
    case ModelFamily::bert:
      return bert_family;
    case ModelFamily::roberta:
      return roberta_family;
    case ModelFamily::longformer:
      return longformer_family;
    case ModelFamily::bigbird:
      return bigbird_family;
    case ModelFamily::distilbert:
      return distilbert_family;
    case ModelFamily::albert:
      return albert_family;
    case ModelFamily::electra:
      return electra_family;
    case ModelFamily::mpnet:
      return mpnet_family;
    case ModelFamily::modernbert:
      return modernbert_family;
    case ModelFamily::esm:
      return esm_family;
    case ModelFamily::nomic_bert:
      return nomic_bert_family;
    case ModelFamily::eurobert:
      return eurobert_family;
    case ModelFamily::rembert:
      return rembert_family;
    case ModelFamily::dpr:
      return dpr_family;
    case ModelFamily::deberta_v1:
      return config.newer_head ? deberta_v1_newer_family : deberta_v1_family;
    case ModelFamily::deberta:
      return config.newer_head ? deberta_newer_family : deberta_family;
    case ModelFamily::xlnet:
      return xlnet_family;
    case ModelFamily::funnel:
      return funnel_family;
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
    case ModelFamily::led:
      return led_family;
    case ModelFamily::bigbird_pegasus:
      return bigbird_pegasus_family;
    case ModelFamily::pegasus:
      return pegasus_family;
    case ModelFamily::m2m_100:
      return m2m_100_family;
    case ModelFamily::whisper:
      return whisper_family;
    case ModelFamily::xglm:
      return xglm_family;
    case ModelFamily::biogpt:
      return biogpt_family;
    case ModelFamily::granite_moe:
      return granite_moe_family;
    case ModelFamily::gpt_oss:
      return gpt_oss_family;
    case ModelFamily::deepseek_v2:
    case ModelFamily::deepseek_v3:
      return deepseek_family;
    case ModelFamily::qwen3_next:
      return qwen3_next_family;
    case ModelFamily::qwen3_5:
      return qwen3_5_family;
    case ModelFamily::lfm2:
      return lfm2_family;
    case ModelFamily::falcon_h1:
      return falcon_h1_family;
    case ModelFamily::granite_hybrid:
      return granite_hybrid_family;
    case ModelFamily::gpt_neox:
      return gpt_neox_family;
    case ModelFamily::gptj:
      return gptj_family;
    case ModelFamily::codegen:
      return codegen_family;
    case ModelFamily::openai_gpt:
      return openai_gpt_family;
    case ModelFamily::mpt:
      return mpt_family;
    case ModelFamily::phimoe:
      return phimoe_family;
    case ModelFamily::bloom:
      return bloom_family;
    case ModelFamily::falcon:
      return config.parallel && !config.shared_norm ? falcon_two_norms_family : falcon_family;
    case ModelFamily::phi:
      return phi_family;
    case ModelFamily::stablelm:
      return stablelm_family;
    case ModelFamily::gemma2:
      return gemma2_family;
    case ModelFamily::gemma3:
      return gemma3_family;
    case ModelFamily::gemma3n:
      return gemma3n_family;
    case ModelFamily::gemma4:
      return gemma4_family;
    case ModelFamily::olmo:
      return olmo_family;
    case ModelFamily::olmo2:
    case ModelFamily::olmo3:
    case ModelFamily::exaone4:
      return olmo2_family;
    case ModelFamily::glm:
      return glm_family;
    case ModelFamily::glm4:
      return glm4_family;
    case ModelFamily::starcoder2:
      return starcoder2_family;
    case ModelFamily::phi3:
      return phi3_family;
    case ModelFamily::mixtral:
      return mixtral_family;
    case ModelFamily::qwen2_moe:
    case ModelFamily::qwen3_moe:
    case ModelFamily::olmoe:
      return qwen_moe_family;
    case ModelFamily::vit:
    case ModelFamily::deit:
      return vit_family;
    case ModelFamily::dinov2:
      return config.gated ? dinov2_gated_family : dinov2_family;
    case ModelFamily::dinov3:
      return dinov3_family;
    case ModelFamily::beit:
      return config.relative_bias_of_layers ? beit_family : beit_shared_family;
    case ModelFamily::clip:
      return clip_family;
    case ModelFamily::clip_text:
      return clip_text_family;
    case ModelFamily::siglip:
    case ModelFamily::siglip2:
      return siglip_family;
    case ModelFamily::siglip_text:
      return siglip_text_family;
    case ModelFamily::cohere:
    case ModelFamily::cohere2:
    case ModelFamily::nemotron:
      return cohere_family;
    case ModelFamily::llama:
    case ModelFamily::mistral:
    case ModelFamily::qwen2:
    case ModelFamily::qwen3:
    case ModelFamily::gemma:
    case ModelFamily::granite:
    case ModelFamily::smollm3:
    case ModelFamily::arcee:
    case ModelFamily::seed_oss:
    case ModelFamily::ernie:
    case ModelFamily::helium:
    case ModelFamily::cwm:
      break;
  }
  return llama_family;
}

HeadNames head_names(const ModelConfig& config, OutputKind kind) {
  const Family& family = family_of(config);
  const bool decodes = config.has_decoder() && !config.has_encoder();
  // What a decoder's labels are read from is projected as what its tokens are (OPT's 350m).
  const auto of_decoder = [&](HeadNames names) {
    names.project_out = family.head.project_out;
    return names;
  };
  switch (kind) {
    case OutputKind::text_label:
    case OutputKind::token_label:
      return decodes                          ? of_decoder(score)
             : kind == OutputKind::text_label ? family.text_label
                                              : family.token_label;
    case OutputKind::span:
      return decodes ? of_decoder(answer) : family.span;
    case OutputKind::replaced:
      return family.replaced;
    case OutputKind::picture_label: {
      if (config.output.reads == OutputConfig::Reads::first_two) return two_classifiers;
      HeadNames names = family.picture_label;
      if (config.output.reads != OutputConfig::Reads::mean) names.norm = {};  // BEiT's is of the mean
      return names;
    }
    case OutputKind::sentence:  // by no head of its own
    case OutputKind::tokens:
      break;
  }
  return family.head;
}

}  // namespace headscope
