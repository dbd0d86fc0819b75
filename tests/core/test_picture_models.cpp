// Models that read pictures: each tower against the real classes (tests/referee/picture_arrays.py), and as a
// source.
#include <numeric>

#include "core/analysis/arithmetic_stages.h"
#include "core/analysis/expectations.h"
#include "core/inputs/inputs.h"
#include "core/model/effects/logit_contributions.h"
#include "core/model/run/model_run.h"
#include "core/model/weights/picture_parts.h"
#include "core/scene/source_title.h"
#include "core/source/engine/engine.h"
#include "core/source/maps/cell_maps.h"
#include "core/source/model/model_source.h"
#include "core/source/model/picture_reader.h"
#include "tests/support/model_files.h"
#include "tests/support/picture_models.h"
#include "tests/support/reference.h"

namespace headscope::tests {
namespace {

constexpr double picture_bound = 2e-5;

ModelInput of_ids(const std::vector<Index>& ids) {
  ModelInput input;
  input.ids = ids;
  return input;
}

class PictureModels : public InFolder {
 protected:
  ThreadPool threads{2};
  BufferPool memory;
  ComputeContext context{best_kernels(), threads, memory};

  std::string refusal(Json config, const std::vector<WrittenTensor>& tensors) {
    write_model_folder(folder.path, config, tensors);
    return complaint(
        [&] { LanguageModel::open(folder.path.string(), read_config(folder.path.string()), context); });
  }

  void expect_tower(const ModelRun& run, const Arrays& arrays, const std::string& base) {
    SCOPED_TRACE(base);
    const ModelBlock block = run.model().blocks().front();
    for (Index layer = 0; layer < block.layers; ++layer) {
      const auto at = static_cast<std::size_t>(layer);
      const LayerQkv qkv = run.layer_qkv(block.kind, layer, context);
      Tensor maps({qkv.q.dim(0), qkv.q.dim(1), qkv.k.dim(1)});
      for (Index head = 0; head < maps.dim(0); ++head)
        qkv.rows(head, 0, maps.dim(1), maps.at(head), nullptr, context.kernels, memory);
      EXPECT_LE(tests::largest_difference(maps, arrays.at(base + "attention"), at), picture_bound) << layer;
      EXPECT_LE(tests::largest_difference(run.x(block.kind, layer, memory), arrays.at(base + "x"), at),
                picture_bound);
      if (layer + 1 < block.layers) continue;
      EXPECT_LE(tests::largest_difference(qkv.q, arrays.at(base + "q")), picture_bound);
      EXPECT_LE(tests::largest_difference(qkv.v, arrays.at(base + "v")), picture_bound);
    }
    EXPECT_LE(tests::largest_difference(run.stream(block.kind, memory), arrays.at(base + "stream")),
              picture_bound);
  }
  static void expect_numbers(const std::vector<double>& found, const NamedArray& expected) {
    ASSERT_EQ(found.size(), expected.values.size());
    for (std::size_t i = 0; i < found.size(); ++i)
      EXPECT_NEAR(found[i], static_cast<double>(expected.values[i]), picture_bound) << i;
  }
};

TEST_F(PictureModels, are_what_pytorch_computes) {
  const Arrays arrays = load("models/pictures.npz");
  for (const Json& entry : picture_model_cases()) {
    const std::string name = entry["name"];
    SCOPED_TRACE(name);
    write_model_folder(folder.path, entry["config"], tensors_of(entry));
    const ModelConfig config = read_config(folder.path.string());
    const auto model = LanguageModel::open(folder.path.string(), config, context);
    const Index height = entry["size"][0], width = entry["size"][1];
    const std::vector<float> drawn =
        drawn_numbers(name + "/pixels", static_cast<std::size_t>(3 * height * width), 1, 0);
    Tensor pixels({3, height, width});
    std::ranges::copy(drawn, pixels.data());
    ModelInput input;
    input.pixels = std::make_shared<const Tensor>(pixels);
    const PatchCounts counts = count_patches(*config.picture, pixels);
    input.ids.resize(picture_tokens(*config.picture, counts.rows, counts.columns).size());
    const auto run = ModelRun::run(model, {input, {}, nullptr, {}, {}}, context);
    expect_tower(*run, arrays, name + ".self.");
    ASSERT_EQ(model->head().has_value(), arrays.contains(name + ".logits"));
    if (model->head()) {
      const Tensor logits = run->logits(0, 1, context);
      expect_numbers({logits.data(), logits.data() + logits.size()}, arrays.at(name + ".logits"));
      std::vector<double> sums;
      for (Index label = 0; label < model->outputs(); ++label)
        sums.push_back(logit_contributions(*run, 0, label, context)->sum());
      expect_numbers(sums, arrays.at(name + ".logits"));
    }
    const Tensor stream = run->stream(BlockKind::self, memory);
    const std::vector<double> seen = projected_vector(*model, stream, {}, context);
    ASSERT_EQ(!seen.empty(), arrays.contains(name + ".embedding"));
    if (!seen.empty()) expect_numbers(seen, arrays.at(name + ".embedding"));
    ASSERT_EQ(config.text_tower != nullptr, arrays.contains(name + ".similarity"));
    if (!config.text_tower) continue;
    const auto text = LanguageModel::open(folder.path.string(), *config.text_tower, context);
    std::vector<double> similarity, sums;
    for (const std::vector<Index> ids : entry["sentences"]) {
      const auto said = ModelRun::run(text, {of_ids(ids), {}, nullptr, {}, {}}, context);
      if (similarity.empty()) expect_tower(*said, arrays, name + ".text.");
      const auto vector = projected_vector(*text, said->stream(BlockKind::self, memory), ids, context);
      similarity.push_back(similarity_logit(model->tower_head(), seen, vector));
      sums.push_back(logit_contributions(*run, linear_similarity(*run, vector, context), context)->sum());
    }
    expect_numbers(similarity, arrays.at(name + ".similarity"));
    expect_numbers(sums, arrays.at(name + ".similarity"));
  }
}

TEST_F(PictureModels, refuse_absurd_configs_and_weights_that_do_not_fit_in_a_line) {
  const Json entry = picture_model_case("vit");
  const auto tensors = tensors_of(entry);
  const auto with = [&](const char* field, Json value) {
    Json config = entry["config"];
    config[field] = std::move(value);
    return refusal(config, tensors);
  };
  EXPECT_THAT(with("patch_size", 0), HasSubstr("patch_size is 0; expected a whole number from 1 to 16384"));
  EXPECT_THAT(with("patch_size", 13), HasSubstr("patch_size is 13; expected at most 12, the picture's side"));
  EXPECT_THAT(with("image_size", 1000000000), HasSubstr("image_size is 1000000000; expected a whole number"));
  EXPECT_THAT(with("image_size", Json{16384, 16384}), HasSubstr("expected at most 65536 patches"));
  EXPECT_THAT(with("image_size", Json{12}), HasSubstr("expected a list of length 2"));
  EXPECT_THAT(with("num_channels", 1), HasSubstr("num_channels is 1; expected 3"));
  EXPECT_THAT(with("id2label", Json{{"5", "five"}}), HasSubstr("expected the name of label 0"));
  EXPECT_THAT(with("image_size", 16),
              HasSubstr("position_embeddings: shape is [1, 10, 24]; expected [17, 24]"));
  EXPECT_THAT(with("patch_size", 3),
              HasSubstr("projection.weight: shape is [24, 3, 4, 4]; expected [24, 3, 3, 3]"));
}

/// Of the whole picture.
std::vector<double> logits_of(const Trace& trace) {
  const Tensor logits = trace.predictions->logits(0, 1);
  return {logits.data(), logits.data() + logits.size()};
}

/// A folder with a tokenizer of words, and a picture.
class PictureSources : public PictureModels {
 protected:
  Inputs inputs_of(const char* name, const std::string& processor = R"({"size": 12, "crop_size": 12})") {
    write_picture_model(folder.path, name, processor);
    Inputs inputs;
    inputs.model = folder.path.string();
    inputs.picture = test_picture("photo.png");
    return inputs;
  }
  Engine engine{1};
};

TEST_F(PictureSources, name_patches_by_row_and_column_and_say_the_labels) {
  const Inputs inputs = inputs_of("deit");
  const auto trace = engine.run(inputs);
  const BlockTrace& block = trace->blocks.front();
  ASSERT_EQ(block.n_q(), 11);
  EXPECT_EQ(block.tokens[0].text, "[CLS]");
  EXPECT_EQ(block.tokens[1].text, "[DIST]");
  EXPECT_EQ(block.tokens[2].text, "r1c1");
  EXPECT_EQ(block.tokens[10].text, "r3c3");
  ASSERT_TRUE(block.patches && block.key_patches);
  EXPECT_EQ(block.patches->first, 2);
  EXPECT_EQ(block.patches->count(), 9);
  ASSERT_NE(block.patches->shown, nullptr);
  EXPECT_EQ(block.patches->shown->height, 23);
  ASSERT_NE(trace->predictions, nullptr);
  EXPECT_EQ(trace->predictions->output().kind, OutputKind::picture_label);
  EXPECT_EQ(trace->predictions->text_query(), 0);
  EXPECT_EQ(trace->predictions->token(2), "triangle");
  const auto expected = expectations(*trace, whole_range(*trace, false));
  ASSERT_THAT(expected->at(1, 0), SizeIs(3));
  double sum = 0;
  for (const auto& label : expected->at(1, 0)) sum += label.probability;
  EXPECT_NEAR(sum, 1, 1e-12);
}

TEST_F(PictureSources, contributions_of_heads_add_up_to_the_logit_of_a_label) {
  EXPECT_EQ(engine.run(inputs_of("vit"))->predictions->ids("square"), std::vector<Index>{1});
  for (const char* name : {"vit", "deit", "dinov2-gated", "clip-labels", "siglip-labels", "clip", "siglip"}) {
    SCOPED_TRACE(name);
    Inputs inputs = inputs_of(name);
    inputs.sentence = "w5 w17 w49\nw9 w49";
    const auto trace = engine.run(inputs);
    const auto parts = trace->predictions->contributions(0, 1);
    EXPECT_NEAR(parts->logit, logits_of(*trace)[1], picture_bound);
    // Cells of the rows that the label is read from add up to what each head adds.
    const auto shown = with_cells(trace, BlockKind::self, {CellValue::logit, 1, {}});
    double sum = 0;
    for (Index i = 0; i < shown->n_q(); ++i) {
      const Tensor row = shown->cells.maps->row(1, 1, i);
      sum = std::accumulate(row.data(), row.data() + row.size(), sum);
    }
    EXPECT_NEAR(sum, parts->find(BlockKind::self)->heads[1][1], picture_bound);
    if (trace->blocks.size() > 1) {
      EXPECT_NE(missing_for_cells(*trace, trace->blocks[1], CellValue::logit), nullptr);
    }
  }
}

TEST_F(PictureSources, without_a_picture_there_are_no_tokens) {
  Inputs inputs = inputs_of("vit");
  inputs.picture.clear();
  const auto trace = engine.run(inputs);
  EXPECT_EQ(trace->blocks.front().n_q(), 0);
  EXPECT_EQ(trace->predictions, nullptr);
  inputs.picture = at("nothing.png");
  EXPECT_THAT(complaint([&] { engine.run(inputs); }), HasSubstr("nothing.png"));
}

TEST_F(PictureSources, hold_a_picture_against_sentences) {
  Inputs inputs = inputs_of("clip");
  inputs.sentence = "w5 w17 w49\n\nw9 w49";
  const auto trace = engine.run(inputs);
  ASSERT_THAT(trace->blocks, SizeIs(2));
  EXPECT_EQ(trace->blocks[1].shape.kind, BlockKind::text);
  EXPECT_EQ(trace->blocks[1].n_q(), 3);
  EXPECT_TRUE(trace->blocks[1].shape.causal);
  EXPECT_NEAR(trace->blocks[1].maps->weight(0, 0, 0, 0), 1, 1e-6);
  EXPECT_EQ(trace->predictions->output().kind, OutputKind::sentence);
  EXPECT_THAT(trace->predictions->output().labels, testing::ElementsAre("w5 w17 w49", "w9 w49"));
  EXPECT_NEAR(prediction_at(*trace, 0, 0) + prediction_at(*trace, 0, 1), 1, 1e-12);
  EXPECT_EQ(trace->predictions->logits_after(0, 0, 1).size(), 2);
  const auto before = logits_of(*trace)[0];
  inputs.ablated_heads = {{BlockKind::text, 0, 1}};
  EXPECT_GT(std::abs(logits_of(*engine.run(inputs))[0] - before), 1e-4);
  inputs.ablated_heads = {{BlockKind::text, 0, 2}};
  EXPECT_THAT(complaint([&] { engine.run(inputs); }), HasSubstr("head is 2"));
}

TEST_F(PictureSources, fill_a_text_up_where_padding_is_read) {
  Inputs inputs = inputs_of("siglip");
  inputs.sentence = "w5 w17";
  const auto trace = engine.run(inputs);
  EXPECT_EQ(trace->blocks[1].n_q(), 6);
  EXPECT_EQ(trace->blocks[1].tokens.back().text, "w1");
  EXPECT_EQ(trace->predictions->output().scale, LabelScale::any);
}

TEST_F(PictureSources, have_their_own_names) {
  for (const auto& [name, shown] : {std::pair{"vit", "ViT"}, {"vit_mae", "ViT-MAE"}, {"ijepa", "I-JEPA"}})
    EXPECT_EQ(engine.run(inputs_of(name))->about().family, shown);
}

TEST_F(PictureSources, a_label_of_a_mean_is_of_several_patches) {
  const auto of_mean = engine.run(inputs_of("ijepa")), of_first = engine.run(inputs_of("vit"));
  EXPECT_EQ(of_mean->predictions->text_queries(), of_mean->blocks.front().n_q());
  EXPECT_EQ(of_first->predictions->text_queries(), 1);
  Inputs towers = inputs_of("siglip2");
  towers.sentence = "w5 w17";
  const auto pooled = engine.run(towers);
  EXPECT_EQ(pooled->predictions->text_queries(), pooled->blocks.front().n_q());
  EXPECT_EQ(block_title(Translator(), *pooled, BlockKind::self), "Picture");
  EXPECT_EQ(block_title(Translator(), *of_first, BlockKind::self), "Self-attention");
}

TEST_F(PictureSources, layer_scale_is_a_stage_whose_digits_are_the_runs) {
  const auto trace =
      engine.run(inputs_of("dinov2", R"({"size": {"height": 8, "width": 20}, "do_center_crop": false})"));
  const CellIntermediates way = trace->blocks.front().computed_layers->way(1, 2, 0, 3);
  ASSERT_TRUE(way.added_norm && way.added_norm->scale);
  EXPECT_EQ(way.added_norm->mean, 0);
  EXPECT_EQ(way.added_norm->deviation, 1);
  EXPECT_THAT(trace->source->stages(BlockKind::self, 0), testing::Contains("output_scale"));
  EXPECT_STREQ(stage_title("output_scale", *trace, trace->blocks.front()),
               "Scale of the output (LayerScale)");
}

}  // namespace
}  // namespace headscope::tests
