#include "core/figure/caption.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/analysis/filter.h"
#include "core/analysis/stage_numbers.h"
#include "core/base/utf8.h"
#include "core/base/version.h"
#include "core/figure/boards/draw_view.h"
#include "core/figure/boards/vertical_text.h"
#include "core/scene/layer_look.h"
#include "core/scene/locked_text.h"
#include "core/scene/range.h"
#include "core/scene/source_title.h"
#include "core/source/maps/pooled_maps.h"

namespace headscope {
namespace {

/// Sentences one after the other; after a full stop of Chinese there is no space.
class Sentences {
 public:
  void add(const std::string& sentence) {
    if (sentence.empty()) return;
    const bool wide = !text_.empty() && !is_ascii(text_.back());
    text_ += (text_.empty() || wide ? "" : " ") + sentence;
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

std::string what_is_shown(const Scene& scene, const Translator& tr) {
  Scene titled = scene;
  titled.view.show_title = true;
  const std::string title = figure_title(titled, tr);
  if (!scene.head) return title;
  const std::string head = head_title(tr, scene.labels, scene.view.layer, *scene.head);
  return title.find(head) != std::string::npos ? title : head + (title.empty() ? "" : " · ") + title;
}

/// Which heads of the layer, where some are hidden.
std::string shown_heads(const Scene& scene, const Translator& tr) {
  const bool some =
      scene.view.row().layer_maps() && !scene.head && std::ssize(scene.heads) < scene.block->heads();
  if (!some) return "";
  std::vector<int> numbers;
  for (const int head : scene.heads) numbers.push_back(head + 1);
  return tr("Heads {}.", fmt::format("{}", fmt::join(numbers, tr(", "))));
}

std::string source_sentence(const Scene& scene, const Translator& tr) {
  if (scene.trace == nullptr) return "";
  std::string source = source_title(tr, *scene.trace);
  if (scene.trace->inputs.about().from_seed)
    source += fmt::format(" · d_model {}", scene.trace->inputs.d_model);
  return tr("Source: {}.", source);
}

/// What was changed of the run, without which its numbers are not those of the source.
void add_changes(const Scene& scene, const Translator& tr, Sentences& caption) {
  if (scene.trace == nullptr) return;
  const Inputs& inputs = scene.trace->inputs;
  std::vector<std::string> heads;
  for (const HeadPlace& one : inputs.ablated_heads)
    heads.push_back(fmt::format("{}.{}", one.layer + 1, one.head + 1));
  if (!heads.empty())
    caption.add(tr("Ablated heads: {} ({}).", fmt::format("{}", fmt::join(heads, tr(", "))),
                   tr(inputs.ablation == Ablation::zero ? TR("zero") : TR("mean"))));
  if (inputs.temperature != 1) caption.add(tr("Temperature: {}.", short_number(inputs.temperature)));
}

std::string text_sentence(const Scene& scene, const Translator& tr) {
  constexpr std::size_t most = 300;  // characters
  if (scene.trace == nullptr) return "";
  const std::string text = sentence_of(*scene.trace);
  const std::vector<std::size_t> starts = character_starts(text);
  return tr("Text: “{}”.", starts.size() <= most ? text : text.substr(0, starts[most]) + "…");
}

std::string colours_sentence(const Scene& scene, const Translator& tr) {
  const std::string name =
      colors_name(tr, scene.view.range, *scene.block,
                  scene.view.row().one_layer ? std::optional(scene.view.layer) : std::nullopt);
  const bool one = !is_per_head(scene.view.range.kind) || scene.drawn_heads().size() == 1;
  if (!one || scene.block->pooled() || needs_pooling(*scene.block)) return tr("Colours: {}.", name);
  const auto shown =
      filter_layer(scene.block, scene.view.layer, scene.view.filter, heads_in_view(scene), scene.stop);
  const ColorRange range = LayerLook(*shown).ranges(scene.view.range)[scene.drawn_heads().front()];
  return tr("Colours: {}, {}.", name, range_text(range));
}

}  // namespace

std::string figure_caption(const Scene& scene, const Translator& tr) {
  if (scene.empty()) return "";
  Sentences caption;
  caption.add(tr("{}.", what_is_shown(scene, tr)));
  caption.add(shown_heads(scene, tr));
  caption.add(source_sentence(scene, tr));
  add_changes(scene, tr, caption);
  caption.add(text_sentence(scene, tr));
  if (scene.view.row().cells == CellsAs::maps) caption.add(tr("Rows are queries, columns are keys."));
  if (scene.view.row().layer_maps() && !scene.view.row().compares) caption.add(colours_sentence(scene, tr));
  if (scene.view.row().thumbnails() && scene.block->shape.has_equivalent_maps())
    caption.add(tr("{}.", cells_name(tr, *scene.block, {})));
  if (scene.marks_locked)
    if (const std::string cell = locked_text(tr, scene); !cell.empty()) caption.add(tr("Framed: {}.", cell));
  caption.add(tr("Made with Headscope {}.", program_version()));
  return caption.text();
}

}  // namespace headscope
