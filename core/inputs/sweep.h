#pragma once
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/inputs/fields.h"
#include "core/inputs/mask_kinds.h"

namespace headscope {

/// The numeric mask parameter that "mask.window" names; for a list of tokens, its single token. nullptr:
/// unknown.
const MaskParameter* find_mask_number(std::string_view name);

/// A number of the inputs that takes several values, the frames of an animation.
struct Sweep {
  const InputField* field = nullptr;
  double from = 0, to = 0;
  int frames = 0;
  const MaskParameter* of_mask = nullptr;  ///< in all mask parts that have it; the field is then the mask
  bool operator==(const Sweep&) const = default;

  std::string name() const;
  const char* label() const;  ///< English, to be translated
  std::pair<double, double> limits() const;
  bool whole() const;
};

bool is_number(const InputField& field);
/// For a numeric field.
bool is_integer(const InputField& field);
/// Names of everything that can be swept: numeric fields and mask numbers.
std::vector<std::string> sweep_names();
/// The field of this name, with dashes as in options too; nullptr if there is none.
const InputField* find_input_field(std::string name);

/// The range of a numeric field. A seed only up to where every integer is a double.
std::pair<double, double> number_limits(const InputField& field);
void set_number(Inputs& inputs, const Sweep& sweep, double value);

/// The values of a sweep over given inputs.
struct SweepValues {
  std::vector<double> values;  ///< evenly from one end to the other
  /// Integers that are incompatible with the other inputs (heads that do not divide d_model), and why.
  std::vector<std::pair<double, Error>> left_out;
};
/// Integers are rounded, without duplicates. Throws Error (input) if fewer than two values are left, and as
/// validate() if the inputs are invalid without a sweep.
SweepValues sweep_values(const Sweep& sweep, Inputs inputs);

/// Each value with the same number of decimals, enough to distinguish them all.
std::vector<std::string> number_texts(const std::vector<double>& values);

}  // namespace headscope
