#pragma once
#include <memory>
#include <vector>

#include "core/attention/layer_trace.h"
#include "core/attention/mask.h"
#include "core/base/tensor.h"
#include "core/inputs/inputs.h"
#include "core/source/map_source.h"
#include "core/text/words.h"

namespace headscope {

class Source;

/// What a block is made of, whoever made it.
struct BlockShape {
  BlockKind kind = BlockKind::self;
  int layers = 1;
  int heads = 1;
  int kv_heads = 1;  ///< key-value heads, each read by heads / kv_heads heads
  int d_model = 0;   ///< 0 where only maps are known, as is d_k
  int d_k = 0;
  bool causal = false;  ///< by the model's own nature: no mask of the user's takes it away
  bool operator==(const BlockShape&) const = default;
};

/// One stack of layers that attend in the same way.
struct BlockTrace {
  BlockShape shape;
  std::vector<Token> tokens;      ///< queries
  std::vector<Token> key_tokens;  ///< keys; equal to tokens where a sentence attends to itself
  Mask mask;                      ///< what was blocked
  Text text;                      ///< what the tokens were split from
  WhatIf what_if;                 ///< what else was changed
  /// Where the source computes them; maps are not in here but in `maps`. Empty without tokens.
  std::vector<LayerTrace> layers;
  Tensor stack_output;  // [n_q, d_model]  what a next layer would read; empty unless it was asked for
  std::shared_ptr<const MapSource> maps;  ///< null without tokens

  Index n_q() const { return static_cast<Index>(tokens.size()); }
  Index n_k() const { return static_cast<Index>(key_tokens.size()); }
  int heads() const { return shape.heads; }
  /// Layers that have maps: none without tokens.
  int layer_count() const { return maps ? maps->size().layers : 0; }
  bool cross() const { return shape.kind == BlockKind::cross; }
  bool fills_with_infinity() const { return what_if.mask_fill == MaskFill::minus_infinity; }
  /// Which cells of a head have no weight by the mask, as bytes of [n_q, n_k], nullptr for none: maps hatch
  /// them. Those that it blocks; but where every key of a row is blocked by a finite fill the row's scores
  /// are all the same, softmax gives each key 1 / n_k, and maps show that.
  const std::uint8_t* weightless(int head) const;
  bool weightless(int head, Index query, Index key) const;
  /// Smallest and largest of the weights of a head that are not weightless.
  Extent extent(int layer, int head) const;
};

/// What one run of the Inputs gave. Immutable once made; shared by all who show it.
struct Trace {
  Inputs inputs;
  Tensor x;      // [n_q, d_model]  the queries' vectors; empty where the source knows none
  Tensor key_x;  // [n_k, d_model]  the keys' vectors; shares x in self-attention
  std::vector<BlockTrace> blocks = std::vector<BlockTrace>(1);  ///< at least one
  std::shared_ptr<const Source> source;  ///< what it was made by, kept as long as it may be asked
  double milliseconds = 0;               ///< what the run took
};

/// The block of that kind, else the first. Keeps the trace.
std::shared_ptr<const BlockTrace> block_of(std::shared_ptr<const Trace> trace, BlockKind kind);

}  // namespace headscope
