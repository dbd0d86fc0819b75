#pragma once
#include <set>
#include <string>

namespace headscope {

/// How the steps of the arithmetic are shown beside what the view says: what was clicked on, and what was
/// opened. Never changes a number.
struct StepsLook {
  enum class Matrices { automatic, digits, colors };  ///< automatic: large ones as colours
  Matrices matrices = Matrices::automatic;
  int component = 0;               ///< of q, k, v and the context, from 0: the one whose terms are listed
  int output = 0;                  ///< column of the output, likewise
  std::set<std::string> unfolded;  ///< stages whose long lists are shown whole, by name
  bool operator==(const StepsLook&) const = default;
};

}  // namespace headscope
