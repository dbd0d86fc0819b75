#include <algorithm>
#include <string_view>

#include "core/scene/view_kinds.h"
#include "core/scene/view_needs.h"

namespace headscope {
namespace {

constexpr const char* layer_options[] = {"--head"};
constexpr const char* grid_options[] = {"--head", "--rows", "--columns"};
constexpr const char* compare_options[] = {"--head", "--other-sentence"};
constexpr const char* steps_options[] = {"--head", "--page"};
constexpr const char* contributions_options[] = {"--token"};
constexpr const char* causes_options[] = {"--head",           "--token",  "--against",
                                          "--other-sentence", "--noise",  "--by-position",
                                          "--by-edge",        "--by-key", "--by-path"};
constexpr const char* circuits_options[] = {"--head", "--token", "--composition", "--distance",
                                            "--center-logits"};

/// What each view draws, in small.
struct Icons {
  using enum IconShape;
  static constexpr IconPart grid[] = {{frame, -0.9F, -0.9F, -0.1F, -0.1F},
                                      {frame, -0.9F, 0.1F, -0.1F, 0.9F},
                                      {frame, 0.1F, -0.9F, 0.9F, -0.1F},
                                      {frame, 0.1F, 0.1F, 0.9F, 0.9F}};  // maps side by side
  static constexpr IconPart head[] = {{frame, -0.9F, -0.9F, 0.9F, 0.9F},
                                      {fill, -0.6F, -0.6F, -0.2F, -0.2F},
                                      {fill, -0.2F, -0.2F, 0.2F, 0.2F},
                                      {fill, 0.2F, 0.2F, 0.6F, 0.6F}};  // one map, with its diagonal
  static constexpr IconPart lines[] = {
      {stroke, -0.7F, -0.7F, 0.7F, 0}, {stroke, -0.7F, 0, 0.7F, 0.7F}, {stroke, -0.7F, 0.7F, 0.7F, -0.7F},
      {dot, -0.8F, -0.7F, 0.2F},       {dot, -0.8F, 0, 0.2F},          {dot, -0.8F, 0.7F, 0.2F},
      {dot, 0.8F, -0.7F, 0.2F},        {dot, 0.8F, 0, 0.2F},           {dot, 0.8F, 0.7F, 0.2F}};
  static constexpr IconPart layers[] = {
      {fill, -0.9F, -0.9F, -0.4F, -0.4F},   {fill, -0.25F, -0.9F, 0.25F, -0.4F},
      {fill, 0.4F, -0.9F, 0.9F, -0.4F},     {fill, -0.9F, -0.25F, -0.4F, 0.25F},
      {fill, -0.25F, -0.25F, 0.25F, 0.25F}, {fill, 0.4F, -0.25F, 0.9F, 0.25F},
      {fill, -0.9F, 0.4F, -0.4F, 0.9F},     {fill, -0.25F, 0.4F, 0.25F, 0.9F},
      {fill, 0.4F, 0.4F, 0.9F, 0.9F}};  // rows of maps
  static constexpr IconPart compare[] = {{frame, -0.95F, -0.6F, -0.15F, 0.6F},
                                         {frame, 0.15F, -0.6F, 0.95F, 0.6F},
                                         {fill, 0.15F, 0, 0.95F, 0.6F}};  // A next to B
  static constexpr IconPart table[] = {{frame, -0.9F, -0.8F, 0.9F, 0.8F},
                                       {stroke, -0.9F, -0.3F, 0.9F, -0.3F},
                                       {stroke, -0.9F, 0.25F, 0.9F, 0.25F},
                                       {stroke, -0.2F, -0.8F, -0.2F, 0.8F}};
  static constexpr IconPart steps[] = {{stroke, -0.9F, 0.7F, -0.3F, 0.7F},
                                       {stroke, -0.3F, 0.7F, -0.3F, 0.1F},
                                       {stroke, -0.3F, 0.1F, 0.3F, 0.1F},
                                       {stroke, 0.3F, 0.1F, 0.3F, -0.5F},
                                       {stroke, 0.3F, -0.5F, 0.9F, -0.5F}};
  static constexpr IconPart lens[] = {{ring, -0.2F, -0.2F, 0.6F}, {stroke, 0.25F, 0.25F, 0.85F, 0.85F}};
  static constexpr IconPart contributions[] = {
      {stroke, -0.2F, -0.9F, -0.2F, 0.9F},
      {fill, -0.2F, -0.75F, 0.9F, -0.4F},
      {fill, -0.7F, -0.15F, -0.2F, 0.2F},
      {fill, -0.2F, 0.45F, 0.4F, 0.8F}};  // bars to both sides of zero
  static constexpr IconPart model[] = {{frame, -0.9F, -0.3F, -0.2F, 0.9F},
                                       {frame, 0.2F, -0.9F, 0.9F, 0.9F},
                                       {stroke, -0.2F, 0.3F, 0.2F, 0.3F}};  // an encoder beside a decoder
  static constexpr IconPart picture[] = {
      {frame, -0.9F, -0.8F, 0.9F, 0.8F}, {dot, -0.35F, -0.3F, 0.2F}, {peak, -0.7F, -0.2F, 0.75F, 0.6F}};
  static constexpr IconPart causes[] = {
      {stroke, -0.5F, -0.6F, 0.6F, 0},
      {stroke, -0.5F, 0.6F, 0.6F, 0},
      {dot, 0.65F, 0, 0.28F},
      {dot, -0.65F, -0.6F, 0.22F},
      {stroke, -0.9F, 0.35F, -0.4F, 0.85F},
      {stroke, -0.9F, 0.85F, -0.4F, 0.35F}};  // one of several that lead to the same is knocked out
  static constexpr IconPart circuits[] = {
      {stroke, -0.6F, 0.6F, -0.6F, -0.2F}, {stroke, -0.6F, -0.2F, 0.6F, -0.6F},
      {stroke, 0.6F, 0.6F, 0.6F, -0.6F},   {ring, -0.6F, 0.65F, 0.25F},
      {ring, 0.6F, 0.65F, 0.25F},          {dot, 0.6F, -0.6F, 0.28F},
      {dot, -0.6F, -0.1F, 0.25F}};  // heads joined across layers
};

/// Tables of predictions have long titles and words in their cells.
constexpr PrintedSize of_predictions{.height = 1.5 * PrintedSize{}.height, .width = 1.5};

constexpr auto descriptors = std::to_array<ViewKindRow>({
    {{ViewKind::grid, "grid", nullptr, TR("Grid"), TR("All heads of a layer (Ctrl+1)"), TR("Grid of heads"),
      ViewGroup::look, Icons::grid},
     {.cells = CellsAs::maps, .one_layer = true, .arranges = true, .options = grid_options}},
    {{ViewKind::head, "head", nullptr, TR("Head"), TR("One head, enlarged (Ctrl+2)"), TR("One head"),
      ViewGroup::look, Icons::head},
     {.cells = CellsAs::maps, .one_layer = true, .one_head = true, .zooms = true, .options = layer_options}},
    {{ViewKind::lines, "lines", nullptr, TR("Lines"), TR("Attention as lines between tokens (Ctrl+3)"),
      TR("Lines"), ViewGroup::look, Icons::lines},
     {.cells = CellsAs::lines, .one_layer = true, .options = layer_options}},
    {{ViewKind::layers, "layers", nullptr, TR("Layers"), TR("All heads of all layers at once (Ctrl+4)"),
      TR("Layers × heads"), ViewGroup::look, Icons::layers},
     {.cells = CellsAs::maps}},
    {{ViewKind::compare, "compare", nullptr, TR("Compare"),
      TR("A and B side by side, with their difference (Ctrl+5)"), TR("Compare A with B"), ViewGroup::measure,
      Icons::compare},
     {.cells = CellsAs::maps,
      .one_layer = true,
      .one_head = true,
      .compares = true,
      .options = compare_options}},
    {{ViewKind::head_table, "population", "table", TR("Table"),
      TR("All heads as numbers, and how similar they are (Ctrl+6)"), TR("Table of heads"), ViewGroup::measure,
      Icons::table},
     {.has_colormap = true, .wide = true}},
    {{ViewKind::steps, "steps", "arithmetic", TR("Steps"),
      TR("The arithmetic of one cell, step by step (Ctrl+7)"), TR("Steps of the arithmetic"),
      ViewGroup::explain, Icons::steps},
     {.one_layer = true,
      .one_head = true,
      .has_steps = true,
      .options = steps_options,
      .missing = missing_steps,
      .printed = {.height = 8.5, .largest = 1.15}}},
    {{ViewKind::lens, "logit_lens", "lens", TR("Lens"),
      TR("Logit lens: what a trained model would predict after each layer (Ctrl+8)"),
      TR("Logit lens: the prediction after each layer"), ViewGroup::explain, Icons::lens},
     {.predicts = true, .has_colormap = true, .none = no_lens, .printed = of_predictions}},
    {{ViewKind::contributions, "contributions", nullptr, TR("Logits"),
      TR("What each head adds to the logit of a token (Ctrl+9)"), TR("Logit contributions of the heads"),
      ViewGroup::explain, Icons::contributions},
     {.predicts = true,
      .options = contributions_options,
      .none = no_contributions,
      .printed = of_predictions}},
    {{ViewKind::model, "model", nullptr, TR("Model"),
      TR("Encoder, decoder and cross-attention in one picture (Ctrl+M)"), TR("Whole model"), ViewGroup::look,
      Icons::model},
     // Its words are already as small as can be read.
     {.whole = true, .none = no_model_picture, .printed = {.height = 5, .smallest = 0.95}}},
    {{ViewKind::picture, "picture", nullptr, TR("Picture"),
      TR("Where every head of every layer looks in the picture"), TR("Heads over the picture"),
      ViewGroup::look, Icons::picture},
     {.cells = CellsAs::overlay, .missing = missing_picture}},
    {{ViewKind::causes, "causes", nullptr, TR("Causes"),
      TR("Which heads cause a prediction: each is knocked out or patched in turn"),
      TR("Causes of a prediction"), ViewGroup::measure, Icons::causes},
     {.predicts = true,
      .own_numbers = true,
      .changes_runs = true,
      .options = causes_options,
      .token_option = "--answer",
      .none = no_causes,
      .printed = of_predictions}},
    {{ViewKind::circuits, "circuits", nullptr, TR("Circuits"),
      TR("What a head's matrices copy, match and read from other heads, whatever the text"),
      TR("Circuits of a head"), ViewGroup::explain, Icons::circuits},
     {.predicts = true,
      .own_numbers = true,
      .chooses_head = true,
      .options = circuits_options,
      .token_option = "--token",
      .none = no_circuits,
      .printed = of_predictions}},
});

constexpr bool in_order() {
  for (std::size_t i = 0; i < descriptors.size(); ++i)
    if (place_of(descriptors[i].value) != i) return false;
  return true;
}
static_assert(in_order(), "rows are found by their place");

}  // namespace

constinit const std::array<ViewKindRow, view_count> view_kinds = descriptors;

bool ViewTraits::has_option(const char* option) const {
  return std::ranges::find(options, std::string_view(option)) != options.end();
}

ViewKind first_view(bool writes, bool has_picture) {
  return has_picture ? ViewKind::picture : writes ? ViewKind::model : ViewKind::grid;
}

std::span<const EnumName<ViewKind>> enum_names(ViewKind) {
  static const auto names = row_names(std::span<const ViewKindRow>(view_kinds));
  return names;
}

}  // namespace headscope
