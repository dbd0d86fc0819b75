#include "core/analysis/head_columns.h"

#include <algorithm>
#include <array>

#include "core/base/translate.h"

namespace headscope {
namespace {

template <std::optional<double> HeadStatistics::*member>
std::optional<double> number(const HeadStatistics& head) {
  return head.*member;
}

// Definitions are those of statistics.h; w is a row's weight on a key, n_k the number of keys.
constexpr std::array columns{
    HeadColumn{
        "entropy", TR("Entropy"),
        TR("Entropy: mean over rows of −Σ w ln w / ln n_k.\n0: all weight on one key, 1: spread evenly."), 1,
        number<&HeadStatistics::entropy>},
    HeadColumn{"mean_distance", TR("Mean distance"),
               TR("Mean distance: mean over rows of Σ w |i − j|, in tokens;\ni is the query's position, j "
                  "the key's."),
               0, number<&HeadStatistics::mean_distance>},
    HeadColumn{"largest", TR("Largest weight"), TR("Largest weight: max w over all cells."), 1,
               number<&HeadStatistics::largest>},
    HeadColumn{"diagonal", TR("Diagonal"), TR("Diagonal: mean over rows of w on the query itself, j = i."), 1,
               number<&HeadStatistics::diagonal>},
    HeadColumn{"previous", TR("Previous"),
               TR("Previous token: mean over rows of w on j = i − 1.\nHigh in previous-token heads (Elhage "
                  "et al. 2021)."),
               1, number<&HeadStatistics::previous>},
    HeadColumn{"next", TR("Next"), TR("Next token: mean over rows of w on j = i + 1."), 1,
               number<&HeadStatistics::next>},
    HeadColumn{"first", TR("First token"),
               TR("First token: mean over rows of w on j = 0.\nHigh where a head rests on an attention sink "
                  "(Xiao et al. 2023)."),
               1, number<&HeadStatistics::first>},
    HeadColumn{"same_token", TR("Same token"),
               TR("Same token: mean of Σ w over other positions holding the query's token,\nover rows that "
                  "have one (in a causal model earlier positions only). Empty where no token repeats.\n"
                  "High in duplicate-token heads (Wang et al. 2022)."),
               1, number<&HeadStatistics::same_token>},
    HeadColumn{
        "induction", TR("Induction"),
        TR("Induction: mean of Σ w over the keys right after earlier occurrences of the query's token\n"
           "(Olsson et al. 2022), over rows that have one. Empty where no token repeats."),
        1, number<&HeadStatistics::induction>},
    HeadColumn{"sparsity", TR("Sparsity"),
               TR("Sparsity: share of cells with w < 1 / n_k, blocked cells included."), 1,
               number<&HeadStatistics::sparsity>},
};

}  // namespace

std::span<const HeadColumn> head_columns() {
  return columns;
}

const HeadColumn* find_head_column(std::string_view name) {
  const auto found = std::ranges::find(columns, name, [](const HeadColumn& column) { return column.name; });
  return found == columns.end() ? nullptr : &*found;
}

}  // namespace headscope
