#include "core/base/buffer_pool.h"
#include "tests/support/testing.h"

namespace headscope::tests {
namespace {

constexpr Index floats_in_mb = (1 << 20) / static_cast<Index>(sizeof(float));
constexpr std::size_t mb = std::size_t{1} << 20;

}  // namespace

TEST(BufferPool, gives_the_same_memory_again) {
  BufferPool pool;
  const float* first = nullptr;
  {
    const Tensor tensor = pool.take({4, 512, 512});
    first = tensor.data();
    EXPECT_EQ(tensor.shape(), (std::vector<Index>{4, 512, 512}));
    EXPECT_NE(pool.take({4, 512, 512}).data(), first) << "in use";
  }
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(first) % 64, 0U);
  const Tensor again = pool.take({4, 512, 512}), other = pool.take({4, 512, 512});
  EXPECT_TRUE(again.data() == first || other.data() == first);
}

TEST(BufferPool, tensors_may_outlive_it) {
  Tensor tensor;
  {
    BufferPool pool;
    tensor = pool.take({1024, 1024});
  }
  tensor.data()[1024 * 1024 - 1] = 1;
  EXPECT_EQ(tensor.at(1023)[1023], 1);
}

TEST(BufferPool, keeps_what_the_last_use_took_at_most_and_no_more) {
  BufferPool pool;
  Tensor held;
  {
    const BufferPool::Use large(pool);
    held = pool.take({64, floats_in_mb});
    pool.take({30, floats_in_mb});  // for a moment
    EXPECT_EQ(pool.kept(), 30 * mb);
  }
  held = {};
  EXPECT_EQ(pool.kept(), 94 * mb) << "the next use is mostly like it";
  Tensor still;
  {
    const BufferPool::Use again(pool);
    held = pool.take({64, floats_in_mb});
    still = pool.take({1, floats_in_mb});
  }
  {
    const BufferPool::Use small(pool);
    still = pool.take({1, floats_in_mb});
  }
  EXPECT_LE(pool.kept(), 16 * mb);
  held = {};
  EXPECT_LE(pool.kept(), 16 * mb) << "what is given back later, too";
}

TEST(BufferPool, counts_uses_that_overlap_as_one) {
  BufferPool pool;
  Tensor large;
  {
    const BufferPool::Use outer(pool);
    {
      const BufferPool::Use inner(pool);
      large = pool.take({40, floats_in_mb});
    }
    pool.take({1, floats_in_mb});
  }
  large = {};
  EXPECT_EQ(pool.kept(), 41 * mb);
}

}  // namespace headscope::tests
