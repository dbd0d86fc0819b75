#include "core/source/write/trace_arrays.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cassert>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/stopped.h"
#include "core/inputs/names.h"
#include "core/text/token_label.h"

namespace headscope {
namespace {

static_assert(std::endian::native == std::endian::little, "arrays are written as they lie in memory");

std::string_view bytes_of(const Tensor& tensor) {
  return {reinterpret_cast<const char*>(tensor.data()), tensor.size() * sizeof(float)};
}

std::vector<Tensor> score_rows(const BlockTrace& block, int layer, ArraySelection::Rows rows,
                               const std::stop_token& stop) {
  std::vector<Tensor> scores;
  for (int h = 0; h < block.heads(); ++h) {
    check_stop(stop);
    Tensor map({rows.end - rows.begin, block.n_k()});
    if (!block.shape.has_map(layer, h))
      std::fill_n(map.data(), map.size(), 0.0F);
    else if (!block.maps->score_rows(layer, h, rows.begin, rows.end, map.data()))
      return {};
    scores.push_back(std::move(map));
  }
  return scores;
}

std::vector<Tensor> rows_of_maps(const BlockTrace& block, const MapSource& maps, int layer,
                                 ArraySelection::Rows rows, const std::stop_token& stop) {
  if (rows.end - rows.begin == block.n_q()) return maps.maps(layer, all_heads(block.heads()), stop);
  std::vector<Tensor> weights;
  for (int h = 0; h < block.heads(); ++h) {
    check_stop(stop);
    weights.emplace_back(std::vector<Index>{rows.end - rows.begin, block.n_k()});
    maps.rows(layer, h, rows.begin, rows.end, weights.back().data());
  }
  return weights;
}

std::vector<Tensor> weight_rows(const BlockTrace& block, int layer, ArraySelection::Rows rows,
                                const std::stop_token& stop) {
  return rows_of_maps(block, *block.maps, layer, rows, stop);
}

std::vector<Tensor> cell_rows(const BlockTrace& block, int layer, ArraySelection::Rows rows,
                              const std::stop_token& stop) {
  return rows_of_maps(block, block.shown_maps(), layer, rows, stop);
}

/// Collects the arrays of a trace.
class Collector {
 public:
  Collector(const Trace& trace, const ArraySelection& selection, TraceArrays& result)
      : trace_(trace), selection_(selection), result_(result) {}

  void collect() {
    const auto chosen = [&](const BlockTrace& block) {
      return !selection_.block || block.shape.kind == *selection_.block;
    };
    if (std::ranges::none_of(trace_.blocks, chosen))
      throw input_error("there is no {} attention; expected one of: {}", to_name(*selection_.block),
                        fmt::format("{}", fmt::join(kinds(), ", ")));
    for (const BlockTrace& block : trace_.blocks)
      if (chosen(block)) collect(block);
    collect_logits();
    collect_tokens();
    for (const std::string& name : selection_.names)
      if (!known_.contains(name))
        throw input_error("there is no array {}; expected one of: {}", name,
                          fmt::format("{}", fmt::join(known_, ", ")));
  }

 private:
  /// What is beside an attention is named, the attention itself as that of other models.
  bool several() const {
    return trace_.blocks.size() > 1 && trace_.blocks.back().shape.kind != BlockKind::state;
  }
  std::vector<std::string> kinds() const {
    std::vector<std::string> names;
    for (const BlockTrace& block : trace_.blocks) names.emplace_back(to_name(block.shape.kind));
    return names;
  }
  std::string prefix(const BlockTrace& block) const {
    const bool beside = block.shape.kind == BlockKind::state;
    return several() || beside ? std::string(to_name(block.shape.kind)) + "_" : "";
  }
  bool wanted(const std::string& name) {
    known_.insert(name);
    return selection_.names.empty() || selection_.names.contains(name);
  }

  void add(const std::string& name, TraceArray::Type type, std::vector<Index> shape,
           std::vector<std::string_view> parts) {
    if (wanted(name)) result_.arrays.push_back({name, type, std::move(shape), std::move(parts)});
  }
  void add(const std::string& name, std::vector<Index> shape, const Tensor& tensor) {
    add(name, TraceArray::Type::f32, std::move(shape), {bytes_of(tensor)});
    result_.tensors.push_back(tensor);
  }

  void collect(const BlockTrace& block) {
    const BlockShape& shape = block.shape;
    const LayerRange range = layer_range(shape, selection_.layer);
    const std::string base = prefix(block);
    // If either sentence has no tokens nothing was computed: no rows for the other one either.
    const bool any = block.layer_count() > 0;
    const Index n_q = any ? block.n_q() : 0, n_k = any ? block.n_k() : 0, d_model = shape.d_model;
    const bool across = block.cross();
    // A capture may only have maps.
    const bool vectors = trace_.inputs.captured() ? !trace_.x.empty() : d_model > 0;
    const bool beside = shape.kind == BlockKind::state;
    if (!several() && vectors && !beside) add("x", {n_q, d_model}, trace_.x);
    if (several() && !across && vectors)
      add(base + "x", {n_q, d_model}, any && wanted(base + "x") ? block.layer(0).x : Tensor());
    if (across && vectors && !trace_.inputs.captured())
      add(base + "key_x", {n_k, d_model}, block.key_x.empty() ? trace_.key_x : block.key_x);
    collect_layers(block, range, base, any);
    if (!block.stack_output.empty()) add(base + "stack_output", {n_q, d_model}, block.stack_output);
  }

  void collect_layers(const BlockTrace& block, LayerRange range, const std::string& base, bool any) {
    struct Layered {
      const char* name;
      std::vector<Index> shape;
      const Tensor LayerTrace::*member;
    };
    const BlockShape& shape = block.shape;
    const Index heads = shape.heads, kv_heads = shape.kv_heads_of(range.begin),
                d_k = shape.d_k_of(range.begin), d_v = shape.d_v_of(range.begin), d_model = shape.d_model;
    const Index n_q = any ? block.n_q() : 0, n_k = any ? block.n_k() : 0;
    const std::vector<Layered> before{{"layer_x", {n_q, d_model}, &LayerTrace::x},
                                      {"q", {heads, n_q, d_k}, &LayerTrace::q},
                                      {"k", {kv_heads, n_k, d_k}, &LayerTrace::k},
                                      {"v", {kv_heads, n_k, d_v}, &LayerTrace::v}};
    const std::vector<Layered> after{{"context", {n_q, heads * d_v}, &LayerTrace::context},
                                     {"output", {n_q, d_model}, &LayerTrace::output}};
    std::vector<LayerTrace> layers;
    const auto layered = [&](const Layered& array) {
      const std::string name = base + array.name;
      // For a single layer it is `x`.
      if (array.member == &LayerTrace::x && !block.computed_layers && shape.layers == 1) return;
      if (trace_.inputs.captured() && any && (block.layer(range.begin).*array.member).empty()) return;
      const std::optional<std::vector<Index>> shape = shape_of(block, range, array.member, array.shape, any);
      if (!shape || !wanted(name)) return;
      for (int i = range.begin + static_cast<int>(layers.size()); any && i < range.end; ++i)
        layers.push_back(block.layer(i));
      std::vector<std::string_view> parts;
      for (const LayerTrace& layer : layers) {
        const Tensor& part = layer.*array.member;
        assert(!part.empty() && "a trace of maps alone has no arrays");
        parts.push_back(bytes_of(part));
        result_.tensors.push_back(part);
      }
      std::vector<Index> whole{range.count()};
      whole.insert(whole.end(), shape->begin(), shape->end());
      add(name, TraceArray::Type::f32, std::move(whole), std::move(parts));
    };
    for (const Layered& array : before) layered(array);
    if (any) {
      collect_maps(block, range, base + "scores", score_rows);
      collect_maps(block, range, base + "attention", weight_rows);
      if (shape.no_token) collect_no_token(block, range, base + "no_token");
      // The scores of a capture that has none follow from its q and k.
      if (const CellValue value = block.cells.value;
          value != CellValue::weight && !known_.contains(base + cell_value(value).array))
        collect_maps(block, range, base + cell_value(value).array, cell_rows);
      if (const auto rollout = selection_.rollouts.find(shape.kind); rollout != selection_.rollouts.end())
        collect_rollout(*rollout->second, range, base + "rollout");
    } else {
      for (const char* name : {"scores", "attention"})
        add(base + name, TraceArray::Type::f32, {range.count(), heads, 0, 0}, {});
    }
    for (const Layered& array : after) layered(array);
  }

  /// `usual`, or of layers with other mixers or sizes that of the array, if it is the same in all of them;
  /// nothing if it is not, or they have none.
  static std::optional<std::vector<Index>> shape_of(const BlockTrace& block, LayerRange range,
                                                    const Tensor LayerTrace::*member,
                                                    const std::vector<Index>& usual, bool any) {
    if ((block.shape.mixers.empty() && block.shape.sizes.empty()) || !any || member == &LayerTrace::x ||
        member == &LayerTrace::output)
      return usual;
    std::optional<std::vector<Index>> shape;
    for (int layer = range.begin; layer < range.end; ++layer) {
      const LayerTrace trace = block.layer(layer);
      const Tensor& array = trace.*member;
      if (array.empty() || (shape && *shape != array.shape())) return {};
      shape = array.shape();
    }
    return shape;
  }

  void collect_rollout(const BlockTrace& rollout, LayerRange range, const std::string& name) {
    if (!wanted(name)) return;
    const ArraySelection::Rows rows = selection_.rows_of(rollout);
    std::vector<std::string_view> parts;
    for (int layer = range.begin; layer < range.end; ++layer) {
      check_stop(selection_.stop);
      parts.push_back(bytes_of(result_.tensors.emplace_back(weight_rows(rollout, layer, rows, {}).front())));
    }
    add(name, TraceArray::Type::f32, {range.count(), rows.end - rows.begin, rollout.n_k()}, std::move(parts));
  }

  /// What of each row goes to no token.
  void collect_no_token(const BlockTrace& block, LayerRange range, const std::string& name) {
    if (!wanted(name)) return;
    const ArraySelection::Rows rows = selection_.rows_of(block);
    std::vector<std::string_view> parts;
    for (int layer = range.begin; layer < range.end; ++layer)
      for (int head = 0; head < block.heads(); ++head) {
        check_stop(selection_.stop);
        Tensor& column = result_.tensors.emplace_back(std::vector<Index>{rows.end - rows.begin});
        block.maps->no_token(layer, head, rows.begin, rows.end, column.data());
        parts.push_back(bytes_of(column));
      }
    add(name, TraceArray::Type::f32, {range.count(), block.heads(), rows.end - rows.begin}, std::move(parts));
  }

  /// `read` returns rows of the maps of all heads of a layer; none if the source has none.
  template <typename Read>
  void collect_maps(const BlockTrace& block, LayerRange range, const std::string& name, const Read& read) {
    if (!wanted(name)) return;
    const ArraySelection::Rows rows = selection_.rows_of(block);
    std::vector<std::string_view> parts;
    for (int layer = range.begin; layer < range.end; ++layer) {
      std::vector<Tensor> maps = read(block, layer, rows, selection_.stop);
      if (maps.empty()) return void(known_.erase(name));
      for (Tensor& map : maps) {
        parts.push_back(bytes_of(map));
        result_.tensors.push_back(std::move(map));
      }
    }
    add(name, TraceArray::Type::f32, {range.count(), block.heads(), rows.end - rows.begin, block.n_k()},
        std::move(parts));
  }

  void collect_logits() {
    if (!trace_.predictions || !wanted("logits")) return;
    const BlockKind kind = trace_.predictions->block();
    const auto block = std::ranges::find(trace_.blocks, kind, [](const auto& b) { return b.shape.kind; });
    const auto of_text = trace_.predictions->text_query();
    const Tensor logits = of_text ? trace_.predictions->logits(*of_text, *of_text + 1)
                                  : trace_.predictions->logits(0, block->n_q());
    add("logits", logits.shape(), logits);
  }

  void collect_tokens() {
    add_tokens("tokens", "token_ids", trace_.blocks.front().tokens);
    const BlockTrace& last = trace_.blocks.back();
    if (last.shape.kind == BlockKind::text)
      add_tokens("text_tokens", "text_token_ids", last.tokens);
    else if (continues_stack(last.shape.kind))
      add_pooled_tokens();
    else if (several())
      add_tokens("target_tokens", "target_token_ids", last.tokens);
    else
      add_tokens("key_tokens", nullptr, trace_.blocks.front().key_tokens);
  }
  /// What the rows of each block stand for that are no tokens.
  void add_pooled_tokens() {
    for (const BlockTrace& block : trace_.blocks)
      if (has_pooled_rows(block.shape.kind)) add_tokens(prefix(block) + "tokens", nullptr, block.tokens);
  }
  void add_tokens(const std::string& name, const char* ids_name, const std::vector<Token>& tokens) {
    if (ids_name != nullptr && !tokens.empty() && tokens.front().id >= 0) {
      auto& ids = result_.numbers.emplace_back();
      for (const Token& token : tokens) ids.push_back(token.id);
      add(ids_name, TraceArray::Type::i64, {std::ssize(ids)},
          {{reinterpret_cast<const char*>(ids.data()), ids.size() * sizeof(std::int64_t)}});
    }
    const std::string& text = result_.texts.emplace_back(tokens_json(tokens));
    add(name, TraceArray::Type::text, {std::ssize(text)}, {text});
  }

  const Trace& trace_;
  const ArraySelection& selection_;
  TraceArrays& result_;
  std::set<std::string> known_;
};

}  // namespace

ArraySelection::Rows ArraySelection::rows_of(const BlockTrace& maps_of) const {
  if (!queries) return {0, maps_of.n_q()};
  if (queries->end > maps_of.n_q())
    throw input_error("--queries ends at {}; expected at most {}", queries->end, maps_of.n_q());
  return *queries;
}

void TraceArrays::add(std::string name, std::vector<Index> shape, const std::vector<double>& values) {
  Tensor& tensor = tensors.emplace_back(Tensor({std::max<Index>(1, std::ssize(values))}));
  std::ranges::transform(values, tensor.data(), [](double value) { return static_cast<float>(value); });
  arrays.push_back({std::move(name),
                    TraceArray::Type::f32,
                    std::move(shape),
                    {{reinterpret_cast<const char*>(tensor.data()), sizeof(float) * values.size()}}});
}

void TraceArrays::add(std::string name, std::vector<std::int64_t> values) {
  const std::vector<std::int64_t>& kept = numbers.emplace_back(std::move(values));
  arrays.push_back({std::move(name),
                    TraceArray::Type::i64,
                    {std::ssize(kept)},
                    {{reinterpret_cast<const char*>(kept.data()), sizeof(std::int64_t) * kept.size()}}});
}

std::size_t TraceArray::bytes() const {
  std::size_t sum = 0;
  for (const std::string_view part : parts) sum += part.size();
  return sum;
}

LayerRange layer_range(const BlockShape& shape, int layer) {
  if (layer >= shape.layers) throw out_of_range("layer", layer, shape.layers);
  return layer < 0 ? LayerRange{0, shape.layers} : LayerRange{layer, layer + 1};
}

std::string tokens_json(const std::vector<Token>& tokens) {
  nlohmann::json list = nlohmann::json::array();
  for (const Token& token : tokens) list.push_back(text_in_vocabulary(token));
  return list.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

TraceArrays trace_arrays(const Trace& trace, const ArraySelection& selection) {
  TraceArrays result;
  Collector(trace, selection, result).collect();
  return result;
}

}  // namespace headscope
