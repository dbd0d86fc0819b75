#pragma once
#include <string>

#include "core/analysis/shown_circuits.h"
#include "core/source/write/array_export.h"

namespace headscope {

/// What the metadata of a file say of its numbers.
struct CircuitOrigin {
  std::string model;
  bool center_logits = false;
};

// Files of circuits: arrays and columns are described in docs/causes.md.

/// The numbers of all heads.
ArrayExport circuit_file(const Circuits& circuits, const CircuitOrigin& origin);
/// The composition of the heads of each layer with those of each later one.
ArrayExport composition_file(const Circuits& circuits, Composition how, const CircuitOrigin& origin);

ArrayExport circuit_file(const Circuits& circuits, const HeadCircuit& of, const Predictions& predictions,
                         const CircuitOrigin& origin);

}  // namespace headscope
