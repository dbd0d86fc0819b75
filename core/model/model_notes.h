#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/inputs/block_kind.h"
#include "core/model/config_fields.h"

namespace headscope {

struct ModelConfig;

/// A relation between words that heads are told to have. Texts are English, to be translated.
struct RelationRow {
  const char* name;   ///< in files
  const char* title;  ///< "pronoun → antecedent"
};
/// nullptr: there is none of that name.
const RelationRow* find_relation(std::string_view name);

struct RelationOfHead {
  const RelationRow* relation = nullptr;
  BlockKind block = BlockKind::encoder;
  int layer = 0, head = 0;
  double score = 0;     ///< share of the relation's words at which the head's strongest weight is right
  bool guided = false;  ///< trained towards it
};
/// The head of cross-attention that aligns target and source best.
struct AligningHead {
  int layer = 0, head = 0;
  double score = 0;
};

/// What the object "headscope" of a config.json tells of a model beyond its numbers: what was measured of it,
/// and what it was trained with. Layers and heads from 0.
struct ModelNotes {
  bool guided = false;  ///< some heads were trained towards relations
  /// Tokens that stand for words which the model does not know, in the order in which such words appear.
  std::vector<std::string> slots;
  /// A translation with a less probable token is outside of what the model has learnt; 0: not told.
  double outside_below = 0;
  std::vector<RelationOfHead> relations;
  std::optional<AligningHead> alignment;
  std::string sentence;  ///< that shows what the model can do; empty: none is told
};

/// Nothing where `config` has no such object. Throws Error (input) that names the field, what was found and
/// what was expected. `model` has its stacks already.
std::optional<ModelNotes> read_model_notes(const ConfigFields& config, const ModelConfig& model);

}  // namespace headscope
