#include "core/source/trace_arrays.h"

#include <bit>
#include <cassert>
#include <nlohmann/json.hpp>

#include "core/base/no_such.h"

namespace headscope {
namespace {

static_assert(std::endian::native == std::endian::little, "arrays are written as they lie in memory");

std::string_view bytes_of(const Tensor& tensor) {
  return {reinterpret_cast<const char*>(tensor.data()),
          static_cast<std::size_t>(tensor.size()) * sizeof(float)};
}

/// Puts the arrays of a trace together, each layer by layer.
class Collector {
 public:
  Collector(const BlockTrace& block, LayerRange range, TraceArrays& result)
      : block_(block), range_(range), layers_(range.count()), result_(result) {
    // Where one of the sentences has no tokens nothing was computed: no rows, also of the other one.
    if (block.layer_count() == 0) range_.end = range_.begin;
  }

  void layered(const char* name, std::vector<Index> shape, const Tensor LayerTrace::*member) {
    TraceArray array = begin(name, std::move(shape));
    for (int i = range_.begin; i < range_.end; ++i) {
      const Tensor& part = block_.layers[static_cast<std::size_t>(i)].*member;
      assert(!part.empty() && "a trace of maps alone has no arrays");
      array.parts.push_back(bytes_of(part));
    }
    result_.arrays.push_back(std::move(array));
  }

  /// `read` gives the maps of all heads of a layer.
  template <typename Read>
  void maps(const char* name, std::vector<Index> shape, const Read& read) {
    TraceArray array = begin(name, std::move(shape));
    for (int i = range_.begin; i < range_.end; ++i) {
      for (Tensor& map : read(i)) {
        array.parts.push_back(bytes_of(map));
        result_.maps.push_back(std::move(map));
      }
    }
    result_.arrays.push_back(std::move(array));
  }

 private:
  TraceArray begin(const char* name, std::vector<Index> shape) const {
    shape.insert(shape.begin(), layers_);
    return {name, false, std::move(shape), {}};
  }

  const BlockTrace& block_;
  LayerRange range_;
  Index layers_;
  TraceArrays& result_;
};

std::vector<Tensor> scores_of(const BlockTrace& block, int layer) {
  std::vector<Tensor> scores;
  for (int h = 0; h < block.heads(); ++h) {
    scores.emplace_back(std::vector<Index>{block.n_q(), block.n_k()});
    block.maps->score_rows(layer, h, 0, block.n_q(), scores.back().data());
  }
  return scores;
}

}  // namespace

std::size_t TraceArray::bytes() const {
  std::size_t sum = 0;
  for (const std::string_view part : parts) sum += part.size();
  return sum;
}

LayerRange layer_range(const BlockShape& shape, int layer) {
  if (layer >= shape.layers) throw no_such("layer", layer, shape.layers);
  return layer < 0 ? LayerRange{0, shape.layers} : LayerRange{layer, layer + 1};
}

std::string tokens_json(const std::vector<Token>& tokens) {
  nlohmann::json list = nlohmann::json::array();
  for (const Token& token : tokens) list.push_back(token.text);
  return list.dump();
}

TraceArrays trace_arrays(const Trace& trace, int layer) {
  const BlockTrace& block = trace.blocks.front();
  const BlockShape& shape = block.shape;
  TraceArrays result;
  result.texts = {tokens_json(block.tokens), tokens_json(block.key_tokens)};
  const bool any = block.layer_count() > 0;
  const Index n_q = any ? block.n_q() : 0, n_k = any ? block.n_k() : 0;
  const Index heads = shape.heads, kv_heads = shape.kv_heads, d_k = shape.d_k, d_model = shape.d_model;
  result.arrays.push_back({"x", false, {n_q, d_model}, {bytes_of(trace.x)}});
  if (block.cross()) result.arrays.push_back({"key_x", false, {n_k, d_model}, {bytes_of(trace.key_x)}});
  Collector collect(block, layer_range(shape, layer), result);
  if (shape.layers > 1) collect.layered("layer_x", {n_q, d_model}, &LayerTrace::x);
  collect.layered("q", {heads, n_q, d_k}, &LayerTrace::q);
  collect.layered("k", {kv_heads, n_k, d_k}, &LayerTrace::k);
  collect.layered("v", {kv_heads, n_k, d_k}, &LayerTrace::v);
  collect.maps("scores", {heads, n_q, n_k}, [&](int l) { return scores_of(block, l); });
  const std::vector<int> every_head = all_heads(block.heads());
  collect.maps("attention", {heads, n_q, n_k}, [&](int l) { return block.maps->maps(l, every_head); });
  collect.layered("context", {n_q, d_model}, &LayerTrace::context);
  collect.layered("output", {n_q, d_model}, &LayerTrace::output);
  if (!block.stack_output.empty())
    result.arrays.push_back({"stack_output", false, {n_q, d_model}, {bytes_of(block.stack_output)}});
  const char* names[] = {"tokens", "key_tokens"};
  for (std::size_t i = 0; i < 2; ++i)
    result.arrays.push_back(
        {names[i], true, {static_cast<Index>(result.texts[i].size())}, {result.texts[i]}});
  return result;
}

}  // namespace headscope
