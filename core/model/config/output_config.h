#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/base/tensor.h"

namespace headscope {

/// What a model's output says, at each token unless it is of the text.
enum class OutputKind {
  tokens,         ///< which token of the vocabulary comes next, or belongs in the token's place
  text_label,     ///< a label of the whole text
  token_label,    ///< a label of the token
  span,           ///< whether an answer starts or ends at the token; probabilities are over the tokens
  replaced,       ///< whether the token has replaced another (ELECTRA)
  picture_label,  ///< a label of the whole picture
  sentence        ///< which of the run's own sentences fits the picture (CLIP)
};

/// How logits of labels become probabilities.
enum class LabelScale {
  one,     ///< softmax: one label is right
  any,     ///< a sigmoid for each label
  number,  ///< none: the logit is the result (regression)
};

/// What a model's output is, and its labels if it has any.
struct OutputConfig {
  /// The row or rows of the last layer's output that a label of the whole is read from; of a picture, the
  /// mean is that of the patches.
  enum class Reads {
    first,
    last,  ///< that is not padding
    end,   ///< of the last token that ends the text
    mean,
    mean_of_logits,  ///< the head reads each (EuroBERT)
    first_two,       ///< each by its own head, averaged (DeiT)
    first_and_mean   ///< one behind the other (DINOv2)
  };
  OutputKind kind = OutputKind::tokens;
  std::vector<std::string> labels;
  LabelScale scale = LabelScale::one;
  Reads reads = Reads::first;
  std::optional<Index> padding;   ///< see Reads::last; generation may have another one
  bool before_last_norm = false;  ///< reads rows that are not normed (CLIP)
  bool transform_bias = true;     ///< of the layer before the last product
  /// Whether a text or a picture has one label, and not each token its own.
  bool of_whole() const {
    return kind == OutputKind::text_label || kind == OutputKind::picture_label ||
           kind == OutputKind::sentence;
  }
};

}  // namespace headscope
