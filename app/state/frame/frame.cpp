#include "app/state/frame/frame.h"

#include <utility>

#include "app/state/actions/present.h"
#include "app/state/app.h"
#include "app/state/document/open_model.h"
#include "app/state/view/color_range.h"

namespace headscope {

const FrameSteps& poll_steps() {
  static const FrameSteps steps{pass_black_screen,
                                [](App& app) { poll_model(app); },
                                [](App& app) { app.runners.a.poll(); },
                                [](App& app) { app.runners.b.poll(); },
                                [](App& app) { app.long_blocks.settle(); },
                                [](App& app) { app.long_maps.settle(); },
                                [](App& app) { take_held(app); }};
  return steps;
}

Frame begin_frame(App& app, FrameInput input, const FrameSteps& poll, const FrameSteps& settle) {
  app.input = std::move(input);
  for (const auto step : poll) step(app);
  for (const auto step : settle) step(app);
  settle_view(app);
  return derive(app);
}

}  // namespace headscope
