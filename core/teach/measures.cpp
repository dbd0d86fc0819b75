#include "core/teach/measures.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/analysis/cell_arithmetic.h"
#include "core/analysis/expectations.h"
#include "core/analysis/softmax_row.h"
#include "core/base/error.h"
#include "core/base/matrix.h"
#include "core/base/translate.h"
#include "core/base/utf8.h"
#include "core/inputs/cost.h"
#include "core/inputs/names.h"
#include "core/io/file.h"
#include "core/io/strict_json.h"
#include "core/model/effects/circuits.h"
#include "core/model/effects/head_paths.h"
#include "core/model/run/model_run.h"
#include "core/model/weights/built_in_models.h"
#include "core/source/source.h"

namespace headscope {
namespace {

using Row = Eigen::RowVectorXd;

Error unknown(const MeasureCall& call) {
  return input_error("{} is not available for this source", call.measure().name);
}

LayerTrace layer_of(const MeasureCall& call) {
  const BlockTrace& block = call.block();
  if (!block.computed_layers && static_cast<std::size_t>(call.layer()) >= block.layers.size())
    throw unknown(call);
  return block.layer(call.layer());
}

/// The weights of the call's query over all keys, [n_k], as the arrays have them.
Row weight_row(const MeasureCall& call, int head) {
  Eigen::RowVectorXf row(call.block().n_k());
  const int layer = call.layer(), query = call.query();
  call.block().maps->rows(layer, head, query, query + 1, row.data());
  return row.cast<double>();
}
Row weight_row(const MeasureCall& call) {
  return weight_row(call, call.head());
}

/// The softmax of the call's query.
SoftmaxRow softmax_of(const MeasureCall& call) {
  SoftmaxRow row = softmax_row(call.block(), call.layer(), call.head(), call.query());
  if (row.scores.size() == 0) throw unknown(call);
  return row;
}

Row query_vector(const MeasureCall& call) {
  const LayerTrace layer = layer_of(call);
  return as_matrix(layer.q, call.head()).row(call.query()).cast<double>();
}
/// The key's row of K or V.
Row key_vector(const MeasureCall& call, Tensor LayerTrace::*rows = &LayerTrace::k) {
  const LayerTrace layer = layer_of(call);
  return as_matrix(layer.*rows, call.block().kv_head_of(call.layer(), call.head()))
      .row(call.key())
      .cast<double>();
}
/// The component of a vector that the call is about.
double component(const MeasureCall& call, const Row& vector) {
  return vector[call.index(vector.size())];
}
/// Sum of the weighted values of a head, [d_k]: a run for maps only has no context.
Row context_of(const MeasureCall& call, int head) {
  const LayerTrace layer = layer_of(call);
  return weight_row(call, head) *
         as_matrix(layer.v, call.block().kv_head_of(call.layer(), head)).cast<double>();
}
double output(const MeasureCall& call) {
  const BlockTrace& block = call.block();
  const Index i = call.index(block.shape.d_model), d_k = block.shape.d_k_of(call.layer());
  const std::optional<Linear> o = output_projection(call.trace(), block, call.layer());
  if (!o) throw unknown(call);
  double sum = o->bias.empty() ? 0 : static_cast<double>(o->bias.data()[i]);
  for (int h = 0; h < block.heads(); ++h)
    sum += context_of(call, h).dot(as_matrix(o->weight).row(i).segment(h * d_k, d_k).cast<double>());
  return sum;
}

double entropy_of_row(const MeasureCall& call) {
  const Row row = weight_row(call);
  const double sum = row.sum();
  double entropy = 0;
  for (const double w : row)
    if (w > 0) entropy -= w / sum * std::log(w / sum);
  return row.size() > 1 ? entropy / std::log(row.size()) : 0;
}

double largest_difference(const MeasureCall& call) {
  const BlockTrace &a = call.numbers().block(false), &b = call.numbers().block(true);
  const int layer = call.layer(), head = call.head();
  if (a.n_q() != b.n_q() || a.n_k() != b.n_k() || layer >= b.layer_count() || head >= b.heads())
    throw input_error("A and B have maps of different sizes; expected the same for a difference");
  const std::array heads{head};
  const Tensor of_a = a.maps->maps(layer, heads).front(), of_b = b.maps->maps(layer, heads).front();
  return of_a.empty() ? 0.0 : (as_matrix(of_b) - as_matrix(of_a)).cwiseAbs().maxCoeff();
}

/// Standard deviation of the scores of a head.
double score_spread(const MeasureCall& call) {
  const BlockTrace& block = call.block();
  Tensor scores({block.n_q(), block.n_k()});
  const int layer = call.layer(), head = call.head();
  if (!block.maps->score_rows(layer, head, 0, block.n_q(), scores.data())) throw unknown(call);
  const auto values = as_matrix(scores).cast<double>().array();
  return std::sqrt((values - values.mean()).square().mean());
}

/// Memory for the weights of all heads of all layers as float32, in bytes.
double map_bytes(const MeasureCall& call) {
  const BlockTrace& block = call.block();
  return 4.0 * block.shape.layers * block.heads() * static_cast<double>(block.n_q()) *
         static_cast<double>(block.n_k());
}

/// Whose parameters are counted; a trained model's differ from those of a seeded layer.
const Inputs& seeded_inputs(const MeasureCall& call) {
  if (!call.trace().inputs.about().from_seed) throw unknown(call);
  return call.trace().inputs;
}

double column_value(const MeasureCall& call) {
  const BlockTrace& block = call.block();
  const TokenMatches matches(block.tokens, block.key_tokens);
  return call.measure()
      .column->value(head_statistics(block, call.layer(), call.head(), matches))
      .value_or(std::numeric_limits<double>::quiet_NaN());
}

/// Tokens that begin a word include the blank before it, which lesson authors would not write.
bool is_called(const Token& token, std::string_view text) {
  std::string_view own = token.text;
  if (own == text) return true;
  for (const std::string_view blank : {" ", "\u2581"})
    if (own.starts_with(blank) && own.substr(blank.size()) == text) return true;
  return false;
}

/// The token of the model that the call names.
Index token_of_model(const MeasureCall& call) {
  const Predictions* predictions = call.trace().predictions.get();
  if (predictions == nullptr) throw unknown(call);
  const std::optional<Index> id = named_token(*predictions, call.text());
  if (!id) throw input_error("the model has no token “{}”", cut_off(printable(call.text()), 40));
  return *id;
}

/// What the logit of the token at the call's query changes by, or the share of it that comes back.
double caused(const MeasureCall& call, CauseChange change, CausePlaces places = CausePlaces::all) {
  CauseRequest request;
  request.question = {call.query(), token_of_model(call), {}};
  request.change = change;
  request.places = places;
  const BlockKind block = call.block().shape.kind;
  const int layer = call.layer();
  if (is_of_heads(change)) request.head = HeadPlace{block, layer, call.head()};
  const Trace* other = needs_other(change) ? &call.numbers().trace(true) : nullptr;
  if (other != nullptr && !other->run) throw unknown(call);
  const auto causes = call.trace().predictions->causes(other ? other->run.get() : nullptr, request);
  const auto map = std::ranges::find(causes->maps, block, &CauseMap::kind);
  if (map == causes->maps.end()) throw unknown(call);
  if (is_of_heads(change)) return map->values.front();
  return map->values[layer * map->shape[1] + call.key()];
}

/// What the logit changes by without the path from a head of the layer before into the call's head.
double path_between(const MeasureCall& call) {
  const BlockKind block = call.block().shape.kind;
  const HeadPlace into{block, call.layer(), call.head()};
  if (into.layer == 0)
    throw input_error("{} needs a layer before; expected layer=1 or later", call.measure().name);
  const HeadPlace from{block, into.layer - 1, static_cast<int>(call.index(call.block().heads()))};
  const auto paths =
      call.trace().predictions->paths({call.query(), token_of_model(call), {}}, std::array{from, into});
  return std::ranges::find(paths->paths, std::optional(into), &HeadPath::into)->change;
}

/// Composition of a head of the layer before with the call's head.
double composed(const MeasureCall& call, Composition how) {
  const Trace& trace = call.trace();
  const int layer = call.layer(), head = call.head();
  if (!trace.run || layer == 0) throw unknown(call);
  const Circuits circuits(trace.run->model());
  return circuits.composition(how, layer - 1, layer)(call.index(circuits.heads()), head);
}

/// The probability of the token as the next one (or in a mask's place), or of the label, at the call's query.
double probability(const MeasureCall& call) {
  const Index id = token_of_model(call);
  const Predictions* predictions = call.trace().predictions.get();
  // Those of a cross block are the decoder's.
  if (predicting_block(call.trace()).n_q() != call.block().n_q() || call.block().words)
    throw input_error("{} is not known of this block; expected block=\"{}\"", call.measure().name,
                      to_name(predictions->block()));
  const int query = call.query();
  return prediction_at(call.trace(), query, id);
}

/// A number of the evaluation.json next to the shown model, by its path.
double card_number(const MeasureCall& call) {
  constexpr std::size_t longest = std::size_t{1} << 20;
  const std::string& model = call.trace().inputs.model;
  if (model.empty()) throw unknown(call);
  const std::string file = folder_of_model(model) + "/evaluation.json", text = read_file(file, longest);
  Budget budget(file, text.size());
  nlohmann::json at = parse_json(text, file, budget);
  for (std::string_view path = call.text(); !path.empty();) {
    const std::string name(path.substr(0, path.find('/')));
    path.remove_prefix(std::min(name.size() + 1, path.size()));
    if (!at.is_object() || !at.contains(name))
      throw input_error("{} has no “{}”", file, cut_off(printable(name), 60));
    nlohmann::json inner = at[name];
    at = std::move(inner);
  }
  if (!at.is_number())
    throw input_error("{} is not a number in {}", cut_off(printable(call.text()), 60), file);
  return at.get<double>();
}

template <auto member>
double of_shape(const MeasureCall& call) {
  return static_cast<double>(call.block().shape.*member);
}

using Call = const MeasureCall&;
const std::array own_measures{
    Measure{"weight", "qk", [](Call c) { return weight_row(c)[c.key()]; }},
    Measure{"score", "qk",
            [](Call c) {
              const auto score = c.block().maps->score(c.layer(), c.head(), c.query(), c.key());
              if (!score) throw unknown(c);
              return static_cast<double>(*score);
            }},
    Measure{"masked", "qk", [](Call c) { return softmax_of(c).tempered[c.key()]; }},
    Measure{"exponential", "qk", [](Call c) { return softmax_of(c).exponentials[c.key()]; }},
    Measure{"is_blocked", "qk",
            [](Call c) {
              return c.block().mask_of(c.layer()).blocked(c.head(), c.query(), c.key()) ? 1.0 : 0.0;
            }},
    Measure{"row_sum", "q", [](Call c) { return weight_row(c).sum(); }},
    Measure{"row_max", "q", [](Call c) { return softmax_of(c).row_max; }},
    Measure{"exponential_sum", "q", [](Call c) { return softmax_of(c).row_sum; }},
    Measure{"entropy", "q", entropy_of_row},
    Measure{"max_weight", "q", [](Call c) { return weight_row(c).maxCoeff(); }},
    Measure{"dot", "qk", [](Call c) { return query_vector(c).dot(key_vector(c)); }},
    Measure{"product", "iqk",
            [](Call c) { return component(c, query_vector(c).cwiseProduct(key_vector(c))); }},
    Measure{"q", "iq", [](Call c) { return component(c, query_vector(c)); }},
    Measure{"k", "ik", [](Call c) { return component(c, key_vector(c)); }},
    Measure{"v", "ik", [](Call c) { return component(c, key_vector(c, &LayerTrace::v)); }},
    Measure{"x", "iq",
            [](Call c) {
              const LayerTrace layer = layer_of(c);
              const MatrixView x = as_matrix(layer.x);
              return static_cast<double>(x(c.query(), c.index(x.cols())));
            }},
    Measure{"context", "iq", [](Call c) { return component(c, context_of(c, c.head())); }},
    Measure{"output", "iq", output},
    Measure{"spread", "h", score_spread},
    Measure{"difference", "h", largest_difference},
    Measure{"d_model", "", of_shape<&BlockShape::d_model>},
    Measure{"d_k", "", of_shape<&BlockShape::d_k>},
    Measure{"heads", "", of_shape<&BlockShape::heads>},
    Measure{"kv_heads", "", of_shape<&BlockShape::kv_heads>},
    Measure{"layers", "", of_shape<&BlockShape::layers>},
    Measure{"tokens", "", [](Call c) { return static_cast<double>(c.block().n_q()); }},
    Measure{"keys", "", [](Call c) { return static_cast<double>(c.block().n_k()); }},
    Measure{"count", "t",
            [](Call c) {
              const auto is_it = [&](const Token& token) { return is_called(token, c.text()); };
              return static_cast<double>(std::ranges::count_if(c.block().tokens, is_it));
            }},
    Measure{"card", "t", card_number},
    Measure{"contains", "t",
            [](Call c) {
              std::string whole;
              for (const Token& token : c.block().tokens) whole += token.text;
              return whole.find(c.text()) != std::string::npos ? 1.0 : 0.0;
            }},
    Measure{"probability", "tq", probability},
    Measure{"knock_out", "tq", [](Call c) { return caused(c, CauseChange::zero); }},
    Measure{"knock_out_mean", "tq", [](Call c) { return caused(c, CauseChange::mean); }},
    Measure{"knock_out_other", "tq", [](Call c) { return caused(c, CauseChange::other); }},
    Measure{"recovered", "tq", [](Call c) { return caused(c, CauseChange::output); }},
    Measure{"recovered_stream", "tqk",
            [](Call c) { return caused(c, CauseChange::stream, CausePlaces::position); }},
    Measure{"path", "tqi", path_between},
    Measure{"q_composition", "i", [](Call c) { return composed(c, Composition::q); }},
    Measure{"k_composition", "i", [](Call c) { return composed(c, Composition::k); }},
    Measure{"v_composition", "i", [](Call c) { return composed(c, Composition::v); }},
    Measure{"temperature", "", [](Call c) { return c.block().interventions.temperature; }},
    Measure{"scale", "", [](Call c) { return row_rule(c.block(), c.layer(), 0, 0).scale; }},
    Measure{"parameters", "", [](Call c) { return static_cast<double>(parameter_count(seeded_inputs(c))); }},
    Measure{"multiplications", "",
            [](Call c) {
              return static_cast<double>(multiply_count(seeded_inputs(c), c.block().n_q(), c.block().n_k()));
            }},
    Measure{"memory", "", map_bytes},
    Measure{"blocked", "",
            [](Call c) {
              return static_cast<double>(c.block().mask_of(c.layer()).blocked_cells(c.block().heads()));
            }},
    Measure{"density", "", [](Call c) { return c.block().mask_of(c.layer()).density(c.block().heads()); }},
};

/// A whole number of [0, count).
int checked(const char* what, double value, Index count) {
  if (std::isnan(value)) throw input_error("{} has no value here; expected a whole number from {}", what, 0);
  if (!(value >= 0 && value < static_cast<double>(count)) || value != std::floor(value))
    throw out_of_range(what, value, count);
  return static_cast<int>(value);
}

/// "the#2": the second "the".
int find_token(const std::vector<Token>& tokens, const std::string& name) {
  std::string_view text = name;
  int wanted = 1;
  const auto find = [&] {
    int seen = 0;
    for (std::size_t i = 0; i < tokens.size(); ++i)
      if (is_called(tokens[i], text) && ++seen == wanted) return static_cast<int>(i);
    return -1;
  };
  int place = find();
  if (const std::size_t sign = name.rfind('#'); place < 0 && sign != std::string::npos && sign > 0) {
    const char* end = name.data() + name.size();
    if (std::from_chars(name.data() + sign + 1, end, wanted).ptr == end && wanted > 0) {
      text = std::string_view(name).substr(0, sign);
      place = find();
    }
  }
  if (place >= 0) return place;
  std::string all;
  for (const Token& token : tokens) all += (all.empty() ? "" : ", ") + token.text;
  throw input_error("there is no token “{}”; expected one of: {}", cut_off(printable(name), 40),
                    cut_off(printable(all), 200));
}

}  // namespace

LessonNumbers::LessonNumbers(std::shared_ptr<const Trace> a, std::shared_ptr<const Trace> b, BlockKind block,
                             const Place& place, std::shared_ptr<WorkBudget> work)
    : trace_{std::move(a), std::move(b)}, place_(place), work_(std::move(work)) {
  for (std::size_t side : {0U, 1U})
    if (trace_[side]) block_[side] = block_of(trace_[side], block);
}

void spend(WorkBudget& work, double multiply_adds) {
  if (!work.take(WorkBudget::steps_of(multiply_adds)))
    throw OverBudget(
        Error::Kind::input,
        TR("the lesson up to here takes too much computing; expected about {} s of it at most: fewer or "
           "smaller runs and numbers"),
        work.seconds());
}

double LessonNumbers::once(const std::string& key, double multiply_adds,
                           const std::function<double()>& compute) const {
  constexpr double of_looking_up = 100e3;
  spend(*work_, of_looking_up);
  if (const auto known = known_.find(key); known != known_.end()) return known->second;
  spend(*work_, multiply_adds);
  return known_[key] = compute();
}

LessonNumbers LessonNumbers::within(std::shared_ptr<WorkBudget> work) const {
  LessonNumbers numbers = *this;
  numbers.work_ = std::move(work);
  return numbers;
}
LessonNumbers LessonNumbers::at(const Place& place) const {
  LessonNumbers other = *this;
  other.place_ = place;
  other.known_.clear();
  return other;
}

bool LessonNumbers::operator==(const LessonNumbers& other) const {
  return std::ranges::equal(trace_, other.trace_) && block_[0] == other.block_[0] &&
         block_[1] == other.block_[1] && place_ == other.place_;
}

const Trace& LessonNumbers::trace(bool side_b) const {
  if (!trace_[side_b ? 1 : 0]) throw input_error("there is no B; expected a field compare in the state");
  return *trace_[side_b ? 1 : 0];
}

const BlockTrace& LessonNumbers::block(bool side_b, std::optional<BlockKind> named) const {
  const std::vector<BlockTrace>& all = trace(side_b).blocks;
  const auto found =
      std::ranges::find_if(all, [&](const BlockTrace& one) { return one.shape.kind == named; });
  if (named && found == all.end())
    throw input_error("there is no block {} here; expected one of the model that is shown", to_name(*named));
  const BlockTrace& block = named ? *found : *block_[side_b ? 1 : 0];
  if (block.layer_count() == 0) throw input_error("the sentence has no tokens; expected at least one");
  return block;
}

MeasureCall::MeasureCall(const LessonNumbers& numbers, const Measure& measure, MeasureOf of,
                         std::vector<TokenName> arguments, std::string parameters)
    : numbers_(numbers),
      measure_(measure),
      trace_(numbers.trace(of.side_b)),
      block_(numbers.block(of.side_b, of.block)),
      of_(of),
      arguments_(std::move(arguments)),
      parameters_(std::move(parameters)) {}

const TokenName* MeasureCall::argument(char parameter) const {
  const std::size_t at = parameters_.find(parameter);
  return at < arguments_.size() ? &arguments_[at] : nullptr;
}

int MeasureCall::layer() const {
  return checked("layer", of_.layer.value_or(numbers_.place().layer), block_.layer_count());
}

int MeasureCall::head() const {
  if (const TokenName* own = argument('h')) return checked("head", std::get<double>(*own), block_.heads());
  if (!of_.head && !numbers_.place().head)
    throw input_error("{} needs a head; expected head=0 or a field cell in the state", measure_.name);
  return checked("head", of_.head ? *of_.head : *numbers_.place().head, block_.heads());
}

int MeasureCall::token(char parameter) const {
  const bool query = parameter == 'q';
  const auto& tokens = query ? block_.tokens : block_.key_tokens;
  const char* what = query ? "query" : "key";
  if (const TokenName* own = argument(parameter)) {
    if (const auto* text = std::get_if<std::string>(own)) return find_token(tokens, *text);
    return checked(what, std::get<double>(*own), std::ssize(tokens));
  }
  const std::optional<int> locked = query ? numbers_.place().query : numbers_.place().key;
  if (!locked)
    throw input_error("{} needs a {}; expected an argument or a field cell in the state", measure_.name,
                      what);
  return checked(what, *locked, std::ssize(tokens));
}

double MeasureCall::cost() const {
  // Everything other than multiply–adds, by the time it takes: an exponential, a comparison of two texts.
  constexpr double of_cell = 30, of_cell_of_head = 400, of_text = 300;
  const auto n_q = static_cast<double>(block_.n_q()), n_k = static_cast<double>(block_.n_k());
  const double of_row = n_k * (of_cell + block_.shape.d_k);
  const std::string_view name = measure_.name;
  double cost = 0;
  for (const TokenName& one : arguments_)
    if (std::holds_alternative<std::string>(one)) cost += of_text * std::max(n_q, n_k);
  if (measure_.parameters == std::string_view("h")) return cost + n_q * (of_row + n_k * of_cell_of_head);
  if (name == "blocked" || name == "density") return cost + n_q * n_k * block_.heads();
  // Passes through the layers above a change, each of them for every position.
  const bool passes = name.starts_with("knock_out") || name.starts_with("recovered") || name == "path";
  if ((passes || name.ends_with("_composition")) && trace_.source)
    return cost + 3 * static_cast<double>(trace_.about().parameters) * (passes ? n_q : block_.shape.d_k) *
                      (name == "recovered_stream" ? n_k * block_.layer_count() : 1);
  if (name == "probability" && trace_.source) return cost + static_cast<double>(trace_.about().parameters);
  return cost + of_row * (name == "output" ? block_.heads() : 1);
}

Index MeasureCall::index(Index count) const {
  return checked("place", std::get<double>(*argument('i')), count);
}

std::span<const Measure> measures() {
  static const std::vector<Measure> all = [] {
    std::vector<Measure> every(own_measures.begin(), own_measures.end());
    for (const HeadColumn& column : head_columns()) {
      const std::string name = column.name;
      const bool taken = std::ranges::find(own_measures, name, &Measure::name) != own_measures.end();
      every.push_back({taken ? "head_" + name : name, "h", column_value, &column});
    }
    return every;
  }();
  return all;
}

const Measure* find_measure(std::string_view name) {
  const auto found = std::ranges::find(measures(), name, &Measure::name);
  return found == measures().end() ? nullptr : &*found;
}

std::string measure_names() {
  std::string names;
  for (const Measure& measure : measures()) names += (names.empty() ? "" : ", ") + measure.name;
  return names;
}

}  // namespace headscope
