#pragma once
#include <string>

#include "core/analysis/shown_circuits.h"
#include "core/source/write/array_export.h"

namespace headscope {

// Files of circuits: arrays and columns are described in docs/causes.md. `model`: its name in the metadata.

/// The numbers of all heads.
ArrayExport circuit_file(const Circuits& circuits, const std::string& model);
/// The composition of the heads of each layer with those of each later one.
ArrayExport composition_file(const Circuits& circuits, Composition how, const std::string& model);

ArrayExport circuit_file(const Circuits& circuits, const HeadCircuit& of, const Predictions& predictions,
                         const std::string& model);

}  // namespace headscope
