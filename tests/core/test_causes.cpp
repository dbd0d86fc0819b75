#include "core/figure/boards/causes_board.h"
#include "core/model/effects/causes.h"
#include "core/model/effects/circuits.h"
#include "core/model/effects/head_paths.h"
#include "core/model/layer/layer_parts.h"
#include "core/model/run/run_layer.h"
#include "core/source/engine/engine.h"
#include "core/source/model/model_source.h"
#include "tests/support/model_folder.h"
#include "tests/support/model_inputs.h"
#include "tests/support/read_arrays.h"
#include "tests/support/testing.h"

namespace headscope::tests {
namespace {

// Against PyTorch in double precision: tests/data/models/make_causes.py.
constexpr double bound = 2e-5;

const Arrays& reference() {
  static const Arrays arrays = read_arrays(SOURCE_DIR "/tests/data/models/causes.npz");
  return arrays;
}

class InductionCauses : public testing::Test {
 protected:
  std::shared_ptr<const Trace> run_of(const std::string& sentence) {
    Inputs inputs;
    inputs.model = SOURCE_DIR "/assets/models/induction";
    inputs.sentence = sentence;
    return engine.run(inputs);
  }
  Index id(const std::string& token) const { return a->predictions->ids(token).front(); }

  CauseRequest asked(CauseChange change, CausePlaces places = CausePlaces::all) const {
    CauseRequest request;
    request.question = {a->blocks.front().n_q() - 1, id("old"), {}};
    if (is_patch(change)) request.question.against = id("big");
    request.change = change;
    request.places = places;
    return request;
  }
  CauseMap found(const CauseRequest& request) {
    const auto causes =
        find_causes(*a->run, needs_other(request.change) ? b->run.get() : nullptr, request, engine.context());
    EXPECT_EQ(causes->maps.size(), 1U);
    return causes->maps.front();
  }
  static void expect_values(const std::vector<double>& values, const std::string& name) {
    const std::vector<float>& expected = reference().at(name).values;
    ASSERT_EQ(values.size(), expected.size()) << name;
    double scale = 1;
    for (const double value : values) scale = std::max(scale, std::abs(value));
    for (std::size_t i = 0; i < values.size(); ++i)
      ASSERT_NEAR(values[i], static_cast<double>(expected[i]), bound * scale) << name << " " << i;
  }
  std::string refusal(const CauseRequest& request, const ModelRun* other = nullptr) {
    try {
      find_causes(*a->run, other, request, engine.context());
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

  Engine engine{2};
  const std::string clean = "one red fox ran over my old bridge one red fox ran over my";
  std::shared_ptr<const Trace> a = run_of(clean);
  std::shared_ptr<const Trace> b = run_of("one red fox ran over my big bridge one red fox ran over my");
};

std::string name_in_reference(CauseChange change) {
  return to_name(change);
}

TEST_F(InductionCauses, heads_are_knocked_out_as_in_the_reference) {
  for (const CauseChange change : {CauseChange::zero, CauseChange::mean, CauseChange::other}) {
    const CauseMap map = found(asked(change));
    EXPECT_EQ(map.shape, (std::vector<Index>{2, 4}));
    expect_values(map.values, "knock_" + name_in_reference(change));
    const CauseMap at = found(asked(change, CausePlaces::position));
    EXPECT_EQ(at.shape, (std::vector<Index>{2, 4, 15}));
    expect_values(at.values, "knock_" + name_in_reference(change) + "_positions");
  }
}

TEST_F(InductionCauses, the_two_heads_of_induction_matter_most) {
  const CauseMap map = found(asked(CauseChange::zero));
  const auto value = [&](std::size_t layer, std::size_t head) { return map.values[4 * layer + head]; };
  for (std::size_t i = 0; i < map.values.size(); ++i)
    if (i != 1 && i != 6) {
      EXPECT_LT(std::abs(map.values[i]), 0.2);
    }
  EXPECT_LT(value(0, 1), -5) << "the previous-token head";
  EXPECT_LT(value(1, 2), -5) << "the induction head";
}

TEST_F(InductionCauses, edges_and_keys_of_one_head) {
  for (const CauseChange change : {CauseChange::zero, CauseChange::mean, CauseChange::other}) {
    CauseRequest request = asked(change, CausePlaces::edge);
    request.head = HeadPlace{BlockKind::self, 1, 2};
    expect_values(found(request).values, "edges_" + name_in_reference(change));
    request.places = CausePlaces::key;
    expect_values(found(request).values, "keys_" + name_in_reference(change));
  }
}

TEST_F(InductionCauses, parts_are_patched_in_both_directions) {
  for (const bool noise : {false, true}) {
    const std::string direction = noise ? "noise_" : "denoise_";
    for (const CauseChange change :
         {CauseChange::output, CauseChange::pattern, CauseChange::value, CauseChange::stream,
          CauseChange::attention, CauseChange::feed_forward}) {
      CauseRequest request = asked(change, CausePlaces::position);
      request.noise = noise;
      expect_values(found(request).values, direction + to_name(change) + "_positions");
      if (change == CauseChange::stream) continue;
      request.places = CausePlaces::all;
      expect_values(found(request).values, direction + to_name(change));
    }
  }
}

TEST_F(InductionCauses, paths_between_heads_and_into_the_logits) {
  std::vector<HeadPlace> heads;
  for (int layer = 0; layer < 2; ++layer)
    for (int head = 0; head < 4; ++head) heads.push_back({BlockKind::self, layer, head});
  const CauseQuestion question = asked(CauseChange::zero).question;
  const auto paths = find_paths(*a->run, question, heads, engine.context());
  expect_values(paths->changes, "knock_zero");
  std::vector<double> direct, between(16);
  for (const HeadPath& path : paths->paths) {
    if (!path.into)
      direct.push_back(path.change);
    else
      between[static_cast<std::size_t>(4 * path.from.head + path.into->head)] = path.change;
  }
  expect_values(direct, "direct");
  expect_values(between, "paths");
  EXPECT_EQ(std::ranges::min_element(between) - between.begin(), 4 * 1 + 2)
      << "the previous-token head acts through the induction head";
  // Those that matter, from the map.
  EXPECT_EQ(heads_that_matter(std::array{found(asked(CauseChange::zero))}, 5, 0.5),
            (std::vector<HeadPlace>{{BlockKind::self, 0, 1}, {BlockKind::self, 1, 2}}));
  EXPECT_THROW(find_paths(*a->run, question, std::array{HeadPlace{BlockKind::self, 2, 0}}, engine.context()),
               Error);
}

TEST_F(InductionCauses, say_what_is_wrong_with_a_question) {
  CauseRequest request = asked(CauseChange::zero);
  request.question.position = 15;
  EXPECT_THAT(refusal(request), HasSubstr("position 15 does not exist; the text has 15 tokens"));
  request = asked(CauseChange::zero);
  request.question.answer = 100;
  EXPECT_THAT(refusal(request), HasSubstr("token id 100 is outside of the model's vocabulary of 100"));
  request = asked(CauseChange::zero, CausePlaces::edge);
  request.head = HeadPlace{BlockKind::self, 2, 0};
  EXPECT_THAT(refusal(request), HasSubstr("the head 2.0 does not exist"));
  const auto shorter = run_of("one red fox");
  EXPECT_THAT(refusal(asked(CauseChange::output), shorter->run.get()),
              HasSubstr("4 (B) and 15 (A), and in their tokens from position 4 on"));
  EXPECT_THAT(refusal(asked(CauseChange::output), a->run.get()), HasSubstr("the same logits for both texts"));
}

TEST_F(InductionCauses, are_exactly_none_where_nothing_can_change) {
  const Index n = a->blocks.front().n_q();
  CauseRequest request = asked(CauseChange::zero, CausePlaces::edge);
  request.head = HeadPlace{BlockKind::self, 1, 2};
  const CauseMap edges = found(request);
  for (Index query = 0; query < n; ++query)
    for (Index key = query + 1; key < n; ++key)
      ASSERT_EQ(edges.values[static_cast<std::size_t>(query * n + key)], 0) << query << " sees no " << key;
  for (Index query = 0; query + 1 < n; ++query)
    for (Index key = 0; key <= query; ++key)
      ASSERT_EQ(edges.values[static_cast<std::size_t>(query * n + key)], 0)
          << "no layer above reads " << query;
  EXPECT_NE(edges.values[static_cast<std::size_t>(n * n - 2)], 0);
  request = asked(CauseChange::output, CausePlaces::position);
  request.question.position = n - 3;
  request.question.answer = id("ran");
  request.question.against = {};
  for (const bool noise : {false, true}) {
    request.noise = noise;
    const CauseMap later = found(request);
    for (std::size_t i = 0; i < later.values.size(); ++i)
      if (static_cast<Index>(i) % n > n - 3) {
        ASSERT_EQ(later.values[i], noise ? 1 : 0) << i;
      }
  }
  request = asked(CauseChange::other);
  const auto same = find_causes(*a->run, a->run.get(), request, engine.context());
  EXPECT_THAT(same->maps.front().values, testing::Each(0));
}

TEST_F(InductionCauses, are_told_as_they_are_found) {
  CauseRequest request = asked(CauseChange::zero, CausePlaces::position);
  std::vector<CauseMap> parts;
  request.found = [&](const Causes& so_far) { parts.push_back(so_far.maps.front()); };
  const CauseMap all = found(request);
  ASSERT_EQ(parts.size(), 3U) << "none, and after each layer";
  EXPECT_THAT(parts.front().values, testing::IsEmpty());
  for (const CauseMap& part : parts) {
    EXPECT_EQ(part.shape, all.shape);
    EXPECT_EQ(part.whole(), &part == &parts.back());
    EXPECT_TRUE(std::equal(part.values.begin(), part.values.end(), all.values.begin()));
    EXPECT_EQ(part.probabilities.size(), part.values.size());
  }
}

TEST_F(InductionCauses, have_their_places_before_they_are_found) {
  std::vector<ShownCauses> parts;
  CauseChoice choice;
  choice.change = CauseChange::mean;
  const auto whole =
      shown_causes(*a, nullptr, choice, {}, {}, [&](const auto& request, const Causes& so_far) {
        parts.push_back({request, std::make_shared<Causes>(so_far), nullptr, {}});
      });
  parts.push_back(*whole);
  Scene scene = make_scene(block_of(a, BlockKind::self), nullptr, View(), {}, {});
  scene.trace = a;
  BoardStyle style;
  style.measure = [](std::string_view text, double size) {
    return 0.5 * size * static_cast<double>(text.size());
  };
  const auto board_of = [&](const ShownCauses& shown) {
    return causes_board(scene, shown, style, {600, 400, false}, Translator());
  };
  const Board all = board_of(*whole);
  ASSERT_EQ(all.regions.size(), 8U);
  for (const ShownCauses& part : parts) {
    const Board board = board_of(part);
    ASSERT_EQ(board.regions.size(), all.regions.size());
    for (std::size_t i = 0; i < board.regions.size(); ++i) {
      EXPECT_EQ(board.regions[i].rect, all.regions[i].rect) << i;
      const bool known = i < part.causes->maps.front().values.size();
      EXPECT_EQ(board.regions[i].name == all.regions[i].name, known);
      const std::string text = cause_text(scene, part, *board.regions[i].of<CauseTarget>(), Translator());
      EXPECT_EQ(text.ends_with("not computed yet"), !known) << text;
    }
    EXPECT_EQ(board.height, all.height);
    EXPECT_EQ(board.lines.size() > all.lines.size(), !part.causes->whole()) << "outlines";
  }
  choice.change = CauseChange::zero;
  choice.places = CausePlaces::path;
  shown_causes(*a, nullptr, choice, {}, {}, [](const CauseRequest&, const Causes&) { FAIL() << "a graph"; });
}

TEST_F(InductionCauses, stop_when_asked_to) {
  std::stop_source stop;
  CauseRequest request = asked(CauseChange::zero);
  request.stop = stop.get_token();
  request.progress = [&](double share) {
    EXPECT_LE(share, 1);
    stop.request_stop();
  };
  EXPECT_EQ(find_causes(*a->run, nullptr, request, engine.context()), nullptr);
}

TEST_F(InductionCauses, stop_amid_more_changes_than_fit_at_once) {
  std::string words = "one red fox";
  for (int i = 0; i < 60; ++i) words += i % 2 == 0 ? " ran" : " over";
  a = run_of(words);
  std::stop_source stop;
  CauseRequest request = asked(CauseChange::zero, CausePlaces::edge);
  request.head = HeadPlace{BlockKind::self, 1, 2};
  request.stop = stop.get_token();
  request.progress = [&](double share) {
    EXPECT_LT(share, 0.1);
    stop.request_stop();
  };
  EXPECT_EQ(find_causes(*a->run, nullptr, request, engine.context()), nullptr);
}

// TransformerLens' W_E · OV · W_U of the same weights, in double precision, with center_unembed false and
// true.
TEST_F(InductionCauses, copying_scores_are_those_of_transformer_lens_either_way) {
  const auto model = engine.open_model(SOURCE_DIR "/assets/models/induction");
  const std::vector<std::vector<double>> expected[] = {
      {{0.380707397, 0.632666726, 0.284163393, 0.340734971},
       {-0.387342318, 0.005689474, 0.801098358, -0.343772294}},
      {{0.361741300, 0.633093588, 0.283471753, 0.335022435},
       {-0.389814599, 0.010689954, 0.801662916, -0.342441807}}};
  for (const bool centred : {false, true}) {
    const CircuitNumbers numbers = Circuits(model->model(), centred).numbers();
    for (std::size_t layer = 0; layer < 2; ++layer)
      for (std::size_t head = 0; head < 4; ++head)
        EXPECT_NEAR(numbers.copying_score[layer][head], expected[centred ? 1 : 0][layer][head], 1e-7)
            << centred << " " << layer << "." << head;
  }
}

TEST_F(InductionCauses, centred_logits_lose_what_a_head_adds_to_all_tokens) {
  const auto model = engine.open_model(SOURCE_DIR "/assets/models/induction");
  const Index fox = id("fox");
  const Eigen::VectorXd whole = Circuits(model->model()).ov_logits(1, 2, fox),
                        centred = Circuits(model->model(), true).ov_logits(1, 2, fox);
  EXPECT_GT(std::abs(whole.mean()), 1e-3);
  EXPECT_LT((whole.array() - whole.mean() - centred.array()).abs().maxCoeff(), 1e-9);
}

TEST_F(InductionCauses, circuits_are_those_of_whole_matrices) {
  const auto model = engine.open_model(SOURCE_DIR "/assets/models/induction");
  const Circuits circuits(model->model());
  const auto flat = [](const OfHeads& values) {
    std::vector<double> all;
    for (const auto& layer : values) all.insert(all.end(), layer.begin(), layer.end());
    return all;
  };
  const CircuitNumbers numbers = circuits.numbers();
  expect_values(flat(numbers.copying_score), "copying_score");
  expect_values(flat(numbers.qk_effective_rank), "qk_effective_rank");
  expect_values(flat(numbers.ov_effective_rank), "ov_effective_rank");
  for (const Composition how : {Composition::q, Composition::k, Composition::v}) {
    const Eigen::MatrixXd of_pairs = circuits.composition(how, 0, 1);
    std::vector<double> values;
    for (const auto& row : of_pairs.rowwise()) values.insert(values.end(), row.begin(), row.end());
    expect_values(values, std::string("composition_") + to_name(how));
    if (how == Composition::k) {
      EXPECT_EQ(std::ranges::max_element(values) - values.begin(), 4 * 1 + 2)
          << "the induction head's keys read the previous-token head";
    }
  }
  const auto as_vector = [](const Eigen::VectorXd& v) { return std::vector<double>(v.begin(), v.end()); };
  const Index fox = id("fox");
  expect_values(as_vector(circuits.ov_logits(1, 2, fox)), "ov_logits");
  expect_values(as_vector(circuits.qk_scores(1, 2, fox)), "qk_scores");
  // W_O W_V of a head is the sum of its directions.
  const std::vector<Direction> directions = circuits.directions(1, 2, true, 1000);
  const HeadMatrices induction = circuits.of(1, 2);
  Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(induction.o.rows(), induction.v.cols());
  for (const Direction& each : directions) sum += each.value * each.left * each.right.transpose();
  EXPECT_LT((sum - induction.o * induction.v).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_EQ(directions.front().value, circuits.singular_values(1, 2, true).front());
  const std::vector<TokenScore> raised = extreme_tokens(circuits.ov_logits(1, 2, fox), 3, true);
  EXPECT_EQ(raised.front().id, fox) << "an induction head copies";
  EXPECT_GE(raised[0].score, raised[1].score);
}

class CausesOfFamilies : public InFolder {
 protected:
  /// Opens each model with an output for tokens, one folder after another.
  void for_each_model(const std::function<void(const Json&, std::shared_ptr<const LanguageModel>)>& check) {
    int models = 0;
    for (const Json& entry : model_cases()) {
      SCOPED_TRACE(entry["name"].get<std::string>());
      write_model_folder(folder.path, entry["config"], tensors_of(entry));
      const auto model =
          LanguageModel::open(folder.path.string(), read_config(folder.path.string()), context);
      if (!model->head() || model->config().output.kind != OutputKind::tokens) continue;
      ++models;
      if (model->config().funnel) {
        EXPECT_THROW(find_causes(*run(model, input_of(entry)), nullptr, {}, context), Error);
        continue;
      }
      check(entry, model);
    }
    EXPECT_GT(models, 40);
  }
  std::shared_ptr<const ModelRun> run(const std::shared_ptr<const LanguageModel>& model,
                                      const ModelInput& input, const ModelChanges& changes = {}) {
    return ModelRun::run(model, {input, changes, nullptr, {}, {}}, context);
  }
  static Index positions_of(const ModelInput& input) {
    return std::ssize(input.decoder_ids.empty() ? input.ids : input.decoder_ids);
  }
  /// The models of the reference, whose attentions are numbered in the order of a pass.
  void for_each_reference(const std::function<void(const Json&, const std::shared_ptr<const LanguageModel>&,
                                                   const std::vector<HeadPlace>&)>& check) {
    for (const char* name : {"bert", "t5", "marian", "mbart"}) {
      SCOPED_TRACE(name);
      const Json entry = model_case(name);
      write_model_folder(folder.path, entry["config"], tensors_of(entry));
      const auto model =
          LanguageModel::open(folder.path.string(), read_config(folder.path.string()), context);
      std::vector<HeadPlace> attentions;
      const auto add = [&](BlockKind kind, int layer) { attentions.push_back({kind, layer, 0}); };
      const bool both = model->config().encoder_decoder();
      for (int layer = 0; layer < 2; ++layer) add(both ? BlockKind::encoder : BlockKind::self, layer);
      for (int layer = 0; both && layer < 2; ++layer) {
        add(BlockKind::decoder, layer);
        add(BlockKind::cross, layer);
      }
      check(entry, model, attentions);
    }
  }

  Engine engine{2};
  ComputeContext context = engine.context();
};

// Against whole passes with the head off: every place of a norm, parallel layers, grouped keys, rotary
// positions, encoders, decoders and what lies between them.
TEST_F(CausesOfFamilies, a_knock_out_is_a_whole_pass_without_the_head) {
  for_each_model([&](const Json& entry, const std::shared_ptr<const LanguageModel>& model) {
    const ModelInput input = input_of(entry);
    CauseRequest request;
    request.question = {positions_of(input) - 1, 7, 11};
    const auto base = run(model, input);
    const auto difference = [&](const ModelRun& of) {
      const Tensor logits = of.logits(request.question.position, request.question.position + 1, context);
      return static_cast<double>(logits.data()[7]) - static_cast<double>(logits.data()[11]);
    };
    for (const CauseChange change : {CauseChange::zero, CauseChange::mean}) {
      request.change = change;
      const auto causes = find_causes(*base, nullptr, request, context);
      ASSERT_EQ(causes->maps.size(), model->blocks().size());
      EXPECT_NEAR(causes->clean, difference(*base), 1e-6);
      for (std::size_t b = 0; b < causes->maps.size(); ++b) {
        const ModelBlock block = model->blocks()[b];
        const CauseMap& map = causes->maps[b];
        EXPECT_EQ(map.kind, block.kind);
        for (Index layer = 0; layer < block.layers; ++layer) {
          const auto head = static_cast<int>(layer % map.shape[1]);
          AttentionChange off;
          off.ablated_heads = {head};
          if (change == CauseChange::mean) off.off_by = AttentionChange::AblatedHeads::mean;
          ModelChanges changes;
          changes.set(block.kind, layer, off);
          EXPECT_NEAR(map.values[static_cast<std::size_t>(layer * map.shape[1] + head)],
                      difference(*run(model, input, changes)) - causes->clean, 2e-5)
              << to_name(block.kind) << " layer " << layer;
        }
      }
    }
  });
}

// Where two texts differ in one token, its stream before the first layer is the whole difference.
TEST_F(CausesOfFamilies, the_first_stream_at_the_token_that_differs_is_all_of_it) {
  for_each_model([&](const Json& entry, const std::shared_ptr<const LanguageModel>& model) {
    const ModelInput clean = input_of(entry);
    if (clean.sound) return;  // no token of what it reads can differ
    // What tokens have for each layer is not in the stream.
    if (model->config().layer_embeddings) return;
    ModelInput corrupted = clean;
    // Within every family's window of the last position.
    Index changed = std::ssize(corrupted.ids) - 2;
    // Padding that is not counted would move the tokens behind it.
    if (corrupted.ids[static_cast<std::size_t>(changed)] == model->config().pad_token) --changed;
    Index& id = corrupted.ids[static_cast<std::size_t>(changed)];
    id = (id + 9) % 40 + 5;
    const auto a = run(model, clean), b = run(model, corrupted);
    CauseRequest request;
    request.question = {positions_of(clean) - 1, 7, 11};
    request.change = CauseChange::stream;
    const auto causes = find_causes(*a, b.get(), request, context);
    const CauseMap& map = causes->maps.front();
    ASSERT_EQ(map.shape[1], std::ssize(clean.ids));
    // Both logits are right to 1e-6 or so, and may be close to each other.
    const double error = 1e-5 + 4e-6 / std::abs(causes->clean - *causes->corrupted);
    for (std::size_t i = 0; i < clean.ids.size(); ++i)
      EXPECT_NEAR(map.values[i], static_cast<Index>(i) == changed ? 1 : 0, error) << i;
  });
}

TEST_F(CausesOfFamilies, paths_between_blocks_and_where_norms_come_after_the_sums) {
  for_each_reference([&](const Json& entry, const std::shared_ptr<const LanguageModel>& model,
                         const std::vector<HeadPlace>& attentions) {
    const auto base = run(model, input_of(entry));
    std::vector<HeadPlace> heads;
    for (const HeadPlace& attention : attentions) {
      const auto blocks = model->blocks();
      const auto of = std::ranges::find(blocks, attention.block, &ModelBlock::kind);
      for (int head = 0; head < of->heads; ++head) heads.push_back({attention.block, attention.layer, head});
    }
    const auto& expected = reference().at("paths_" + entry["name"].get<std::string>());
    const Index position = entry["name"] == "t5" ? 4 : entry["name"] == "marian" ? 2 : 3;
    const auto paths = find_paths(*base, {position, 7, 11}, heads, context);
    const auto row_of = [&](const HeadPath& path) {
      const auto number = [&](const HeadPlace& head) {
        return std::ranges::find(attentions, HeadPlace{head.block, head.layer, 0}) - attentions.begin();
      };
      for (std::size_t row = 0; row < expected.values.size(); row += 5) {
        const auto is = [&](std::size_t at, const std::optional<HeadPlace>& head) {
          const float attention = head ? static_cast<float>(number(*head)) : -1;
          return expected.values[row + at] == attention &&
                 expected.values[row + at + 1] == (head ? static_cast<float>(head->head) : -1);
        };
        if (is(0, path.from) && is(2, path.into)) return row;
      }
      throw std::runtime_error("no such path");
    };
    for (const HeadPath& path : paths->paths) {
      const std::size_t row = row_of(path);
      EXPECT_NEAR(path.change, static_cast<double>(expected.values[row + 4]), bound)
          << expected.values[row] << "." << path.from.head << " into " << expected.values[row + 2] << "."
          << expected.values[row + 3];
    }
    EXPECT_EQ(5 * paths->paths.size(), expected.values.size());
  });
}

TEST_F(CausesOfFamilies, what_sublayers_add_is_patched_in_every_block) {
  for_each_reference([&](const Json& entry, const std::shared_ptr<const LanguageModel>& model,
                         const std::vector<HeadPlace>& attentions) {
    const auto base = run(model, input_of(entry));
    ModelInput other = base->input();
    Index& id = other.ids[other.ids.size() - 2];
    id = (id + 9) % 40 + 5;
    const auto b = run(model, other);
    const std::string name = entry["name"];
    CauseRequest request;
    request.question = {name == "t5" ? 4 : name == "marian" ? 2 : 3, 7, 11};
    for (const CauseChange change : {CauseChange::attention, CauseChange::feed_forward}) {
      request.change = change;
      const auto causes = find_causes(*base, b.get(), request, context);
      const bool attention = change == CauseChange::attention;
      std::vector<double> values;
      for (const HeadPlace& place : attentions) {
        const auto map = std::ranges::find(causes->maps, place.block, &CauseMap::kind);
        if (map != causes->maps.end()) values.push_back(map->values[static_cast<std::size_t>(place.layer)]);
      }
      const double error = bound + 4e-6 / std::abs(causes->clean - *causes->corrupted);
      const std::vector<float>& expected =
          reference().at((attention ? "attention_" : "feed_forward_") + name).values;
      ASSERT_EQ(values.size(), expected.size());
      for (std::size_t i = 0; i < values.size(); ++i)
        EXPECT_NEAR(values[i], static_cast<double>(expected[i]), error)
            << to_name(change) << ' ' << to_name(attentions[i].block);
    }
  });
}

// What the sublayers of a layer add up to is what the next one reads.
TEST_F(CausesOfFamilies, a_layer_walked_again_gives_the_next_layers_input) {
  for_each_model([&](const Json& entry, const std::shared_ptr<const LanguageModel>& model) {
    const auto base = run(model, input_of(entry));
    if (model->config().alt_up) return;  // the next layer reads a prediction from several streams
    for (const ModelBlock& block : model->blocks()) {
      if (block.kind == BlockKind::cross || block.kind == BlockKind::state) continue;
      for (Index layer = 0; layer < block.layers; ++layer) {
        const Tensor next = layer + 1 < block.layers ? base->x(block.kind, layer + 1, context.memory)
                                                     : base->stream(block.kind, context.memory);
        const Index last = next.dim(0) - 1;
        for (const std::vector<Index>& rows : {std::vector<Index>{}, {last}, {last, 0}}) {
          const SublayerOutput end = outputs_of_layer(*base, block.kind, layer, rows, context).back();
          const Norm* const norm = end.sublayer.sum_norm;
          const Tensor x = norm ? normed(*norm, end.sum.data(), end.sum.dim(0), context) : end.sum;
          const Tensor expected = rows.empty() ? next : picked(next, rows, context.memory);
          EXPECT_LT((as_matrix(x) - as_matrix(expected)).cwiseAbs().maxCoeff(), 1e-5F)
              << to_name(block.kind) << " layer " << layer << ", rows " << rows.size();
        }
      }
    }
  });
}

TEST_F(CausesOfFamilies, a_head_that_writes_nothing_has_no_path_through_a_convolution) {
  const Json entry = model_case("deberta-v2-convolved");
  std::vector<WrittenTensor> tensors = tensors_of(entry);
  constexpr int d_model = 24, d_k = 6, bytes = 4;
  for (WrittenTensor& tensor : tensors)
    if (tensor.name == "deberta.encoder.layer.0.attention.output.dense.weight")
      for (int row = 0; row < d_model; ++row)
        std::fill_n(tensor.bytes.begin() + row * d_model * bytes, d_k * bytes, '\0');
  write_model_folder(folder.path, entry["config"], tensors);
  const auto model = LanguageModel::open(folder.path.string(), read_config(folder.path.string()), context);
  const std::vector<HeadPlace> heads{{BlockKind::self, 0, 0}, {BlockKind::self, 1, 0}};
  const auto paths = find_paths(*run(model, input_of(entry)), {3, 7, 11}, heads, context);
  ASSERT_EQ(paths->paths.size(), 3U);
  for (const HeadPath& path : paths->paths)
    if (path.from == heads.front()) {
      EXPECT_NEAR(path.change, 0, bound);
    }
}

// The first layer reads the embeddings alone: its scores are those of the weights over what its norm divides
// by. Of the last token with the first one, so that scalings by the length of the text are the same.
TEST_F(CausesOfFamilies, matches_at_a_distance_are_the_scores_of_the_first_layer) {
  int compared = 0;
  for_each_model([&](const Json& entry, const std::shared_ptr<const LanguageModel>& model) {
    if (model->config().encoder_decoder() || model->config().rope_of(0) == nullptr ||
        model->config().state_mixer)
      return;
    const AttentionWeights& weights = attention_weights(*model, BlockKind::self, 0);
    const bool linear = !model->config().latent && weights.norm.present() && weights.norm.bias.empty() &&
                        weights.q.bias.empty() && !weights.q_norm.present() && model->config().norm_first &&
                        model->config().qkv_limit == 0;
    if (!linear) return;
    ++compared;
    const ModelInput input = input_of(entry);
    const auto base = run(model, input);
    const Index last = std::ssize(input.ids) - 1;
    const Tensor x = base->x(BlockKind::self, 0, context.memory);
    const auto divisor = [&](Index row) {
      Eigen::ArrayXd values = row_of(x, row).cast<double>();
      if (weights.norm.kind == Norm::Kind::layer) values -= values.mean();
      return std::sqrt(values.square().mean() + weights.norm.epsilon);
    };
    const LayerQkv qkv = base->layer_qkv(BlockKind::self, 0, context);
    const Circuits circuits(*model);
    EXPECT_TRUE(circuits.rotary(0));
    const Index heads = qkv.q.dim(0), of_group = heads / qkv.k.dim(0), d_k = qkv.q.dim(2);
    for (Index head = 0; head < heads; ++head) {
      const Eigen::Map<const Eigen::VectorXf> q(qkv.q.at(head) + last * d_k, d_k),
          k(qkv.k.at(head / of_group), d_k);
      const double score = static_cast<double>(qkv.rule.scale) * q.cast<double>().dot(k.cast<double>());
      const auto id = static_cast<Index>(input.ids.front());
      const double of_weights = circuits.qk_scores(0, head, static_cast<Index>(input.ids.back()), last)[id];
      const double scale = divisor(0) * divisor(last);
      EXPECT_NEAR(of_weights, score * scale, bound * std::max(1.0, std::abs(score * scale))) << head;
    }
  });
  EXPECT_GT(compared, 10);
}

}  // namespace
}  // namespace headscope::tests
