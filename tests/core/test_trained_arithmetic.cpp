#include "core/analysis/arithmetic_stages.h"
#include "core/figure/boards/formula.h"
#include "core/figure/boards/shape_strip.h"
#include "core/inputs/names.h"
#include "core/scene/score_summary.h"
#include "core/source/engine/engine.h"
#include "core/source/maps/no_token.h"
#include "tests/support/model_inputs.h"
#include "tests/support/printed_sums.h"
#include "tests/support/reference.h"

namespace headscope::tests {
namespace {

constexpr double trained_bound = 2e-5;  // of float32 against double precision

double largest_of(const NamedArray& array) {
  double maximum = 0;
  for (const float value : array.values) maximum = std::max(maximum, std::abs(static_cast<double>(value)));
  return maximum;
}

/// `count` numbers of a row from `begin` on in an array of PyTorch.
template <typename Row>
void expect_row(const Row& found, const NamedArray& expected, Index begin, const char* what) {
  ASSERT_LE(begin + found.size(), std::ssize(expected.values)) << what;
  const double bound = trained_bound * std::max(1.0, largest_of(expected));
  for (Index c = 0; c < found.size(); ++c)
    EXPECT_NEAR(static_cast<double>(found[c]),
                static_cast<double>(expected.values[static_cast<std::size_t>(begin + c)]), bound)
        << what << " " << c;
}

template <typename A, typename B>
void expect_close(const A& a, const B& b, const std::string& what) {
  ASSERT_EQ(a.size(), b.size()) << what;
  for (Index i = 0; i < a.size(); ++i)
    EXPECT_NEAR(static_cast<double>(a[i]), static_cast<double>(b[i]),
                1e-5 * std::max(1.0, std::abs(static_cast<double>(b[i]))))
        << what << " " << i;
}

/// q, k, v of the last layer and maps of every one, as in PyTorch, and every intermediate sum.
void expect_cell(const BlockTrace& block, const CellArithmetic& cell, const Arrays& expected,
                 const std::string& base) {
  const auto [layer, head, i, j] = cell.place;
  const Index d_k = block.shape.d_k_of(layer), d_v = block.shape.d_v_of(layer), n_q = block.n_q(),
              n_k = block.n_k() - (block.tokens_alone ? 1 : 0);
  expect_row(cell.weights.head(n_k).eval(), expected.at(base + "attention"),
             ((Index{layer} * block.heads() + head) * n_q + i) * n_k, "weights");
  if (expected.contains(base + "x"))
    expect_row(cell.x, expected.at(base + "x"), (Index{layer} * n_q + i) * block.shape.d_model, "x");
  if (layer + 1 == block.shape.layers && expected.contains(base + "q")) {
    expect_row(cell.q, expected.at(base + "q"), (head * n_q + i) * d_k, "q");
    expect_row(cell.k, expected.at(base + "k"), (cell.kv_head * n_k + j) * d_k, "k");
    expect_row(as_matrix(cell.way.v).row(j).eval(), expected.at(base + "v"), (cell.kv_head * n_k + j) * d_v,
               "v");
  }
  const double bias = cell.rule.bias.size() > 0 ? cell.rule.bias[j] : 0;
  const double scaled = cell.dot * cell.scale, cap = cell.rule.cap;
  EXPECT_NEAR(cell.score, (cap > 0 ? cap * std::tanh(scaled / cap) : scaled) + bias,
              1e-5 * std::max(1.0, std::abs(cell.score)));
  expect_close(Eigen::RowVectorXd(cell.weighted_values.colwise().sum()), cell.context, "context");
  expect_close(Eigen::RowVectorXd(cell.w_o_terms.colwise().sum() + cell.b_o.cast<double>()), cell.output,
               "output");
  // From the projections to the vectors that are multiplied.
  const auto rotated = [](const std::optional<RotatedRow>& turn, Eigen::RowVectorXd row) {
    if (!turn) return row;
    row = turn->before;
    for (Index p = 0; p < turn->angle.size(); ++p) {
      const Index first = turn->first(p), second = turn->second(p);
      const double a = turn->before[first], b = turn->before[second];
      row[first] = a * turn->cosine[p] - b * turn->sine[p];
      row[second] = b * turn->cosine[p] + a * turn->sine[p];
    }
    return row;
  };
  const CellIntermediates& way = cell.way;
  const auto clamped = [&](const Eigen::RowVectorXd& row) -> Eigen::RowVectorXd {
    return way.limit > 0 ? row.cwiseMax(-way.limit).cwiseMin(way.limit) : row;
  };
  // Of a norm of all heads' rows, the head's own part.
  const auto normed = [&](const std::optional<NormedRow>& norm, const Eigen::RowVectorXd& before, Index of) {
    if (!norm) return before;
    const Index first = norm->x.size() > d_k ? of * d_k : 0;
    expect_close(Eigen::RowVectorXd(norm->x.segment(first, d_k)), before, "what is normed");
    return Eigen::RowVectorXd(norm->y.segment(first, d_k));
  };
  expect_close(rotated(way.q_turn, normed(way.q_norm, clamped(way.q_projected), head)), cell.q,
               "q by its steps");
  expect_close(rotated(way.k_turn, normed(way.k_norm, clamped(way.k_projected), cell.kv_head)), cell.k,
               "k by its steps");
  if (way.v_norm)
    expect_close(normed(way.v_norm, way.v_projected, cell.kv_head),
                 Eigen::RowVectorXf(as_matrix(way.v).row(cell.place.key)), "v by its steps");
  if (way.uncapped.size() > 0) {
    EXPECT_NEAR(way.uncapped[j], scaled, 1e-5 * std::max(1.0, std::abs(scaled)));
  }
  if (cell.add_and_norm->next.size() > 0)
    expect_close(cell.add_and_norm->result(), cell.add_and_norm->next, "what the next sublayer reads");
}

/// The columns of a norm: (x - mean) / deviation = z, z γ + β = y.
void expect_norm(const StageTerms& terms, double mean, double deviation, const std::string& what) {
  if (terms.total_label != "\\sum" || terms.columns.size() < 5 || terms.columns[3].name != "\\gamma") return;
  const bool bias = terms.columns.size() == 6;
  const StageTerms::Column &z = terms.columns[2], &gamma = terms.columns[3], &y = terms.columns.back();
  for (std::size_t c = 0; c < terms.labels.size(); ++c) {
    const double plus = bias ? printed(terms.columns[4], c).value : 0;
    expect_gives(printed(z, c).value * printed(gamma, c).value + plus, printed(y, c), what + ", norm");
    expect_gives((printed(terms.columns[0], c).value - mean) / deviation, printed(z, c),
                 what + ", over sigma");
    expect_gives(std::pow(printed(terms.columns[0], c).value - mean, 2), printed(terms.columns[1], c),
                 what + ", square");
  }
}

/// The number that a formula ends with.
double end_of(const std::string& tex) {
  const std::size_t at = tex.rfind("\\text{");
  return parsed(tex.substr(at + 6, tex.find('}', at) - at - 6)).value;
}

/// a cos - b sin and b cos + a sin.
void expect_turns(const StageTerms& terms, const std::string& what) {
  const auto at = [&](std::size_t column, std::size_t row) { return printed(terms.columns[column], row); };
  for (std::size_t p = 0; p < terms.labels.size(); ++p) {
    const Printed a = at(0, p), b = at(1, p), cosine = at(3, p), sine = at(4, p);
    expect_gives(a.value * cosine.value - b.value * sine.value, at(5, p), what + ", turned");
    expect_gives(b.value * cosine.value + a.value * sine.value, at(6, p), what + ", turned");
  }
}

BoardStyle plain_style() {
  BoardStyle style;
  style.measure = [](std::string_view text, double size) {
    return static_cast<double>(text.size()) * size / 2;
  };
  return style;
}

void expect_printed(const Trace& trace, const BlockTrace& block, const CellPlace& place,
                    const std::string& name) {
  StepsLook look;
  look.component = place.query;
  look.output = block.shape.d_model - 1;
  const double cap = row_rule(block, place.layer, place.head, place.query).cap;
  const bool turns =
      !block.is_no_token(place.key) && cell_arithmetic(trace, block, place).way.q_turn.has_value();
  for (const ArithmeticStage& stage : arithmetic_stages(trace, block, place, look, Translator())) {
    const std::string what = stage.name + " of " + name;
    EXPECT_FALSE(stage.title.empty() || stage.formula.empty() || stage.text.empty()) << what;
    EXPECT_GT(stage.thumbnail.values.size(), 0) << what;
    const auto sets = [&](const std::string& tex) {
      EXPECT_NO_THROW(set_formula(tex, plain_style(), 10)) << tex;
    };
    sets(stage.formula);
    sets(stage.thumbnail.symbol);
    int angles = 0;
    double mean = 0, deviation = 1;
    expect_residual(stage, what);
    for (const StagePart& part : stage.parts) {
      if (const auto* formula = std::get_if<StageFormula>(&part)) {
        sets(formula->tex);
        expect_formula(formula->tex, what);
        if (formula->tex.starts_with("\\mu")) mean = end_of(formula->tex);
        if (formula->tex.starts_with("\\sigma")) deviation = end_of(formula->tex);
        angles += formula->tex.starts_with("\\theta");
      }
      if (const auto* matrix = std::get_if<StageMatrix>(&part)) sets(matrix->name);
      const auto* terms = std::get_if<StageTerms>(&part);
      if (terms != nullptr)
        for (const StageTerms::Column& column : terms->columns) sets(column.name);
      if (terms == nullptr) continue;
      expect_terms(*terms, what);
      if (stage.name == "softmax") expect_softmax(*terms, what);
      if (stage.name.ends_with("norm")) expect_norm(*terms, mean, deviation, what);
      if (stage.name == "rotation") expect_turns(*terms, what);
      const std::size_t last = terms->columns.size() - 1;
      for (std::size_t key = 0; key < terms->labels.size(); ++key) {
        const auto at = [&](std::size_t c) { return printed(terms->columns[c], key); };
        if (stage.name.ends_with("_bias") || stage.name == "repeats")
          expect_gives(at(last - 2).value + at(last - 1).value, at(last), what + ", bias");
        if (stage.name == "cap") expect_gives(cap * at(1).value, at(2), what + ", cap");
      }
    }
    EXPECT_EQ(angles, stage.name == "rotation" && turns ? 2 : 0) << what;
  }
}

class TrainedArithmetic : public InFolder {
 protected:
  Inputs inputs_for(const char* name) { return tests::inputs_for(folder.path, model_case(name)); }
  Engine engine{2};
};

TEST_F(TrainedArithmetic, of_every_family_is_pytorchs_and_adds_up_as_it_is_printed) {
  std::map<std::string, Arrays> references;
  for (const Json& entry : model_cases()) {
    const std::string name = entry["name"], family = entry["config"]["model_type"];
    SCOPED_TRACE(name);
    if (!references.contains(family)) references[family] = load("models/" + family + ".npz");
    const auto trace = engine.run(tests::inputs_for(folder.path, entry));
    for (const BlockTrace& of_run : trace->blocks) {
      const auto in_view = with_no_token({trace, &of_run});
      const BlockTrace& block = *in_view;
      SCOPED_TRACE(to_name(block.shape.kind));
      const std::string base = name + "." + to_name(block.shape.kind) + ".";
      const int first = block.shape.layer_with_maps(0),
                last = block.shape.layer_with_maps(block.layer_count() - 1),
                n_q = static_cast<int>(block.n_q());
      for (const CellPlace& place :
           {CellPlace{first, 0, n_q - 1, 1}, {last, block.heads_of(last) - 1, n_q / 2, n_q / 2}}) {
        if (!block.shape.is_softmax(place.layer)) {
          expect_printed(*trace, block, place, name);
          expect_printed(*trace, block, {place.layer, 0, 2, 5}, name + ", a later token");
          EXPECT_THAT(score_summary(Translator(), block, place), testing::IsEmpty());
          continue;
        }
        expect_cell(block, cell_arithmetic(*trace, block, place), references[family], base);
        expect_printed(*trace, block, place, name);
        EXPECT_GE(score_summary(Translator(), block, place).size(), 4U);
      }
      if (block.tokens_alone) expect_printed(*trace, block, {0, 1, n_q - 1, n_q}, name + ", no token");
    }
  }
}

TEST_F(TrainedArithmetic, names_the_stages_of_each_family) {
  const auto stages = [&](const char* name, std::size_t block = 0) {
    const auto trace = engine.run(inputs_for(name));
    std::string all;
    const auto in_view = with_no_token({trace, &trace->blocks[block]});
    for (const std::string& stage : present_stages(*trace, *in_view, 0)) all += stage + " ";
    return all;
  };
  EXPECT_EQ(stages("gpt2"),
            "x input_norm projections products scale mask softmax values concat output residual ");
  EXPECT_EQ(stages("bert"), "x projections products scale softmax values concat output norm ");
  EXPECT_EQ(stages("qwen3"),
            "x input_norm projections head_norm rotation products scale mask softmax values concat output "
            "residual ");
  EXPECT_EQ(stages("t5"),
            "x input_norm projections products scale relative_bias softmax values concat output residual ");
  EXPECT_EQ(
      stages("gemma2"),
      "x input_norm projections rotation products scale cap mask softmax values concat output output_norm "
      "residual ");
  EXPECT_EQ(stages("olmo2"),
            "x projections head_norm rotation products scale mask softmax values concat output output_norm "
            "residual ");
  EXPECT_EQ(
      stages("olmo-clipped"),
      "x input_norm projections clamp rotation products scale mask softmax values concat output residual ");
  EXPECT_EQ(
      stages("bloom"),
      "x input_norm projections products scale linear_bias mask softmax values concat output residual ");
  EXPECT_EQ(stages("deberta-v2"),
            "x projections products scale position_terms softmax values concat output norm ");
  EXPECT_EQ(stages("xlnet"),
            "x projections products scale position_terms softmax values concat output norm ");
  const std::string of_funnel =
      "x projections products scale position_terms softmax values concat output norm ";
  EXPECT_EQ(stages("funnel"), of_funnel);
  EXPECT_EQ(stages("funnel", 1), "made " + of_funnel) << "pooling";
  EXPECT_EQ(stages("funnel", 2), of_funnel);
  EXPECT_EQ(stages("funnel", 5), "made " + of_funnel) << "upsampled";
  EXPECT_EQ(stages("longformer"), "x projections products scale mask softmax values concat output norm ");
  EXPECT_EQ(stages("big_bird"),
            "x projections products scale repeats mask softmax values concat output norm ");
  EXPECT_EQ(stages("mpnet"), "x projections products scale relative_bias softmax values concat output norm ");
  EXPECT_EQ(stages("modernbert"),
            "x input_norm projections rotation products scale mask softmax values concat output residual ");
  EXPECT_EQ(
      stages("gpt_oss"),
      "x input_norm projections rotation products scale sink mask softmax values concat output residual ");
  EXPECT_EQ(
      stages("deepseek_v3"),
      "x input_norm latent projections rotation products scale mask softmax values concat output residual ");
  EXPECT_EQ(stages("gemma4"),
            "x input_norm projections head_norm rotation products scale mask softmax values concat output "
            "output_norm residual ");
  EXPECT_EQ(stages("qwen3_next"), "x input_norm state values ");
  EXPECT_EQ(stages("granitemoehybrid"), "x input_norm state values ");
  EXPECT_EQ(stages("falcon_h1"),
            "x input_norm projections rotation products scale mask softmax values concat output residual ");
  EXPECT_EQ(stages("opt-350m"), "x projections products scale mask softmax values concat output norm ");
  EXPECT_EQ(stages("t5", 2),
            "x input_norm projections products scale softmax values concat output residual ");
}

TEST_F(TrainedArithmetic, of_a_layer_that_reads_the_keys_of_another) {
  for (const char* name : {"gemma4", "gemma4-experts", "gemma3n"}) {
    SCOPED_TRACE(name);
    const auto trace = engine.run(inputs_for(name));
    const BlockTrace& block = trace->blocks.front();
    EXPECT_EQ(cell_arithmetic(*trace, block, {1, 0, 5, 2}).way.keys_from, -1);
    const CellArithmetic cell = cell_arithmetic(*trace, block, {3, 2, 5, 2}),
                         own = cell_arithmetic(*trace, block, {1, 2, 5, 2});
    EXPECT_EQ(cell.way.keys_from, 1);
    expect_close(cell.key_x, own.key_x, "the key's row");
    expect_close(cell.k, own.k, "k");
    EXPECT_GT((cell.x - cell.key_x).cwiseAbs().maxCoeff(), 1e-3F);
    EXPECT_EQ(cell.way.values_are_keys, std::string(name) == "gemma4-experts");
    const ArithmeticStage x = arithmetic_stages(*trace, block, cell.place, {}, Translator()).front();
    EXPECT_NE(x.text.find("Keys and values are those of layer 2: the key's row is the one"),
              std::string::npos)
        << x.text;
    EXPECT_EQ(x.text.find("AltUp keeps 3 streams") != std::string::npos, std::string(name) == "gemma3n");
  }
}

TEST_F(TrainedArithmetic, of_a_global_token_has_matrices_of_its_own) {
  const auto trace = engine.run(inputs_for("longformer"));
  const BlockTrace& block = trace->blocks.front();
  const Arrays expected = load("models/longformer.npz");
  constexpr int global = 7, key = 3, head = 2;
  const int last = block.layer_count() - 1;
  const CellArithmetic cell = cell_arithmetic(*trace, block, {last, head, global, key});
  EXPECT_TRUE(cell.way.global);
  EXPECT_FALSE(cell_arithmetic(*trace, block, {last, head, key, global}).way.global);
  expect_row(cell.weights, expected.at("longformer.self.attention"),
             ((last * block.heads() + head) * block.n_q() + global) * block.n_k(), "weights");
  expect_row(cell.q, expected.at("longformer.self.q"), (head * block.n_q() + global) * block.shape.d_k, "q");
  EXPECT_NEAR(cell.score, cell.dot * cell.scale, 1e-5);
  expect_close(Eigen::RowVectorXd(cell.weighted_values.colwise().sum()), cell.context, "context");
  const auto product = [&](ProjectionKind kind, const Eigen::RowVectorXf& x) -> Eigen::RowVectorXd {
    const Linear linear = *trace->source->projection(BlockKind::self, last, kind);
    const Index first = head * block.shape.d_k, d_k = block.shape.d_k;
    return x.cast<double>() * as_matrix(linear.weight).middleRows(first, d_k).transpose().cast<double>() +
           Eigen::Map<const Eigen::RowVectorXf>(linear.bias.data() + first, d_k).cast<double>();
  };
  expect_close(product(ProjectionKind::q_global, cell.x), cell.q, "q");
  expect_close(product(ProjectionKind::k_global, cell.key_x), cell.k, "k");
  expect_close(product(ProjectionKind::v_global, cell.key_x), as_matrix(cell.way.v).row(key).eval(), "v");
  EXPECT_GT((product(ProjectionKind::k, cell.key_x) - cell.k.cast<double>()).norm(), 0.01);
  expect_printed(*trace, block, cell.place, "longformer");
}

TEST_F(TrainedArithmetic, says_division_by_the_root_where_there_is_one_alone) {
  const auto reported = [&](const char* name, bool scale) {
    Inputs inputs = inputs_for(name);
    inputs.scale = scale;
    const auto trace = engine.run(inputs);
    const auto block = block_of(trace, BlockKind::cross);
    const auto stages = arithmetic_stages(*trace, *block, {0, 0, 1, 1}, {}, Translator(Language::en));
    BoardStyle style;
    style.measure = [](std::string_view text, double size) {
      return 0.5 * size * static_cast<double>(text.size());
    };
    std::string all = std::ranges::find(stages, "scale", &ArithmeticStage::name)->title;
    for (const BoardText& text : shape_strip(*block, 0, nullptr, style, 2000, Translator(Language::en)).texts)
      if (text.text.find("QK") != std::string::npos) all += ": " + text.text;
    return all;
  };
  EXPECT_EQ(reported("gpt2", true), "Divide by √d_k: QKᵀ / √d_k");
  EXPECT_EQ(reported("gpt2", false), "Not divided by √d_k: QKᵀ");
  EXPECT_EQ(reported("granite", true), "Multiply by the model's factor: c QKᵀ");
  EXPECT_EQ(reported("granite", false), "Not divided by √d_k: QKᵀ");
  EXPECT_EQ(reported("t5", true), "Not divided by √d_k: QKᵀ");
}

TEST_F(TrainedArithmetic, follows_interventions) {
  Inputs inputs = inputs_for("gpt2-scaled");
  inputs.gain_q = 2;
  inputs.temperature = 0.5;
  inputs.mask_fill = MaskFill::minus_1e9;
  inputs.mask = {parse_mask_part("padding:0,1,2")};
  inputs.ablated_heads = {{BlockKind::self, 1, 0}};
  for (const Ablation by : {Ablation::zero, Ablation::mean}) {
    inputs.ablation = by;
    const auto trace = engine.run(inputs);
    const BlockTrace& block = trace->blocks.front();
    for (const CellPlace& place : {CellPlace{1, 0, 5, 4}, {0, 1, 5, 4}, {1, 1, 2, 1}}) {
      const CellArithmetic cell = cell_arithmetic(*trace, block, place);
      Eigen::RowVectorXf row(block.n_k());
      block.maps->rows(place.layer, place.head, place.query, place.query + 1, row.data());
      expect_close(cell.weights, row, "weights");
      const LayerTrace layer = block.layer(place.layer);
      expect_close(cell.concat, as_matrix(layer.context).row(place.query).eval(), "concat");
      expect_close(cell.output, as_matrix(layer.output).row(place.query).eval(), "output");
      expect_close(Eigen::RowVectorXd(cell.w_o_terms.colwise().sum() + cell.b_o.cast<double>()), cell.output,
                   "sum");
      EXPECT_EQ(cell.way.head_off, place.layer == 1 && place.head == 0);
      EXPECT_EQ(cell.rule.layer_divisor, place.layer + 1);
      expect_printed(*trace, block, place, "what-ifs");
    }
  }
}

}  // namespace
}  // namespace headscope::tests
