#include "core/inputs/mask_kinds.h"

#include <algorithm>

#include "core/base/enum_table.h"
#include "core/base/translate.h"

namespace headscope {
namespace {

constexpr MaskParameter with_option(MaskParameter parameter, std::string_view name) {
  parameter.option = name;
  return parameter;
}

constexpr MaskParameter width_parameter{.member = &MaskPart::window,
                                        .label = TR("Width w"),
                                        .help = TR("Tokens on each side of the query"),
                                        .letter = "w",
                                        .number = "window"};
constexpr MaskParameter dilation_parameter{.member = &MaskPart::dilation,
                                           .minimum = 1,
                                           .label = TR("Dilation d"),
                                           .help = TR("Every d-th key"),
                                           .letter = "d",
                                           .number = "dilation"};
constexpr MaskParameter random_parameter{.member = &MaskPart::random_keys,
                                         .label = TR("Keys r"),
                                         .help = TR("Random keys per query"),
                                         .letter = "r",
                                         .number = "random"};
constexpr MaskParameter seed_parameter{
    .member = &MaskPart::seed, .option = "seed", .label = TR("Seed"), .number = "seed"};
constexpr MaskParameter tokens_parameter{
    .member = &MaskPart::tokens,
    .label = TR("Tokens"),
    .help = TR("Token numbers from 1, separated by commas, or choose from the list."),
    .number = "global"};
constexpr MaskParameter global_tokens = with_option(tokens_parameter, "global");

constexpr MaskParameter of_padding[] = {{.member = &MaskPart::tokens,
                                         .of_keys = true,
                                         .label = tokens_parameter.label,
                                         .help = tokens_parameter.help,
                                         .number = "padding"}};
constexpr MaskParameter of_file[] = {{.member = &MaskPart::path}};
constexpr MaskParameter of_painted[] = {{.member = &MaskPart::painted}};
constexpr MaskParameter of_sliding_window[] = {width_parameter};
constexpr MaskParameter of_dilated[] = {width_parameter, dilation_parameter};
constexpr MaskParameter of_global[] = {tokens_parameter};
constexpr MaskParameter of_random[] = {random_parameter, seed_parameter};
constexpr MaskParameter of_longformer[] = {width_parameter, global_tokens};
constexpr MaskParameter of_bigbird[] = {width_parameter, global_tokens,
                                        with_option(random_parameter, "random"), seed_parameter};

constexpr bool constraint = false, pattern = true;
constexpr MaskKindRow mask_kind_rows[] = {
    {MaskKind::causal, "causal", "causal", "Causal", TR("Causal"),
     TR("Blocks keys after the query: no token sees the future.")},
    {MaskKind::padding, "padding", "padding:8,9", "Padding", TR("Padding"),
     TR("Blocks tokens marked as padding, as keys for every query. Shift+click the sentence's "
        "tokens to mark them."),
     constraint, of_padding},
    {MaskKind::segments, "segments", "segments", "Segments", TR("Segments"),
     TR("Tokens in different sentences of the text cannot see each other.")},
    {MaskKind::file, "file", "file:MASK.npy", "", "", "", constraint, of_file},
    {MaskKind::painted, "painted", "painted:...", "Painted cells", TR("Painted"), "", constraint, of_painted,
     "painted:QUERY:KEY-KEY,…;head=H,QUERY:KEY,…"},
    {MaskKind::window, "window", "window:w", "Window", TR("Window"),
     TR("A query sees keys with |i − j| ≤ w."), pattern, of_sliding_window},
    {MaskKind::dilated, "dilated", "dilated:w,d", "Dilated", TR("Dilated"),
     TR("A query sees keys with |i − j| ≤ w·d and |i − j| divisible by d."), pattern, of_dilated},
    {MaskKind::global, "global", "global:0,4", "Global", TR("Global"),
     TR("These tokens see every token and are seen by every token. Shift+click the sentence's "
        "tokens to choose them."),
     pattern, of_global},
    {MaskKind::random, "random", "random:r,seed=7", "Random", TR("Random"),
     TR("Each query sees r distinct keys, drawn at random."), pattern, of_random},
    {MaskKind::longformer, "longformer", "longformer:w,global=0", "Longformer", TR("Longformer"),
     TR("Window and global tokens (Beltagy et al. 2020)."), pattern, of_longformer},
    {MaskKind::bigbird, "bigbird", "bigbird:w,global=0,random=r,seed=7", "BigBird", TR("BigBird"),
     TR("Window, global tokens and random keys (Zaheer et al. 2020)."), pattern, of_bigbird},
};

}  // namespace

const MaskParameter* MaskKindRow::token_list() const {
  const auto found = std::ranges::find_if(parameters, [](const MaskParameter& parameter) {
    return std::holds_alternative<std::vector<int> MaskPart::*>(parameter.member);
  });
  return found == parameters.end() ? nullptr : &*found;
}

bool MaskKindRow::has_controls() const {
  return std::ranges::all_of(parameters, [](const MaskParameter& p) { return p.label != nullptr; });
}

std::span<const MaskKindRow> mask_kinds() {
  return mask_kind_rows;
}

const MaskKindRow& mask_kind(MaskKind kind) {
  return of_kind(mask_kind_rows, kind);
}

bool is_pattern(MaskKind kind) {
  return mask_kind(kind).pattern;
}

MaskPart make_mask_part(MaskKind kind) {
  MaskPart part;
  part.kind = kind;
  const MaskParameter* list = mask_kind(kind).token_list();
  if (list != nullptr && !list->option.empty()) part.tokens = {0};
  return part;
}

}  // namespace headscope
