#pragma once

namespace headscope {

/// Which sequence attends to which.
enum class BlockKind {
  self,     ///< one sentence to itself
  encoder,  ///< an encoder's source to itself
  decoder,  ///< a decoder's target to itself
  cross,    ///< one sentence to another
  text,     ///< a text to itself, beside a picture (CLIP)
  state,    ///< what each layer has beside its attention, of the same input (Falcon-H1's Mamba-2)
};

}  // namespace headscope
