#include "core/inputs/names.h"

namespace headscope {

std::span<const EnumName<VectorKind>> enum_names(VectorKind) {
  static constexpr EnumName<VectorKind> names[] = {{VectorKind::randn, "randn"},
                                                   {VectorKind::embedding, "embedding"}};
  return names;
}

std::span<const EnumName<Positions>> enum_names(Positions) {
  static constexpr EnumName<Positions> names[] = {{Positions::none, "none"},
                                                  {Positions::sinusoidal, "sinusoidal"}};
  return names;
}

std::span<const EnumName<BlockKind>> enum_names(BlockKind) {
  static constexpr EnumName<BlockKind> names[] = {{BlockKind::self, "self"},
                                                  {BlockKind::encoder, "encoder"},
                                                  {BlockKind::decoder, "decoder"},
                                                  {BlockKind::cross, "cross"}};
  return names;
}

std::span<const EnumName<MaskFill>> enum_names(MaskFill) {
  static constexpr EnumName<MaskFill> names[] = {
      {MaskFill::minus_infinity, "-inf"},      {MaskFill::minus_1e9, "-1e9"},
      {MaskFill::minus_infinity, "-infinity"}, {MaskFill::minus_infinity, "−∞"},
      {MaskFill::minus_1e9, "-1e+9"},          {MaskFill::minus_1e9, "-1e+09"},
      {MaskFill::minus_1e9, "-1000000000"}};
  return names;
}

std::span<const EnumName<WeightKind>> enum_names(WeightKind) {
  static constexpr EnumName<WeightKind> names[] = {
      {WeightKind::linear, "linear"},         {WeightKind::xavier, "xavier"},
      {WeightKind::normal, "normal"},         {WeightKind::identity, "identity"},
      {WeightKind::similarity, "similarity"}, {WeightKind::manual, "typed"}};
  return names;
}

}  // namespace headscope
