#include "core/scene/translation_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace headscope {

std::vector<std::string> outside_texts(const Translator& tr, const Translation& translation) {
  if (!translation.outside) return {};
  const char* const brief = tr("Do not trust this translation");
  if (translation.unknown.empty())
    return {tr("Do not trust this translation: the sentence is outside of what the model has learnt"), brief};
  std::string words;
  for (const std::string& word : translation.unknown) words += (words.empty() ? "" : tr(", ")) + word;
  return {tr("Do not trust this translation: the sentence is outside of what the model has learnt; unknown "
             "words: {}",
             words),
          tr("Do not trust this translation; unknown words: {}", words),
          tr("Unreliable; unknown words: {}", words), brief};
}

std::string outside_text(const Translator& tr, const Translation& translation) {
  const std::vector<std::string> texts = outside_texts(tr, translation);
  return texts.empty() ? std::string() : texts.front();
}

std::string relation_text(const Translator& tr, const RelationOfHead& relation) {
  const std::string score = fmt::format("{:.2f}", relation.score);
  const char* const title = tr(relation.relation->title);
  return relation.guided ? tr("{} {}, guided", title, score) : std::string(title) + " " + score;
}

std::vector<std::string> relation_texts(const Translator& tr, const ModelNotes* notes, BlockKind block,
                                        int layer, int head) {
  std::vector<std::string> texts;
  if (notes == nullptr) return texts;
  for (const RelationOfHead& relation : notes->relations)
    if (relation.block == block && relation.layer == layer && relation.head == head)
      texts.push_back(relation_text(tr, relation));
  return texts;
}

std::vector<std::string> relation_badges(const Translator& tr, const ModelNotes* notes, BlockKind block,
                                         int layer, int head) {
  const std::vector<std::string> texts = relation_texts(tr, notes, block, layer, head);
  if (texts.empty()) return {};
  std::string whole;
  for (const std::string& text : texts) whole += (whole.empty() ? "" : " · ") + text;
  std::vector<std::string> badges{whole};
  const auto reported = [&](const RelationOfHead& one) {
    return one.guided && one.block == block && one.layer == layer && one.head == head;
  };
  const auto guided = std::ranges::find_if(notes->relations, reported);
  if (guided == notes->relations.end()) {
    if (texts.size() > 1) badges.push_back(texts.front() + " …");
    return badges;
  }
  if (texts.size() > 1) badges.push_back(relation_text(tr, *guided) + " …");
  badges.push_back(tr("{}, guided", tr(guided->relation->title)));
  badges.emplace_back(tr("guided"));
  return badges;
}

}  // namespace headscope
