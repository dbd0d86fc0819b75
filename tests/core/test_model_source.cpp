#include "core/analysis/expectations.h"
#include "core/base/matrix.h"
#include "core/inputs/names.h"
#include "core/model/run/sampling.h"
#include "core/scene/source_title.h"
#include "core/source/engine/engine.h"
#include "core/source/maps/word_maps.h"
#include "core/source/model/model_source.h"
#include "core/source/write/write_arrays.h"
#include "tests/support/model_folder.h"
#include "tests/support/model_inputs.h"
#include "tests/support/reference.h"
#include "tests/support/traces.h"

namespace headscope::tests {
namespace {

// The project's guarantee for float32 against double precision.
constexpr double source_bound = 2e-5;

class ModelSources : public InFolder {
 protected:
  Inputs inputs_for(const Json& entry) { return tests::inputs_for(folder.path, entry); }
  Inputs inputs_for(const char* name) { return inputs_for(model_case(name)); }
  // The arrays of a run, as a file has them.
  Arrays arrays_of(const Inputs& inputs, const ArraySelection& selection = {}) {
    RunOptions options;
    options.stack_output = true;
    write_arrays(at("arrays.npz"), *engine.run(inputs, options), selection, "");
    return read_arrays(at("arrays.npz"));
  }

  Engine engine{2};
};

double largest_difference(const NamedArray& found, const NamedArray& expected) {
  if (found.values.empty() || found.shape != expected.shape) return INFINITY;
  return tests::largest_difference(found.values.data(), std::ssize(found.values), expected.values.data());
}

TEST_F(ModelSources, name_the_layer_whose_numbers_overflow) {
  const std::tuple<const char*, const char*, const char*> cases[] = {
      {"gpt2", "h.1.mlp.c_proj.weight", "layer 2 of 2: values exceed float32's range; use smaller gains"},
      {"t5", "encoder.block.0.layer.1.DenseReluDense.wo.weight", "encoder: layer 1 of 2: values exceed"}};
  for (const auto& [name, large, message] : cases) {
    const Json entry = model_case(name);
    const Inputs inputs = inputs_for(entry);
    std::vector<WrittenTensor> tensors = tensors_of(entry);
    for (WrittenTensor& tensor : tensors)
      if (tensor.name.ends_with(large))
        for (std::size_t at = 0; at < tensor.bytes.size(); at += 4)
          tensor.bytes.replace(at, 4, "\xFF\xFF\x7F\x7F");
    write_model_folder(inputs.model, entry["config"], tensors);
    EXPECT_THAT(complaint([&] { engine.run(inputs); }), HasSubstr(message));
  }
}

TEST_F(ModelSources, say_beforehand_what_generated_tokens_take) {
  for (const char* name : {"gpt2", "marian"}) {
    const Inputs inputs = inputs_for(name);
    const auto forecast_of = [&](Index tokens) {
      double seconds = 0;
      GenerateRequest request;
      request.max_tokens = tokens;
      request.took = [](const Token&, const std::string&) { return false; };
      request.forecast = [&](const Forecast& forecast) { seconds = forecast.seconds; };
      engine.open_model(inputs.model)->generate(inputs, request, engine.context(), {});
      return seconds;
    };
    EXPECT_GT(forecast_of(2000), 50 * forecast_of(10)) << name;
  }
}

TEST_F(ModelSources, say_what_their_own_mask_blocks) {
  const Translator tr;
  for (const auto& [name, text] : {std::pair{"bert", "No mask: every query sees every key."},
                                   {"gpt2", "The model's own mask: no query sees a later key."},
                                   {"qwen3-window",
                                    "The model's own mask: no query sees a later key, nor more than 3 keys "
                                    "up to its own (sliding window)."},
                                   {"marian",
                                    "The model's own masks: in the encoder and in cross-attention every "
                                    "query sees every key; in the decoder "
                                    "no query sees a later one."}}) {
    const auto trace = engine.run(inputs_for(name));
    for (const BlockTrace& block : trace->blocks)
      EXPECT_EQ(own_mask_text(tr, *trace, block, 0), text) << name;
  }
  const auto window = engine.run(inputs_for("qwen3-window"));
  const auto local = engine.run(inputs_for("modernbert"));
  EXPECT_EQ(own_mask_text(tr, *local, local->blocks.front(), 1),
            "The model's own mask: a query sees keys up to 2 positions away (local attention).");
  EXPECT_EQ(own_mask_text(tr, *local, local->blocks.front(), 0), "No mask: every query sees every key.");
  EXPECT_EQ(own_mask_text(tr, *window, window->blocks.front(), 1),
            "The model's own mask: no query sees a later key.");
  const auto text_of = [&](const char* name, std::size_t block) {
    const auto trace = engine.run(inputs_for(name));
    return own_mask_text(tr, *trace, trace->blocks[block], 0);
  };
  EXPECT_EQ(text_of("longformer", 0),
            "The model's own mask: a query sees keys up to 2 positions away and the global tokens, which see "
            "every key.");
  EXPECT_EQ(text_of("led", 1), "The model's own mask: no query sees a later key.");
  EXPECT_EQ(
      text_of("bigbird_pegasus", 0),
      "The model's own mask: a query sees its own block, of length 2, those beside it, the first and the "
      "last, whose own queries see every key.");
  const auto seeded = engine.run({});
  EXPECT_EQ(own_mask_text(tr, *seeded, seeded->blocks.front(), 0), "No mask: every query sees every key.");
}

TEST_F(ModelSources, believe_no_logits_that_overflow) {
  const Json entry = model_case("gpt2");
  const Inputs inputs = inputs_for(entry);
  std::vector<WrittenTensor> tensors = tensors_of(entry);
  for (WrittenTensor& tensor : tensors)
    if (tensor.name.ends_with("ln_f.weight") || tensor.name.ends_with("ln_f.bias"))
      for (std::size_t at = 0; at < tensor.bytes.size(); at += 4)
        tensor.bytes.replace(at, 4, "\xFF\xFF\x7F\x7F");
  write_model_folder(inputs.model, entry["config"], tensors);
  const auto trace = engine.run(inputs);
  EXPECT_FALSE(error_of(*trace)) << "nobody has asked for them";
  static_cast<void>(expectations(*trace, whole_range(*trace, false)));
  ASSERT_TRUE(error_of(*trace));
  EXPECT_THAT(error_of(*trace)->what(), HasSubstr("the logits exceed float32's range"));
  EXPECT_THAT(complaint([&] { arrays_of(inputs); }), HasSubstr("logits exceed"));
  EXPECT_THAT(complaint([&] {
                engine.open_model(inputs.model)->generate(inputs, {}, engine.context(), std::stop_token());
              }),
              HasSubstr("logits exceed"));
}

TEST_F(ModelSources, give_the_arrays_that_pytorch_computes) {
  std::map<std::string, Arrays> references;
  for (const Json& entry : model_cases()) {
    const std::string name = entry["name"], family = entry["config"]["model_type"];
    SCOPED_TRACE(name);
    if (!references.contains(family)) references[family] = load("models/" + family + ".npz");
    const Arrays& expected = references[family];
    const Arrays found = arrays_of(inputs_for(entry));
    const bool several = expected.contains(name + ".decoder.attention") ||
                         expected.contains(name + ".pooling2.attention") ||
                         expected.contains(name + ".block2.attention");
    for (const char* block : {"self", "encoder", "decoder", "cross", "pooling2", "block2", "pooling3",
                              "block3", "pooling4", "block4", "upsampled"}) {
      const std::string base = name + "." + block + ".", prefix = several ? std::string(block) + "_" : "";
      if (!expected.contains(base + "attention")) continue;
      EXPECT_LE(largest_difference(found.at(prefix + "attention"), expected.at(base + "attention")),
                source_bound)
          << block;
      if (expected.contains(base + "x")) {
        EXPECT_LE(largest_difference(found.at(prefix + "layer_x"), expected.at(base + "x")), source_bound);
      }
    }
    ASSERT_EQ(found.contains("logits"), expected.contains(name + ".logits"));
    if (found.contains("logits")) {
      EXPECT_LE(largest_difference(found.at("logits"), expected.at(name + ".logits")), source_bound);
    }
    EXPECT_EQ(found.at("token_ids").shape, std::vector<Index>{std::ssize(entry["ids"])});
  }
}

TEST_F(ModelSources, that_pool_rows_have_a_block_for_layers_with_as_many) {
  Inputs inputs = inputs_for("funnel");
  inputs.mask = mask_parts({"self/causal", "block2/window:1", "upsampled/causal"});
  const auto trace = engine.run(inputs);
  std::string sizes, masked;
  for (const BlockTrace& block : trace->blocks) {
    sizes += fmt::format("{} {}: {} × {}, ", to_name(block.shape.kind), block.layer_count(), block.n_q(),
                         block.n_k());
    if (block.masked()) masked += std::string(to_name(block.shape.kind)) + " ";
  }
  EXPECT_EQ(sizes,
            "self 2: 11 × 11, pooling2 1: 6 × 11, block2 1: 6 × 6, pooling3 1: 3 × 6, block3 1: 3 × 3, "
            "upsampled 2: 11 × 11, ");
  EXPECT_EQ(masked, "self block2 upsampled ");
  const auto texts = [](const std::vector<Token>& tokens) {
    std::string all;
    for (const Token& token : tokens) all += token.text + " ";
    return all;
  };
  EXPECT_EQ(texts(trace->blocks[2].tokens), "w3 w17+w5 w41+w5 w17+w22 w9+w30 w12 ");
  EXPECT_EQ(texts(trace->blocks[3].key_tokens), texts(trace->blocks[2].tokens));
  EXPECT_EQ(texts(trace->blocks[4].tokens), "w3 w17+w5+w41+w5 w17+w22+w9+w30 ");
  EXPECT_EQ(block_title(Translator(), *trace, BlockKind::self), "Block 1");
  EXPECT_EQ(block_title(Translator(), *trace, BlockKind::pooling_3), "Pooling to block 3");
  EXPECT_FALSE(trace->predictions->has_lens());
  EXPECT_EQ(trace->predictions->block(), BlockKind::upsampled);
  const auto words = with_words(block_of(trace, BlockKind::block_2));
  EXPECT_EQ(words->n_q(), 6);
  inputs.mask.clear();
  inputs.ablated_heads.insert({BlockKind::pooling_2, 0, 1});
  const auto ablated = engine.run(inputs);
  inputs.ablated_heads.clear();
  const auto plain = engine.run(inputs);
  const auto context = [](const Trace& of, std::size_t block) { return of.blocks[block].layer(0).context; };
  EXPECT_TRUE((as_matrix(context(*ablated, 1)).middleCols(6, 6).array() == 0).all());
  EXPECT_TRUE(as_matrix(context(*ablated, 0)) == as_matrix(context(*plain, 0)));
}

TEST_F(ModelSources, that_answer_read_no_answer_from_the_question) {
  Json entry = model_case("big_bird-span");
  entry["ids"] = {3, 17, 4, 41, 5};
  const auto trace = engine.run(inputs_for(entry));
  const Tensor logits = trace->predictions->logits(0, 5), later = trace->predictions->logits(2, 4);
  for (const auto& [row, left_out] : {std::pair{0, false}, {1, true}, {2, true}, {3, false}, {4, false}})
    EXPECT_EQ(logits.at(row)[0] < -9e5F, left_out) << row;
  EXPECT_EQ(later.at(0)[1], logits.at(2)[1]);
  EXPECT_EQ(later.at(1)[1], logits.at(3)[1]);
}

TEST_F(ModelSources, that_hear_read_a_spectrogram_in_place_of_a_sentence) {
  const Json entry = model_case("whisper");
  Inputs inputs = inputs_for(entry);
  const auto trace = engine.run(inputs);
  EXPECT_EQ(trace->blocks.front().tokens.at(3).text, "0.06s");
  EXPECT_EQ(trace->blocks.back().key_tokens.size(), 8U);
  EXPECT_EQ(trace->about().sound_frames, 16);
  const std::string features = std::exchange(inputs.features, "");
  EXPECT_EQ(engine.run(inputs)->blocks.front().n_q(), 0) << "as of an empty sentence";
  const auto refused = [&] { return complaint([&] { engine.run(inputs); }); };
  Json longer = entry;
  longer["sound"] = {18, 5};
  inputs.features = write_sound(folder.path / "sound.npy", longer);
  EXPECT_THAT(refused(), HasSubstr("sound.npy: shape is [18, 5]; expected [16, 5], frames and bands"));
  inputs = inputs_for("bert");
  inputs.features = features;
  EXPECT_EQ(refused(), "features is given; this model does not hear");
}

TEST_F(ModelSources, report_how_far_their_opening_has_come_and_can_be_given_up) {
  const Inputs inputs = inputs_for("gpt2");
  LoadProgress whole, given_up;
  given_up.stop.request_stop();
  EXPECT_THROW(engine.open_model(inputs.model, &given_up), Error);
  const auto source = engine.open_model(inputs.model, &whole);
  EXPECT_GT(whole.total, 0U);
  EXPECT_EQ(whole.done, whole.total);
  EXPECT_EQ(source->about().family, "GPT-2");
  EXPECT_EQ(source->fingerprint().size(), 16U);
  EXPECT_FALSE(source->about().reads_pairs);
}

TEST_F(ModelSources, believe_nothing_that_weights_gave_which_were_cut_short) {
  const Inputs inputs = inputs_for("gpt2");
  const auto source = engine.open_model(inputs.model);
  const auto context = engine.context();
  const auto trace = source->run(inputs, {}, context, {});
  const auto words = with_words(block_of(trace, BlockKind::self));
  const std::string kept = at("kept.npz");
  write_arrays(kept, *trace, {}, "");
  const auto before = fs::last_write_time(kept);
  EXPECT_FALSE(trace->blocks[0].maps->error());
  fs::resize_file(fs::path(inputs.model) / "model.safetensors", 3000);
  const std::string damage =
      inputs.model + "/model.safetensors: was cut short or became unreadable while in use; open it again";
  EXPECT_EQ(complaint([&] { source->run(inputs, {}, context, {}); }), damage);
  EXPECT_EQ(complaint([&] { source->generate(inputs, {}, context, {}); }), damage);
  for (const auto& maps : {trace->blocks[0].maps, words->maps}) {
    ASSERT_TRUE(maps->error());
    EXPECT_EQ(std::string(maps->error()->what()), damage);
  }
  for (const char* name : {"kept.npz", "new.safetensors", "new.csv", "new.json"})
    EXPECT_EQ(complaint([&] { write_arrays(at(name), *trace, {}, ""); }), damage);
  EXPECT_EQ(fs::last_write_time(kept), before) << "what stood there stays";
  EXPECT_FALSE(fs::exists(at("new.csv")));
}

TEST_F(ModelSources, carry_the_shape_and_the_text_of_the_model) {
  Inputs inputs = inputs_for("llama3");
  inputs.d_model = 30;  // which a seeded layer of 7 heads would refuse
  inputs.heads = 7;
  const auto trace = engine.run(inputs);
  const BlockTrace& block = trace->blocks.front();
  const BlockShape shape = block.shape;
  EXPECT_EQ(shape.d_model, 24);
  EXPECT_NE(shape.heads, shape.kv_heads);
  EXPECT_TRUE(shape.causal);
  EXPECT_EQ(shape_of(inputs, trace.get()), std::vector{shape});
  EXPECT_THAT(shape_of(inputs, nullptr), IsEmpty());
  EXPECT_EQ(block.maps->size().heads, shape.heads);
  EXPECT_EQ(block.tokens[1], (Token{"w17", 3, 6, 0, 17, 1, false}));
  EXPECT_TRUE(block.mask.blocked(0, 0, 1));
  EXPECT_FALSE(block.mask.blocked(0, 1, 0));
  EXPECT_EQ(*block.maps->score(0, 0, 3, 1), block.maps->score(0, 0, 3, 1));
  // Another folder of this name is opened; the same one is not opened again.
  EXPECT_EQ(engine.run(inputs)->source, trace->source);
  write_whole_model(folder.path, model_case("mistral"));
  EXPECT_NE(engine.run(inputs)->source, trace->source);
}

TEST_F(ModelSources, report_the_window_of_each_layer) {
  for (const char* name : {"qwen2", "modernbert", "longformer", "led", "big_bird", "bigbird_pegasus"}) {
    const auto trace = engine.run(inputs_for(name));
    const BlockTrace& block = trace->blocks.front();
    EXPECT_GT(block.mask_of(1).blocked_cells(1) + block.mask_of(0).blocked_cells(1), 0) << name;
    if (!std::string_view(name).starts_with("big")) {
      ASSERT_EQ(std::ssize(block.layer_masks), block.shape.layers);
      EXPECT_NE(block.mask_of(0).blocked_cells(1), block.mask_of(1).blocked_cells(1));
    }
    for (int layer = 0; layer < block.shape.layers; ++layer)
      for (Index query = 0; query < block.n_q(); ++query)
        for (Index key = 0; key < block.n_k(); ++key)
          EXPECT_EQ(block.mask_of(layer).blocked(0, query, key),
                    block.maps->weight(layer, 0, query, key) == 0);
  }
}

TEST_F(ModelSources, report_what_they_are_and_do_of_themselves) {
  const auto source = [&](const char* name) { return engine.open_model(inputs_for(name).model); };
  EXPECT_EQ(source("mistral")->window(BlockKind::self, 0), 4);
  EXPECT_EQ(source("mistral-open")->window(BlockKind::self, 0), 0);
  EXPECT_FALSE(source("t5")->about().divides_scores);
  const auto gpt2 = source("gpt2");
  EXPECT_TRUE(gpt2->about().divides_scores);
  EXPECT_EQ(gpt2->window(BlockKind::self, 0), 0);
  const std::int64_t d = 24, layers = 2, vocabulary = gpt2->model().config().vocabulary;
  EXPECT_EQ(gpt2->about().parameters, (vocabulary + 32) * d + layers * (12 * d * d + 13 * d) + 2 * d);
  EXPECT_EQ(gpt2->multiplications(9, 9), layers * (12 * 9 * d * d + 2 * 9 * 9 * d));
}

TEST_F(ModelSources, predict_what_their_class_is_trained_on) {
  for (const auto& [name, architecture, next] : {std::tuple{"rembert", "RemBertForMaskedLM", false},
                                                 {"rembert", "RemBertForCausalLM", true},
                                                 {"bert", "BertForMaskedLM", false},
                                                 {"bert", "BertLMHeadModel", true}}) {
    SCOPED_TRACE(architecture);
    Json entry = model_case(name);
    entry["config"]["architectures"] = {architecture};
    entry["config"]["is_decoder"] = next && std::string(name) == "rembert";
    const Inputs inputs = inputs_for(entry);
    const auto trace = engine.run(inputs);
    EXPECT_FALSE(trace->blocks.front().shape.causal) << "both sides are seen, as in its class";
    EXPECT_EQ(trace->predictions->of_next_token(), next);
  }
}

TEST_F(ModelSources, take_interventions) {
  Inputs inputs = inputs_for("gpt2");
  const auto plain = engine.run(inputs);
  const auto weight = [&](int layer, Index query, Index key) {
    return engine.run(inputs)->blocks.front().maps->weight(layer, 0, query, key);
  };
  inputs.mask = {parse_mask_part("window:1")};
  EXPECT_EQ(weight(1, 5, 2), 0);
  EXPECT_GT(weight(1, 5, 4), 0);
  EXPECT_EQ(weight(1, 5, 6), 0);  // what the model blocks stays blocked
  inputs.mask.clear();
  inputs.temperature = 1e6;
  EXPECT_NEAR(weight(0, 5, 2), 1.0 / 6, 1e-4);
  inputs.temperature = 1;
  inputs.ablated_heads = {{BlockKind::self, 0, 2}};
  EXPECT_EQ(weight(0, 5, 2), plain->blocks.front().maps->weight(0, 0, 5, 2));
  EXPECT_NE(weight(1, 5, 2), plain->blocks.front().maps->weight(1, 0, 5, 2));
  const BlockTrace off = engine.run(inputs)->blocks.front();
  EXPECT_EQ(as_matrix(off.layer(0).context).middleCols(2 * off.shape.d_k, off.shape.d_k).norm(), 0);

  const auto refusal = [&](const auto& change) {
    Inputs wrong = inputs;
    change(wrong);
    return complaint([&] { engine.run(wrong); });
  };
  EXPECT_THAT(refusal([](Inputs& i) { i.dropout = 0.5; }), HasSubstr("dropout is 0.5"));
  EXPECT_THAT(refusal([](Inputs& i) {
                i.ablated_heads = {{BlockKind::self, 9, 0}};
              }),
              HasSubstr("layer is 9; expected 0 to "));
  EXPECT_THAT(refusal([](Inputs& i) {
                i.ablated_heads = {{BlockKind::cross, 0, 0}};
              }),
              HasSubstr("no cross"));
  EXPECT_THAT(refusal([](Inputs& i) { i.key_sentence = "w1"; }), HasSubstr("one sentence"));
  EXPECT_THAT(refusal([](Inputs& i) { i.target = "w1"; }), HasSubstr("target"));
  EXPECT_THAT(refusal([](Inputs& i) { i.sentence = sentence_of(33); }),
              HasSubstr("sentence has 33 tokens; this model has positions for at most 32"));
  EXPECT_THAT(refusal([](Inputs& i) { i.mask = {parse_mask_part("padding:20")}; }), HasSubstr("20"));
}

TEST_F(ModelSources, put_a_mask_into_each_block_that_it_fits) {
  Inputs inputs = inputs_for("marian");
  inputs.mask = {parse_mask_part("padding:8")};  // the source's ninth token; the target has fewer
  const auto trace = engine.run(inputs);
  ASSERT_EQ(trace->blocks.size(), 3U);
  const auto masked = [&](std::size_t block) { return trace->blocks[block].maps->weight(0, 0, 1, 1) > 0; };
  EXPECT_EQ(trace->blocks[0].maps->weight(0, 0, 2, 8), 0);
  EXPECT_EQ(trace->blocks[2].maps->weight(0, 0, 2, 8), 0);
  EXPECT_TRUE(masked(1));
  EXPECT_EQ(trace->blocks[1].interventions.mask.size(), 0U);
}

TEST_F(ModelSources, put_a_mask_into_one_block_or_one_layer) {
  Inputs inputs = inputs_for("marian");
  const auto plain = engine.run(inputs);
  inputs.mask = {parse_mask_part("encoder:1/padding:0"), parse_mask_part("cross/padding:1")};
  const auto trace = engine.run(inputs);
  const auto weight = [&](const auto& of, std::size_t block, int layer, Index key) {
    return of->blocks[block].maps->weight(layer, 0, 2, key);
  };
  EXPECT_EQ(weight(trace, 0, 0, 0), weight(plain, 0, 0, 0));
  EXPECT_EQ(weight(trace, 0, 1, 0), 0);
  EXPECT_TRUE(trace->blocks[0].mask_of(1).blocked(0, 2, 0));
  EXPECT_FALSE(trace->blocks[0].mask_of(0).any());
  EXPECT_GT(weight(trace, 1, 0, 1), 0);
  for (int layer = 0; layer < trace->blocks[2].shape.layers; ++layer)
    EXPECT_EQ(weight(trace, 2, layer, 1), 0);
  const auto reported = [&](const char* spec) {
    inputs.mask = {parse_mask_part(spec)};
    return complaint([&] { engine.run(inputs); });
  };
  EXPECT_THAT(reported("self/causal"), HasSubstr("no self attention; expected encoder, decoder, cross"));
  EXPECT_THAT(reported("decoder:7/causal"), HasSubstr("layer is 7; expected 0 to "));
  // In addition to the model's own window.
  inputs = inputs_for("qwen2");
  inputs.mask = {parse_mask_part("self:0/padding:0")};
  const auto windows = engine.run(inputs);
  for (int layer = 0; layer < windows->blocks[0].shape.layers; ++layer)
    for (Index key = 0; key <= 2; ++key)
      EXPECT_EQ(weight(windows, 0, layer, key) == 0, windows->blocks[0].mask_of(layer).blocked(0, 2, key));
}

TEST_F(ModelSources, read_maps_in_one_pass_as_by_their_rows) {
  for (const char* name : {"gpt2", "mistral", "t5", "bert"}) {
    Inputs inputs = inputs_for(name);
    inputs.mask = {parse_mask_part("window:2")};
    inputs.temperature = 0.6;
    const auto trace = engine.run(inputs);
    for (const BlockTrace& block : trace->blocks) {
      const auto& [layers, heads, n_q, n_k] = block.maps->size();
      const TokenMatches matches(block.tokens, block.key_tokens);
      for (int layer = 0; layer < layers; ++layer) {
        const int head = heads - 1;
        MapSource::Pools groups;
        groups.queries = groups.keys = 2;
        const Tensor passed = block.maps->pooled(layer, head, groups),
                     by_rows = block.maps->MapSource::pooled(layer, head, groups);
        EXPECT_LT(tests::largest_difference(passed.data(), passed.size(), by_rows.data()), 1e-6) << name;
        // A part of it, from the results of the whole pass.
        MapSource::Pools some = groups;
        some.query_begin = some.key_begin = 2;
        const Tensor part = block.maps->pooled(layer, head, some);
        for (Index i = 0; i < part.dim(0); ++i)
          for (Index j = 0; j < part.dim(1); ++j)
            EXPECT_NEAR(part.at(i)[j], passed.at(i + 1)[j + 1], 1e-7F) << name;
        std::vector<RowNumbers> rows(static_cast<std::size_t>(n_q));
        ASSERT_TRUE(block.maps->row_numbers(layer, head, {&matches, block.shape.causal}, rows));
        for (Index query = 0; query < n_q; ++query) {
          const MapRows weights(*block.maps, layer, head, query, query + 1);
          const float* const row = weights.row(query);
          const RowNumbers& found = rows[static_cast<std::size_t>(query)];
          double entropy = 0, distance = 0;
          for (Index key = 0; key < n_k; ++key) {
            const auto w = static_cast<double>(row[key]);
            entropy -= w > 0 ? w * std::log(w) / std::log(static_cast<double>(n_k)) : 0;
            distance += w * static_cast<double>(std::abs(query - key));
          }
          ASSERT_TRUE(found.read) << name;
          EXPECT_NEAR(found.entropy, entropy, 1e-6) << name;
          EXPECT_NEAR(found.distance, distance, 1e-5) << name;
          EXPECT_NEAR(found.largest, *std::max_element(row, row + n_k), 1e-6) << name;
          EXPECT_NEAR(*found.first, row[0], 1e-6) << name;
        }
      }
    }
  }
}

TEST_F(ModelSources, go_on_with_a_text_as_with_a_fresh_one) {
  Inputs inputs = inputs_for("gpt2");
  const std::string whole = inputs.sentence;
  inputs.sentence = whole.substr(0, whole.rfind(' '));
  RunOptions options;
  options.previous = engine.run(inputs);
  inputs.sentence = whole;
  const auto typed = engine.run(inputs, options), fresh = engine.run(inputs);
  const Index n = fresh->blocks.front().n_q();
  const Tensor a = typed->predictions->logits(0, n), b = fresh->predictions->logits(0, n);
  EXPECT_LE(tests::largest_difference(a.data(), a.size(), b.data()), 1e-5);
}

TEST_F(ModelSources, expect_tokens_and_go_on_with_them) {
  Inputs inputs = inputs_for("gpt2");
  const auto trace = engine.run(inputs);
  const Index n = trace->blocks.front().n_q();
  const auto& predictions = *trace->predictions;
  EXPECT_TRUE(predictions.of_next_token());
  const Tensor last = predictions.logits(n - 1, n);
  const Tensor lens = predictions.logits_after(trace->blocks.front().shape.layers - 1, n - 1, n);
  EXPECT_EQ(tests::largest_difference(last.data(), last.size(), lens.data()), 0);
  const auto source = engine.open_model(inputs.model);
  GenerateRequest request;
  request.max_tokens = 3;
  const auto text = source->generate(inputs, request, engine.context(), {});
  ASSERT_EQ(text->tokens.size(), 3U);
  EXPECT_EQ(text->tokens[0].id,
            likeliest({last.data(), static_cast<std::size_t>(last.size())}, 1).front().id);
  // Token by token, each from scratch.
  Inputs longer = inputs;
  for (const Token& token : text->tokens) {
    const auto run = engine.run(longer);
    const Index length = run->blocks.front().n_q();
    const Tensor row = run->predictions->logits(length - 1, length);
    EXPECT_EQ(token.id, likeliest({row.data(), static_cast<std::size_t>(row.size())}, 1).front().id);
    longer.sentence += " " + token.text;
  }
  request.sampling.temperature = 1;
  request.seed = 7;
  request.max_tokens = 20;
  const auto drawn = source->generate(inputs, request, engine.context(), {});
  EXPECT_EQ(source->generate(inputs, request, engine.context(), {})->tokens, drawn->tokens);
  // A model that generates a text from another: what is not given is generated.
  Inputs translated = inputs_for("marian");
  translated.target.reset();
  const auto own = engine.run(translated);
  request = {};
  const auto target =
      engine.open_model(translated.model)->generate(translated, request, engine.context(), {});
  const std::vector<Token>& tokens = own->blocks[1].tokens;
  for (std::size_t i = 0; i < target->tokens.size(); ++i) EXPECT_EQ(tokens[i + 1], target->tokens[i]);
  EXPECT_THAT(complaint([&] {
                engine.open_model(inputs_for("bert").model)->generate(inputs, request, engine.context(), {});
              }),
              HasSubstr("BERT reads a text"));
}

TEST(Sampling, keeps_to_the_likeliest) {
  const std::vector<float> logits{0, 2, 1, 2, -INFINITY};
  EXPECT_EQ(Sampler({}, 0).choose(logits), 1);
  const auto first = likeliest(logits, 3);
  EXPECT_EQ(first[0].id, 1);
  EXPECT_EQ(first[1].id, 3);
  EXPECT_EQ(first[2].id, 2);
  const double sum = 1 + 2 * std::exp(2.0) + std::exp(1.0);
  EXPECT_NEAR(first[2].probability, std::exp(1.0) / sum, 1e-12);
  EXPECT_NEAR(surprise(logits, 0), std::log2(sum), 1e-12);
  const auto drawn = [&](const Sampling& sampling) {
    Sampler sampler(sampling, 3);
    std::map<Index, double> share;
    for (int i = 0; i < 4000; ++i) share[sampler.choose(logits)] += 1.0 / 4000;
    return share;
  };
  EXPECT_THAT(drawn({1, 2, 1}), SizeIs(2));
  EXPECT_THAT(drawn({1, 0, 0.5}), SizeIs(2));
  EXPECT_THAT(drawn({1, 0, 0}), SizeIs(1));
  const auto all = drawn({1, 0, 1});
  EXPECT_THAT(all, SizeIs(4));
  EXPECT_NEAR(all.at(1), std::exp(2.0) / sum, 0.04);
  EXPECT_NEAR(drawn({0.5, 0, 1}).at(0), 1 / (1 + 2 * std::exp(4.0) + std::exp(2.0)), 0.01);
}

}  // namespace
}  // namespace headscope::tests
