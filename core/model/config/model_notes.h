#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/inputs/block_kind.h"
#include "core/model/config/config_fields.h"

namespace headscope {

struct ModelConfig;

/// A relation between words that a head may represent. Texts are English, to be translated.
struct RelationRow {
  const char* name;   ///< in files
  const char* title;  ///< "pronoun → antecedent"
};
/// nullptr if there is none of that name.
const RelationRow* find_relation(std::string_view name);

struct RelationOfHead {
  const RelationRow* relation = nullptr;
  BlockKind block = BlockKind::encoder;
  int layer = 0, head = 0;
  double score = 0;     ///< share of the relation's words where the head's largest weight is right
  bool guided = false;  ///< trained towards it
};
/// The cross-attention head that aligns target and source best.
struct AligningHead {
  int layer = 0, head = 0;
  double score = 0;
};

/// The object "headscope" of a config.json: measurements and training details of a model. Layers and heads
/// from 0.
struct ModelNotes {
  bool guided = false;  ///< some heads were trained towards relations
  /// Placeholder tokens for words unknown to the model, used in the order in which such words appear.
  std::vector<std::string> slots;
  /// A translation with a token less probable than this is outside of what the model has learnt; 0: unknown.
  double outside_below = 0;
  std::vector<RelationOfHead> relations;
  std::optional<AligningHead> alignment;
  std::string picture;   ///< an example for a model that reads one, a file in its folder
  std::string sentence;  ///< an example of what the model can do; may be empty
};

/// Nothing if `config` has no such object. Throws Error (input) that names the field, what was found and what
/// was expected. The stacks of `model` must be set.
std::optional<ModelNotes> read_model_notes(const ConfigFields& config, const ModelConfig& model);

}  // namespace headscope
