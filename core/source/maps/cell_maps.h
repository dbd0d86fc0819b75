#pragma once
#include <memory>
#include <optional>

#include "core/source/trace.h"

namespace headscope {

/// What cells are to show; of logits whose, by ids of the vocabulary.
struct CellQuestion {
  CellValue value = CellValue::weight;
  Index token = 0;
  std::optional<Index> against;  ///< the logit of `token` minus that of this one
  bool operator==(const CellQuestion&) const = default;
};

/// Why the cells of a block of the trace cannot show a value, English, to be translated; nullptr: they can.
const char* missing_for_cells(const Trace& trace, const BlockTrace& block, CellValue value);

/// The block of that kind with cells that show what is asked for, computed on demand: BlockTrace::cells.
/// Everything that is defined on weights still reads BlockTrace::maps. An ablated head adds nothing: its
/// norms and contributions are 0. Without tokens, for weights, and where it is missing, the block itself.
std::shared_ptr<const BlockTrace> with_cells(const std::shared_ptr<const Trace>& trace, BlockKind kind,
                                             const CellQuestion& question);
/// A trace whose blocks are such, for arrays.
std::shared_ptr<const Trace> trace_with_cells(const std::shared_ptr<const Trace>& trace,
                                              const CellQuestion& question);

}  // namespace headscope
