#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/cli/bench/bench.h"
#include "app/cli/messages.h"
#include "app/cli/output.h"
#include "core/model/effects/measure_model.h"

namespace headscope {

void run_cause_bench(const CommandRequest& request, const Translator& tr) {
  ThreadPool threads(request.threads);
  BufferPool memory;
  const ComputeContext context{best_kernels(), threads, memory};
  const CauseTimes times = [&] {
    Progress progress(tr, TR("Measuring"));
    return time_model(*request.model,
                      [&](const std::string& folder) { return measure_causes(folder, context); });
  }();
  if (request.json)
    return dump_json({{"threads", threads.size()},
                      {"heads", times.heads},
                      {"causes_ms", rounded(times.layers_above_ms)},
                      {"whole_passes_ms", rounded(times.whole_passes_ms)}});
  fmt::print("{:<40} {:>10.1f} ms\n", tr("each head off in turn ({}), layers above alone", times.heads),
             times.layers_above_ms);
  fmt::print("{:<40} {:>10.1f} ms\n", tr("the same by whole passes"), times.whole_passes_ms);
}

}  // namespace headscope
