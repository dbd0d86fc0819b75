#include "core/model/weights/unread_tensors.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>
#include <utility>

#include "core/base/translate.h"
#include "core/base/utf8.h"
#include "core/model/weights/language_model.h"
#include "core/model/weights/model_size.h"

namespace headscope {
namespace {

/// Parts of names of what no output reads that is shown; transformers ignores them, too, or has them for such
/// an output.
constexpr std::array without_effect = {
    std::string_view("position_ids"),
    std::string_view("token_type_ids"),  // always zeros
    std::string_view("encoder.version"),
    std::string_view("decoder.version"),
    std::string_view("pooler."),                        // the vector of the whole text or picture
    std::string_view("cls.seq_relationship."),          // whether a sentence follows another
    std::string_view("sop_classifier."),                // the same of ALBERT
    std::string_view("contact_head."),                  // which amino acids touch, of ESM's maps
    std::string_view("embeddings.mask_token"),          // in place of patches, in training
    std::string_view("mask_predictions."),              // of DeBERTa's training
    std::string_view("mask_emb"),                       // what XLNet predicts from, in training
    std::string_view("encode_proj."),                   // DPR's vector of the whole text
    std::string_view("span_predictor.qa_classifier."),  // how relevant a passage is, of DPR's reader
    std::string_view("relative_position_index"),        // of BEiT: follows from the picture's size
    std::string_view("rope_freqs.weight"),              // of GGUF: read with the metadata
    std::string_view("rope_factors_"),
    std::string_view("attn_rot_embd"),
    std::string_view("EncDecAttention.relative_attention_bias."),  // of the first T5, which never used it
};

bool is_without_effect(const ModelConfig& config, std::string_view name) {
  if (is_buffer(config, name)) return true;
  if (config.state_mixer && name.starts_with("mtp.")) return true;  // predicts several tokens at once
  // DeBERTa's absolute positions, where its contents have none.
  const bool deberta = config.family == ModelFamily::deberta || config.family == ModelFamily::deberta_v1;
  if (deberta && name.ends_with("embeddings.position_embeddings.weight")) return true;
  // ViT-MAE's second stack, which draws pictures in training, and what BEiT guesses of hidden patches.
  if (config.family == ModelFamily::vit && name.starts_with("decoder.")) return true;
  if (config.family == ModelFamily::beit && (name.starts_with("layernorm.") || name.starts_with("lm_head.")))
    return true;
  // SigLIP's own way to pool a picture, where labels are of the mean of the patches.
  const bool siglip = config.family == ModelFamily::siglip || config.family == ModelFamily::siglip2;
  if (siglip && config.output.kind == OutputKind::picture_label && name.starts_with("vision_model.head."))
    return true;
  return std::ranges::any_of(
      without_effect, [&](std::string_view part) { return name.find(part) != std::string_view::npos; });
}

/// Whether a tensor repeats another. Two of equal numbers throughout (ones, zeros) may be so by chance.
bool is_copy(const TensorView& a, const TensorView& b) {
  if (a.type_name != b.type_name || a.shape != b.shape || !std::ranges::equal(a.bytes, b.bytes)) return false;
  const std::size_t size = std::max<Index>(1, a.size());
  const std::size_t width = a.bytes.size() / size;
  for (std::size_t at = width; at + width <= a.bytes.size(); at += width)
    if (std::memcmp(a.bytes.data(), a.bytes.data() + at, width) != 0) return true;
  return false;
}

/// The table that two stacks share, in a file in which each has its own, and the output its matrix: whatever
/// it has is used by neither.
bool is_table_of_neither(const LanguageModel& part, std::string_view name) {
  const std::string_view shared = part.family().embedding.words[1];
  return part.config().encoder_decoder() && !shared.empty() && name.ends_with(shared);
}

bool is_read(const LanguageModel& part, const std::string& name, const TensorView& view) {
  const auto& read = part.read_tensors();
  if (view.size() == 0 || read.contains(name) || is_without_effect(part.config(), name)) return true;
  if (is_second_bias(part.config(), part.files(), name) || is_table_of_neither(part, name)) return true;
  return std::ranges::any_of(
      read, [&](const std::string& other) { return is_copy(view, *part.files().find(other)); });
}

bool is_number(std::string_view part) {
  return !part.empty() && part.find_first_not_of("0123456789") == std::string_view::npos;
}

/// "layers.12.norm" is "layers.#.norm".
std::string of_any_layer(std::string_view name) {
  std::string result;
  for (std::size_t begin = 0; begin <= name.size();) {
    const std::size_t end = std::min(name.find('.', begin), name.size());
    const std::string_view part = name.substr(begin, end - begin);
    result += (begin > 0 ? "." : "") + (is_number(part) ? "#" : std::string(part));
    begin = end + 1;
  }
  return result;
}

}  // namespace

std::vector<std::string> unread_tensors(std::span<const LanguageModel* const> parts) {
  std::vector<std::string> names;
  const WeightFiles& files = parts.front()->files();
  for (const auto& [name, view] : files.tensors()) {
    const bool read =
        std::ranges::any_of(parts, [&, &known = name, &tensor = view](const LanguageModel* part) {
          return is_read(*part, known, tensor);
        });
    if (!read) names.push_back(files.name_in_file(name));
  }
  return names;
}

Error unread_note(const std::vector<std::string>& names) {
  return input_error(
      counted("{} tensor of the file is not read, so numbers may differ from the original's: {}",
              "{} tensors of the file are not read, so numbers may differ from the original's: {}",
              names.size()),
      names.size(), listed_tensors(names));
}

std::string listed_tensors(const std::vector<std::string>& names) {
  constexpr std::size_t most = 6;
  std::vector<std::pair<std::string, std::size_t>> kinds;
  for (const std::string& name : names) {
    const std::string kind = of_any_layer(name);
    const auto known = std::ranges::find(kinds, kind, &std::pair<std::string, std::size_t>::first);
    if (known == kinds.end())
      kinds.emplace_back(kind, 1);
    else
      ++known->second;
  }
  std::string list;
  for (std::size_t i = 0; i < std::min(most, kinds.size()); ++i) {
    const auto& [kind, count] = kinds[i];
    const std::string all = count == 1 ? "" : " (" + std::to_string(count) + ")";
    list += (i > 0 ? ", " : "") + printable(cut_off(kind, 100)) + all;
  }
  return kinds.size() > most ? list + ", …" : list;
}

}  // namespace headscope
