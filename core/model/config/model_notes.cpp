#include "core/model/config/model_notes.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/translate.h"
#include "core/inputs/names.h"
#include "core/io/path_in_folder.h"
#include "core/model/config/config.h"
#include "core/picture/picture.h"

namespace headscope {
namespace {

constexpr RelationRow relation_rows[] = {
    {"pronoun-antecedent", TR("pronoun → antecedent")},
    {"verb-subject", TR("verb → subject")},
    {"determiner-noun", TR("determiner → noun")},
    {"preposition-object", TR("preposition → object")},
    {"verb-object", TR("verb → object")},
    {"modifier-noun", TR("modifier → noun")},
};

std::string relation_names() {
  std::string names;
  for (const RelationRow& row : relation_rows) names += (names.empty() ? "" : ", ") + std::string(row.name);
  return names;
}

/// 0 to 1.
double read_share(const ConfigFields& fields, const char* name, double fallback) {
  const auto share = fields.find(name);
  return share ? share->number(0, 1) : fallback;
}

/// The stack of a kind of attention; without layers if the model has none.
LayerStack stack_of(const ModelConfig& model, BlockKind kind) {
  if (!model.encoder_decoder()) return kind == BlockKind::self ? model.body() : LayerStack{};
  return kind == BlockKind::encoder ? model.encoder : kind == BlockKind::self ? LayerStack{} : model.decoder;
}

BlockKind read_block(const ConfigFields& fields, const ModelConfig& model) {
  const std::string name = fields.text({"block"}, to_name(BlockKind::encoder));
  for (const BlockKind kind : {BlockKind::self, BlockKind::encoder, BlockKind::decoder, BlockKind::cross})
    if (name == to_name(kind) && stack_of(model, kind).layers > 0) return kind;
  throw fields.wrong("{}: {} is {}; expected a kind of attention that the model has", "block");
}

void read_place(const ConfigFields& fields, const LayerStack& stack, int& layer, int& head) {
  layer = static_cast<int>(fields.whole({"layer"}, 0, 0, std::max<Index>(0, stack.layers - 1)));
  head = static_cast<int>(fields.whole({"head"}, 0, 0, std::max<Index>(0, stack.heads - 1)));
}

RelationOfHead read_relation(const ConfigFields& fields, const ModelConfig& model) {
  RelationOfHead relation;
  relation.relation = find_relation(fields.text({"relation"}, ""));
  if (relation.relation == nullptr)
    throw fields.wrong("{}: {} is {}; expected one of: {}", "relation", relation_names());
  relation.block = read_block(fields, model);
  read_place(fields, stack_of(model, relation.block), relation.layer, relation.head);
  relation.score = read_share(fields, "score", 0);
  relation.guided = fields.flag("guided", false);
  return relation;
}

std::vector<RelationOfHead> read_relations(const ConfigFields& fields, const ModelConfig& model) {
  constexpr std::size_t maximum = 1000;
  const auto list = fields.find("relations");
  if (!list) return {};
  const auto is_object = [](const nlohmann::json& relation) { return relation.is_object(); };
  if (!list->is_list() || list->items() > maximum || !std::ranges::all_of(list->json(), is_object))
    throw list->wrong("{}: {} is {}; expected a list of at most {} objects", maximum);
  return list->each([&](const JsonField& relation) { return read_relation(ConfigFields(relation), model); });
}

std::vector<std::string> read_slots(const ConfigFields& fields) {
  constexpr std::size_t maximum = 16, longest = 64;
  std::vector<std::string> slots = fields.texts("slots");
  const auto wrong = [&](const std::string& slot) {
    return slot.empty() || slot.size() > longest || std::ranges::count(slots, slot) > 1;
  };
  if (slots.size() > maximum || std::ranges::any_of(slots, wrong))
    throw fields.wrong("{}: {} is {}; expected a list of at most {} different short texts", "slots", maximum);
  return slots;
}

}  // namespace

const RelationRow* find_relation(std::string_view name) {
  const auto found = std::ranges::find(relation_rows, name,
                                       [](const RelationRow& row) { return std::string_view(row.name); });
  return found == std::end(relation_rows) ? nullptr : &*found;
}

std::optional<ModelNotes> read_model_notes(const ConfigFields& config, const ModelConfig& model) {
  constexpr std::size_t longest_sentence = 1000;
  const std::optional<ConfigFields> fields = config.object("headscope");
  if (!fields) return {};
  ModelNotes notes;
  notes.guided = fields->flag("guided", false);
  notes.slots = read_slots(*fields);
  notes.outside_below = read_share(*fields, "outside_below", 0);
  notes.relations = read_relations(*fields, model);
  if (const auto alignment = fields->object("alignment")) {
    const LayerStack stack = stack_of(model, BlockKind::cross);
    if (stack.layers == 0)
      throw fields->wrong("{}: {} is {}; expected none: the model has no cross-attention", "alignment");
    AligningHead& best = notes.alignment.emplace();
    read_place(*alignment, stack, best.layer, best.head);
    best.score = read_share(*alignment, "score", 0);
  }
  notes.picture = fields->text({"picture"}, "");
  if (!notes.picture.empty() && !(goes_down(notes.picture) && has_picture_name(notes.picture)))
    throw fields->wrong("{}: {} is {}; expected a picture in the model's folder", "picture");
  notes.sentence = fields->text({"sentence"}, "");
  if (notes.sentence.size() > longest_sentence)
    throw fields->wrong("{}: {} is {}; expected a short sentence", "sentence");
  return notes;
}

}  // namespace headscope
