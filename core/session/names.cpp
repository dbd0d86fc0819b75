#include "core/session/names.h"

namespace headscope {

std::span<const EnumName<InputKind>> enum_names(InputKind) {
  static constexpr EnumName<InputKind> names[] = {{InputKind::randn, "randn"},
                                                  {InputKind::embedding, "embedding"}};
  return names;
}

std::span<const EnumName<Positions>> enum_names(Positions) {
  static constexpr EnumName<Positions> names[] = {{Positions::none, "none"},
                                                  {Positions::sinusoidal, "sinusoidal"}};
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
      {WeightKind::similarity, "similarity"}, {WeightKind::typed, "typed"}};
  return names;
}

std::span<const EnumName<ViewKind>> enum_names(ViewKind) {
  static constexpr EnumName<ViewKind> names[] = {
      {ViewKind::grid, "grid"},       {ViewKind::head, "head"},       {ViewKind::lines, "lines"},
      {ViewKind::layers, "layers"},   {ViewKind::compare, "compare"}, {ViewKind::population, "population"},
      {ViewKind::population, "table"}};
  return names;
}

std::span<const EnumName<Colormap>> enum_names(Colormap) {
  static constexpr EnumName<Colormap> names[] = {{Colormap::viridis, "viridis"},
                                                 {Colormap::magma, "magma"},
                                                 {Colormap::cividis, "cividis"},
                                                 {Colormap::greys, "greys"},
                                                 {Colormap::greys, "grays"}};
  return names;
}

std::span<const EnumName<Range>> enum_names(Range) {
  static constexpr EnumName<Range> names[] = {{Range::unit, "unit"},   {Range::shared, "shared"},
                                              {Range::head, "head"},   {Range::logarithm, "log"},
                                              {Range::unit, "0-1"},    {Range::unit, "0..1"},
                                              {Range::head, "own"},    {Range::logarithm, "logarithm"},
                                              {Range::unit, "01"},     {Range::head, "per-head"},
                                              {Range::unit, "0 to 1"}, {Range::logarithm, "logarithmic"}};
  return names;
}

std::span<const EnumName<Theme>> enum_names(Theme) {
  static constexpr EnumName<Theme> names[] = {{Theme::light, "light"}, {Theme::dark, "dark"}};
  return names;
}

std::span<const EnumName<Numbers>> enum_names(Numbers) {
  static constexpr EnumName<Numbers> names[] = {{Numbers::automatic, "auto"},
                                                {Numbers::off, "off"},
                                                {Numbers::automatic, "automatic"},
                                                {Numbers::automatic, "on"},
                                                {Numbers::off, "none"}};
  return names;
}

}  // namespace headscope
