#include "app/state/derived/view_cache.h"
#include "core/scene/scene.h"
#include "tests/support/traces.h"

namespace headscope::tests {

TEST(ViewCache, takes_any_block) {
  const auto trace = three_blocks();
  ViewCache cache;
  for (const auto& [kind, heads] :
       {std::pair{BlockKind::encoder, 3}, {BlockKind::decoder, 2}, {BlockKind::cross, 4}}) {
    View view;
    view.block = kind;
    const auto block = block_of(trace, kind);
    const Scene scene = make_scene(block, nullptr, view, {}, {cache.heads(block, view, {}), nullptr});
    EXPECT_EQ(std::ssize(scene.heads), heads);
    const auto shown = cache.shown(block, view, heads_in_view(scene));
    EXPECT_EQ(shown->block, block);
    EXPECT_EQ(shown->cells(), heads * block->n_q() * block->n_k());
    EXPECT_EQ(std::ssize(cache.rows(block, view, {}).rows), block->layer_count() * heads);
    EXPECT_EQ(cache.comparison(block, block, view)->heads, heads);
    EXPECT_EQ(std::ssize(cache.thumbnails(block, view.filter, view.range)->layers), block->layer_count());
    EXPECT_FALSE(cache.lines(shown, view.hidden_heads)->lines.empty());
  }
}

}  // namespace headscope::tests
