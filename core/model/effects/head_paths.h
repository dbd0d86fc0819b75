#pragma once
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "core/model/effects/causes.h"

namespace headscope {

/// From what a head writes to what a later head reads, or into the logits.
struct HeadPath {
  HeadPlace from;
  std::optional<HeadPlace> into;  ///< none: directly into the logits
  double change = 0;              ///< of the measure, with this path alone knocked out
};

struct HeadPaths {
  double clean = 0;              ///< the measure
  std::vector<HeadPlace> heads;  ///< ascending
  std::vector<double> changes;   ///< of the measure, with the whole head knocked out
  std::vector<HeadPath> paths;   ///< into later ones of these heads, and into the logits
};

/// Path patching (Wang et al. 2022; Goldowsky-Dill et al. 2023) between some heads of a run: what a head adds
/// to the stream is taken out of what one other head reads, while what all heads and networks between add
/// stays as it is (norms between, of a model whose norms come after the sums, are computed again); so are the
/// layers above the reading head. A head of an encoder is read by later heads of the encoder and, through its
/// output, by those of cross-attention; its paths do not lead directly into the logits. Throws Error (input)
/// for a position, token or head that does not exist. nullptr if stopped.
std::shared_ptr<const HeadPaths> find_paths(const ModelRun& run, const CauseQuestion& question,
                                            std::span<const HeadPlace> heads, const ComputeContext& context,
                                            const std::stop_token& stop = {});

/// The heads with the largest changes of all blocks, at most `count`: those whose share of the largest one is
/// at least `threshold`. By default as many as a graph of their paths can show.
std::vector<HeadPlace> heads_that_matter(std::span<const CauseMap> maps, std::size_t count = 8,
                                         double threshold = 0.05);

}  // namespace headscope
