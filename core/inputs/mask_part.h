#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// One part of a mask. Patterns say what a query may see, and together allow the union of what each allows
/// (no pattern: everything). Constraints block, and what any of them blocks is blocked.
enum class MaskKind {
  // constraints
  causal,    ///< causal                 keys after the query
  padding,   ///< padding:8,9            those keys, for every query
  segments,  ///< segments               tokens of different sentences don't see each other
  file,      ///< file:MASK.npy          bool [n_q, n_k], true blocks
  painted,   ///< painted:…              cells chosen one by one, for all heads or for one
  // patterns
  window,      ///< window:w               |i - j| <= w
  dilated,     ///< dilated:w,d            |i - j| <= w d, divisible by d
  global,      ///< global:0,4             those tokens see all and are seen by all
  random,      ///< random:r,seed=7        r keys a query, drawn without repetition
  longformer,  ///< longformer:w,global=0          window and global (Beltagy et al. 2020)
  bigbird,     ///< bigbird:w,global=0,random=r,seed=7   window, global and random (Zaheer et al. 2020)
};

bool is_pattern(MaskKind kind);

/// Blocked cells of one row, keys [key_begin, key_end), in every head (head = -1) or in one.
struct PaintedRun {
  int head = -1;
  int query = 0;
  int key_begin = 0;
  int key_end = 0;
  auto operator<=>(const PaintedRun&) const = default;
};

/// The canonical form: sorted, runs that touch or overlap made one, empty ones left out.
void merge_painted(std::vector<PaintedRun>& runs);

struct MaskPart {
  MaskKind kind = MaskKind::causal;
  bool on = true;
  int window = 1;                     ///< window, dilated, longformer, bigbird: w
  int dilation = 2;                   ///< dilated: d
  int random_keys = 2;                ///< random, bigbird: r
  std::uint64_t seed = 7;             ///< random, bigbird
  std::vector<int> tokens{};          ///< padding, global, longformer, bigbird: from 0, sorted, each once
  std::string path{};                 ///< file
  std::vector<PaintedRun> painted{};  ///< painted: sorted, merged

  bool operator==(const MaskPart&) const = default;
};

/// The text form, the same on the command line, in sessions and in the window. Throws Error (input) naming
/// what is wrong and what is expected. An empty text or "none" is not a part: the caller leaves it out.
MaskPart parse_mask_part(std::string_view spec);
std::string to_string(const MaskPart& part);

}  // namespace headscope
