#pragma once
#include <memory>
#include <stop_token>

#include "core/source/trace.h"

namespace headscope {

/// The row sums of all maps of a layer: 1 each, except for dropout and rows without any key.
struct RowSums {
  Index rows = 0;                   ///< of all heads, those without keys included
  Index empty = 0;                  ///< rows of zeros whose keys are all blocked
  double minimum = 1, maximum = 1;  ///< of the others
  double deviation() const {
    return minimum < 2 - maximum ? 1 - minimum : maximum - 1;
  }  ///< the larger one, from 1
};
/// nullptr if stopped.
std::shared_ptr<const RowSums> row_sums(const BlockTrace& block, int layer, std::stop_token stop = {});

}  // namespace headscope
