#include <fmt/format.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <vector>

#include "app/cli/bench/bench.h"
#include "app/cli/messages.h"
#include "app/cli/output.h"
#include "core/base/error.h"
#include "core/source/maps/measure.h"
#include "core/system/child_process.h"

namespace headscope {
namespace {

struct NeighbourRow {
  ForwardSize size;
  double one_ms = 0, all_ms = 0, one_beside_ms = 0, all_beside_ms = 0;

  double ratio() const { return all_beside_ms / one_beside_ms; }
};

double mean_milliseconds(const PreparedForward& forward) {
  constexpr double budget = 300;
  constexpr int fewest = 5;
  forward.run();
  const auto start = std::chrono::steady_clock::now();
  double all = 0;
  int runs = 0;
  for (; runs < fewest || all < budget; ++runs) {
    forward.run();
    all = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  }
  return all / runs;
}

}  // namespace

void run_neighbour_bench(int threads, bool json, const Translator& tr) {
  ThreadPool one(1), all(threads);
  BufferPool memory;
  const ComputeContext alone{best_kernels(), one, memory}, together{best_kernels(), all, memory};
  std::vector<NeighbourRow> rows;
  {
    Progress progress(tr, TR("Measuring"));
    for (const ForwardSize& size : forward_sizes) {
      const PreparedForward by_one(size, alone), by_all(size, together);
      NeighbourRow row{size, mean_milliseconds(by_one), mean_milliseconds(by_all)};
      const BusyProcess neighbour;
      if (!neighbour.is_running()) throw unable_error("a second process could not be started");
      row.one_beside_ms = mean_milliseconds(by_one);
      row.all_beside_ms = mean_milliseconds(by_all);
      rows.push_back(row);
      progress.show(static_cast<double>(rows.size()) / std::size(forward_sizes));
    }
  }
  if (json) {
    BenchJson list = BenchJson::array();
    for (const NeighbourRow& row : rows)
      list.push_back({{"n", row.size.n},
                      {"d_model", row.size.d_model},
                      {"heads", row.size.heads},
                      {"one_thread_ms", row.one_ms},
                      {"ms", row.all_ms},
                      {"one_thread_with_neighbour_ms", row.one_beside_ms},
                      {"with_neighbour_ms", row.all_beside_ms},
                      {"ratio", row.ratio()}});
    dump_json({{"threads", all.size()}, {"neighbour", list}});
    return;
  }
  fmt::print("{}\n\n", tr.plural("{} thread; the neighbour is one busy process of lowest priority",
                                 "{} threads; the neighbour is one busy process of lowest priority",
                                 all.size(), all.size()));
  fmt::print("{:>6} {:>8} {:>6} {:>14} {:>14} {:>22} {:>26} {:>8}\n", "n", "d_model", tr("heads"),
             tr("1 thread ms"), tr("threads ms"), tr("1 with neighbour ms"), tr("threads with neighbour ms"),
             tr("ratio"));
  for (const NeighbourRow& row : rows)
    fmt::print("{:>6} {:>8} {:>6} {:>14.3f} {:>14.3f} {:>22.3f} {:>26.3f} {:>8.2f}\n", row.size.n,
               row.size.d_model, row.size.heads, row.one_ms, row.all_ms, row.one_beside_ms, row.all_beside_ms,
               row.ratio());
}

}  // namespace headscope
