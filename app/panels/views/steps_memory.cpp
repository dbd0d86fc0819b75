#include "app/panels/views/steps_memory.h"

#include "app/panels/shell/ui.h"

namespace headscope {

const std::vector<ArithmeticStage>& cell_stages(Ui& ui, const CellPlace& place) {
  if (!ui.memory.steps) ui.memory.steps = std::make_shared<StepsMemory>();
  StepsMemory& memory = *ui.memory.steps;
  const Scene& scene = *ui.scene;
  const StepsLook& look = ui.state.steps;
  const auto& key = memory.stages_key;
  const BlockKind block = scene.block->shape.kind;
  if (!key || key->trace.lock() != scene.trace || key->block != block || key->place != place ||
      key->component != look.component || key->output != look.output || key->language != ui.tr.language()) {
    memory.stages = arithmetic_stages(*scene.trace, *scene.block, place, look, ui.tr);
    memory.stages_key = {scene.trace, block, place, look.component, look.output, ui.tr.language()};
    memory.board_key.reset();
    memory.chain_key.reset();
  }
  return memory.stages;
}

}  // namespace headscope
