#pragma once
#include <optional>
#include <string>

#include "core/inputs/inputs.h"
#include "core/model/circuits.h"
#include "core/source/trace.h"
#include "core/source/write/array_export.h"

namespace headscope {

// Files of circuits: arrays and columns are described in docs/causes.md. `model`: its name in the metadata.

/// The numbers of all heads.
ArrayExport circuit_file(const Circuits& circuits, const std::string& model);
/// The composition of the heads of each layer with those of each later one.
ArrayExport composition_file(const Circuits& circuits, Composition how, const std::string& model);

/// A head, and what it does with a token.
struct HeadCircuit {
  HeadPlace head;
  std::optional<Index> token;
  Index distance = 0;  ///< of the keys that are matched, in positions
};
ArrayExport circuit_file(const Circuits& circuits, const HeadCircuit& of, const Predictions& predictions,
                         const std::string& model);

}  // namespace headscope
