#include "core/scene/mask_words.h"

#include <fmt/format.h>

#include "core/inputs/mask_kinds.h"

namespace headscope {
namespace {

/// Places are from 0, displayed from 1.
std::string listed_places(const Translator& tr, const std::vector<int>& tokens) {
  std::string text;
  for (const int token : tokens) text += (text.empty() ? "" : tr(", ")) + std::to_string(token + 1);
  return text;
}

}  // namespace

std::string mask_words(const Translator& tr, const MaskPart& part) {
  const MaskKindRow& kind = mask_kind(part.kind);
  std::string details;
  const auto add = [&](const std::string& text) { details += (details.empty() ? "" : tr(", ")) + text; };
  for (const MaskParameter& parameter : kind.parameters) {
    const auto* number = std::get_if<int MaskPart::*>(&parameter.member);
    if (number != nullptr && parameter.letter != nullptr)
      add(fmt::format("{} = {}", parameter.letter, part.**number));
    if (parameter.member == MaskParameter::Member(&MaskPart::tokens) && !part.tokens.empty())
      add(tr("tokens {}", listed_places(tr, part.tokens)));
  }
  if (part.layer) add(tr("layer {}", *part.layer + 1));
  const std::string name = part.kind == MaskKind::file ? tr("from a file") : tr(kind.label);
  return details.empty() ? name : tr("{} ({})", name, details);
}

}  // namespace headscope
