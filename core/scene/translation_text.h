#pragma once
#include <string>
#include <vector>

#include "core/base/translate.h"
#include "core/model/config/model_notes.h"
#include "core/source/translation.h"

namespace headscope {

/// That a translation is unreliable, and which words the model does not know; empty if it is reliable.
std::string outside_text(const Translator& tr, const Translation& translation);
/// The same in several wordings, the longest first.
std::vector<std::string> outside_texts(const Translator& tr, const Translation& translation);
/// "pronoun → antecedent 1.00, guided"
std::string relation_text(const Translator& tr, const RelationOfHead& relation);
/// The relations of a head in several wordings, the longest first, only "guided" if it was; empty if nothing
/// is known about it. `notes` may be nullptr.
std::vector<std::string> relation_badges(const Translator& tr, const ModelNotes* notes, BlockKind block,
                                         int layer, int head);
/// Those of a head, each as relation_text(); empty if nothing is known about it. `notes` may be nullptr.
std::vector<std::string> relation_texts(const Translator& tr, const ModelNotes* notes, BlockKind block,
                                        int layer, int head);

}  // namespace headscope
