#include "core/inputs/names.h"

#include "core/base/translate.h"

namespace headscope {

std::span<const EnumName<VectorKind>> enum_names(VectorKind) {
  static constexpr EnumName<VectorKind> names[] = {{VectorKind::randn, "randn", TR("randn")},
                                                   {VectorKind::embedding, "embedding", TR("embedding")},
                                                   {VectorKind::typed, "typed", TR("Typed in")}};
  return names;
}

std::span<const EnumName<MatrixOrder>> enum_names(MatrixOrder) {
  static constexpr EnumName<MatrixOrder> names[] = {{MatrixOrder::out_in, "out_in"},
                                                    {MatrixOrder::in_out, "in_out"}};
  return names;
}

std::span<const EnumName<Positions>> enum_names(Positions) {
  static constexpr EnumName<Positions> names[] = {{Positions::none, "none", TR("none")},
                                                  {Positions::sinusoidal, "sinusoidal", TR("sinusoidal")}};
  return names;
}

std::span<const EnumName<BlockKind>> enum_names(BlockKind) {
  static constexpr EnumName<BlockKind> names[] = {
      {BlockKind::self, "self"},          {BlockKind::encoder, "encoder"},
      {BlockKind::decoder, "decoder"},    {BlockKind::cross, "cross"},
      {BlockKind::text, "text"},          {BlockKind::state, "state"},
      {BlockKind::pooling_2, "pooling2"}, {BlockKind::block_2, "block2"},
      {BlockKind::pooling_3, "pooling3"}, {BlockKind::block_3, "block3"},
      {BlockKind::pooling_4, "pooling4"}, {BlockKind::block_4, "block4"},
      {BlockKind::upsampled, "upsampled"}};
  return names;
}

std::span<const EnumName<MaskFill>> enum_names(MaskFill) {
  static constexpr EnumName<MaskFill> names[] = {
      {MaskFill::minus_infinity, "-inf", "−∞"}, {MaskFill::minus_1e9, "-1e9", "−1e9"},
      {MaskFill::minus_infinity, "-infinity"},  {MaskFill::minus_infinity, "−∞"},
      {MaskFill::minus_1e9, "-1e+9"},           {MaskFill::minus_1e9, "-1e+09"},
      {MaskFill::minus_1e9, "-1000000000"}};
  return names;
}

std::span<const EnumName<WeightKind>> enum_names(WeightKind) {
  static constexpr EnumName<WeightKind> names[] = {
      {WeightKind::linear, "linear", TR("PyTorch Linear")},
      {WeightKind::xavier, "xavier", TR("Xavier uniform")},
      {WeightKind::mha, "mha", TR("PyTorch MHA")},
      {WeightKind::normal, "normal", TR("Normal")},
      {WeightKind::identity, "identity", TR("Identity per head")},
      {WeightKind::similarity, "similarity", TR("W_K = W_Q")},
      {WeightKind::manual, "typed", TR("Typed in")}};
  return names;
}

std::span<const EnumName<Ablation>> enum_names(Ablation) {
  static constexpr EnumName<Ablation> names[] = {{Ablation::zero, "zero", TR("Zero")},
                                                 {Ablation::mean, "mean", TR("Mean")}};
  return names;
}

}  // namespace headscope
