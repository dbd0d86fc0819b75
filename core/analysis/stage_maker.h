#pragma once
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/arithmetic_stages.h"
#include "core/analysis/stage_numbers.h"
#include "core/base/enum_table.h"
#include "core/source/source.h"
#include "core/text/token_label.h"

namespace headscope {

/// The minimum number of decimals for each number of a cell's stages. Chosen from the last number backwards:
/// operands have enough decimals that the rounding of all of them together changes the result by about one in
/// its own last digit. How many are shown in the end depends on the numbers, so that the printed arithmetic
/// holds (stage_numbers.h).
struct StageDigits {
  int x, projected, projection_terms;     ///< of the projections: x, W, b; q, k, v there; their products
  int q, product, dot;                    ///< of q · k
  int scaled, score;                      ///< over sqrt(d_k), and from the temperature on
  int exponential, row_sum, weight;       ///< of the softmax
  int factor, value, weighted, context;   ///< of the sum of values: its weights, V, their products
  int projection_o, o_products, o_terms;  ///< of the context, W_O and their products; of each head
  int output, norm;
};

/// The unit of this many terms whose sum has this unit.
double unit_of_terms(double unit, Index count);
/// The unit of two factors, up to these sizes, whose product has this unit.
double unit_of_factors(double unit, double a, double b);
/// No finer than float32 resolves numbers of this size.
double known(double unit, double size);

StageDigits stage_digits(const CellArithmetic& cell, double largest_value);

// Helpers that fill in the kinds of stages; each kind is a row in arithmetic_stages.cpp.

std::string shape_text(std::initializer_list<Index> shape);
/// \color{q}{q_i}
std::string colored(const char* role, const std::string& tex);
/// Fewer decimals if nothing is lost.
int shorter(double value, int decimals);
/// The sum of some terms, and the number of decimals it is shown with.
struct StageSum {
  double value;
  int decimals;
};
/// Adds the columns of a × b = product, and `sum` below them. `a` and `b` come with their values, `product`
/// with those of the following rows, which have no factors; the factors (`a`) and the product have at least
/// the given decimals. Recomputing with the shown numbers gives the shown numbers.
void add_products(StageTerms& terms, StageTerms::Column a, StageTerms::Column b, StageTerms::Column product,
                  std::optional<StageSum> sum = {});
/// Adds a column of terms with their sum below, such that the shown terms add up to the shown sum.
void add_summands(StageTerms& terms, StageTerms::Column column, const StageSum& sum);

template <typename Row>
std::vector<double> list(const Row& row) {
  std::vector<double> values;
  for (Index i = 0; i < row.size(); ++i) values.push_back(static_cast<double>(row.coeff(i)));
  return values;
}

/// What the stages of one cell are computed from.
class StageMaker {
 public:
  StageMaker(const Trace& of, const BlockTrace& in, const CellPlace& at, const StepsLook& look,
             const Translator& to)
      : trace(of),
        block(in),
        tr(to),
        cell(cell_arithmetic(of, in, at)),
        values(cell.way.v.empty() ? MatrixOf<double>() : as_matrix(cell.way.v).cast<double>()),
        digits(stage_digits(cell, values.size() == 0 ? 0 : values.cwiseAbs().maxCoeff())),
        component(std::clamp<Index>(look.component, 0, in.shape.d_k_of(at.layer) - 1)),
        value_component(std::min<Index>(
            component, values.size() == 0 ? in.shape.d_v_of(at.layer) - 1 : values.cols() - 1)),
        output(std::clamp<Index>(look.output, 0, std::max<Index>(0, cell.output.size() - 1))) {}

  /// Whether the cell's key is no token, which has no vectors.
  bool no_token() const { return block.is_no_token(cell.place.key); }
  std::string token(Index i) const { return token_label(block.tokens[i].text); }
  std::string key(Index j) const { return token_label(block.key_tokens[j].text); }
  std::string query() const { return token(cell.place.query); }
  std::string key() const { return key(cell.place.key); }
  std::vector<std::string> keys() const {
    std::vector<std::string> texts;
    for (const Token& one : block.key_tokens) texts.push_back(token_label(one.text));
    return texts;
  }
  const std::optional<Linear>& projection(ProjectionKind kind) const {
    std::optional<std::optional<Linear>>& known = of_kind(projections_, kind);
    if (!known)
      known = trace.source ? trace.source->projection(block.shape.kind, cell.place.layer, kind)
                           : std::optional<Linear>();
    return *known;
  }
  Index d_k() const { return block.shape.d_k_of(cell.place.layer); }
  Index d_v() const { return block.shape.d_v_of(cell.place.layer); }
  int kv_heads() const { return block.shape.kv_heads_of(cell.place.layer); }
  const Mask& mask() const { return block.mask_of(cell.place.layer); }
  /// Adds a sentence to a stage's text.
  void say(ArithmeticStage& stage, const std::string& sentence) const {
    if (sentence.empty()) return;
    if (!stage.text.empty()) stage.text += between_sentences(tr.language());
    stage.text += sentence;
  }
  /// In formulas.
  static std::string number(double value, int decimals) {
    return "\\text{" + printed_number(value, decimals) + "}";
  }
  static std::string number(const StageValue& of) { return number(of.value, of.decimals); }

  /// A row of numbers, of `label`.
  template <typename Row>
  StageMatrix vector(const char* role, std::string name, const Row& row, int decimals, std::string label,
                     Index chosen = -1, StageMatrix::Click click = StageMatrix::Click::nothing) const {
    StageMatrix matrix;
    matrix.role = role;
    matrix.name = std::move(name);
    matrix.shape = shape_text({row.size()});
    matrix.values = row.template cast<double>();
    matrix.decimals = shortest(matrix.values, decimals);
    if (!label.empty()) matrix.rows = {std::move(label)};
    matrix.column = chosen;
    matrix.click = click;
    return matrix;
  }
  /// The same for a row of the head's components, and for one of the output's columns, which clicks select.
  template <typename Row>
  StageMatrix components(const char* role, std::string name, const Row& row, int decimals,
                         std::string label) const {
    return vector(role, std::move(name), row, decimals, std::move(label),
                  std::min<Index>(component, row.size() - 1), StageMatrix::Click::component);
  }
  template <typename Row>
  StageMatrix outputs(const char* role, std::string name, const Row& row, int decimals,
                      std::string label) const {
    return vector(role, std::move(name), row, decimals, std::move(label),
                  std::min<Index>(output, row.size() - 1), StageMatrix::Click::output);
  }
  StageMatrix over_keys(const char* role, std::string name, const Eigen::RowVectorXd& row,
                        int decimals) const {
    StageMatrix matrix = vector(role, std::move(name), row, decimals, query(), cell.place.key);
    matrix.columns = keys();
    return matrix;
  }

  const Trace& trace;
  const BlockTrace& block;
  const Translator& tr;
  const CellArithmetic cell;
  const MatrixOf<double> values;  // [n_k, d_k]
  const StageDigits digits;
  const Index component, value_component, output;  // value_component: of values and contexts

 private:
  mutable std::array<std::optional<std::optional<Linear>>, 7>
      projections_;  // requested once: they are copies
};

/// Some rows of a matrix of tokens: those near the selected ones and at the ends.
StageMatrix token_rows(const char* role, std::string name, const MatrixView& matrix,
                       const std::vector<Token>& tokens, std::initializer_list<Index> chosen, int decimals);

/// How a row passes through a norm, component by component; `row` is the selected one. `x` and `y` are TeX.
void add_norm(const StageMaker& m, const NormedRow& norm, const char* role, const std::string& x,
              const std::string& y, Index row, ArithmeticStage& stage);
/// \operatorname{LayerNorm} or RMSNorm.
std::string norm_name(const NormedRow& norm);
/// What it does, translated.
std::string norm_text(const StageMaker& m, const NormedRow& norm);

void fill_input_norm(const StageMaker& m, ArithmeticStage& stage);
void fill_head_norm(const StageMaker& m, ArithmeticStage& stage);
void fill_rotation(const StageMaker& m, ArithmeticStage& stage);
void fill_relative_bias(const StageMaker& m, ArithmeticStage& stage);
void fill_linear_bias(const StageMaker& m, ArithmeticStage& stage);
void fill_position_terms(const StageMaker& m, ArithmeticStage& stage);
void fill_repeats(const StageMaker& m, ArithmeticStage& stage);
void fill_clamp(const StageMaker& m, ArithmeticStage& stage);
void fill_cap(const StageMaker& m, ArithmeticStage& stage);
void fill_output_norm(const StageMaker& m, ArithmeticStage& stage);
/// The names of q and k between the projections and q · k: one sign for each step that still follows.
std::string q_name(int steps_left);
std::string k_name(int steps_left);
/// How many steps follow the clamp, and the norm.
int steps_after_clamp(const StageMaker& m);
int steps_after_norm(const StageMaker& m);

/// The row's scores as scaled, before a cap or a bias.
Eigen::RowVectorXd scaled_scores(const StageMaker& m);

void fill_made(const StageMaker& m, ArithmeticStage& stage);
void fill_x(const StageMaker& m, ArithmeticStage& stage);
void fill_latent(const StageMaker& m, ArithmeticStage& stage);
void fill_projections(const StageMaker& m, ArithmeticStage& stage);
void fill_products(const StageMaker& m, ArithmeticStage& stage);
void fill_scale(const StageMaker& m, ArithmeticStage& stage);
void fill_temperature(const StageMaker& m, ArithmeticStage& stage);
/// In place of a stage of what no token does not have.
void fill_no_token(const StageMaker& m, ArithmeticStage& stage);
void fill_sink(const StageMaker& m, ArithmeticStage& stage);
void fill_mask(const StageMaker& m, ArithmeticStage& stage);
void fill_softmax(const StageMaker& m, ArithmeticStage& stage);
void fill_dropout(const StageMaker& m, ArithmeticStage& stage);
void fill_values(const StageMaker& m, ArithmeticStage& stage);
void fill_state(const StageMaker& m, ArithmeticStage& stage);
void fill_gate(const StageMaker& m, ArithmeticStage& stage);
void fill_concat(const StageMaker& m, ArithmeticStage& stage);
void fill_output(const StageMaker& m, ArithmeticStage& stage);
void fill_norm(const StageMaker& m, ArithmeticStage& stage);

}  // namespace headscope
