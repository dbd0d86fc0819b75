#pragma once
#include <set>
#include <string>

namespace headscope {

/// How the steps of the arithmetic are shown, in addition to the view: what was clicked and what was
/// unfolded. Never changes a number.
struct StepsLook {
  enum class Matrices { automatic, digits, colors };  ///< automatic: large ones as colours
  Matrices matrices = Matrices::automatic;
  int component = 0;               ///< of q, k, v and the context, from 0: the one whose terms are listed
  int output = 0;                  ///< column of the output, same
  std::set<std::string> unfolded;  ///< stages whose long lists are shown in full, by name
  bool operator==(const StepsLook&) const = default;
};

}  // namespace headscope
