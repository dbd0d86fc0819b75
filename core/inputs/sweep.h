#pragma once
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/inputs/fields.h"
#include "core/inputs/mask_kinds.h"

namespace headscope {

/// What "mask.window" names, a number that parts of the mask have; of a list of tokens, the one that is in
/// it. nullptr: nothing.
const MaskParameter* find_mask_number(std::string_view name);

/// A number among the inputs that goes through several values, the frames of an animation.
struct Sweep {
  const InputField* field = nullptr;
  double from = 0, to = 0;
  int frames = 0;
  const MaskParameter* of_mask = nullptr;  ///< of all parts of the mask that have it; the field is the mask
  bool operator==(const Sweep&) const = default;

  std::string name() const;
  const char* label() const;  ///< English, to be translated
  std::pair<double, double> limits() const;
  bool whole() const;
};

bool is_number(const InputField& field);
/// Of a field that is a number.
bool is_whole_number(const InputField& field);
/// All that can be swept, the numbers among the fields and of masks by name, with commas.
std::vector<std::string> sweep_names();
/// The field of this name, with dashes as in options too; nullptr where there is none.
const InputField* find_input_field(std::string name);

/// What a field that is a number may be. A seed only as far as every whole number is a double.
std::pair<double, double> number_limits(const InputField& field);
void set_number(Inputs& inputs, const Sweep& sweep, double value);

/// The values of a sweep over given inputs.
struct SweepValues {
  std::vector<double> values;  ///< evenly from one end to the other
  /// Whole numbers that do not go with the other inputs (heads that do not divide d_model), and why not.
  std::vector<std::pair<double, Error>> left_out;
};
/// Whole numbers are rounded, each once. Throws Error (input) where fewer than two values are left, and as
/// validate() for inputs that are wrong without a sweep.
SweepValues sweep_values(const Sweep& sweep, Inputs inputs);

/// Each value with as many decimals as tell all from each other, the same for all.
std::vector<std::string> number_texts(const std::vector<double>& values);

}  // namespace headscope
