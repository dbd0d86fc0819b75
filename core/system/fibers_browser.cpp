#include <emscripten/emscripten.h>
#include <emscripten/stack.h>
#include <emscripten/threading.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "core/system/fibers.h"
#include "core/system/frozen_window.h"

extern "C" {
// Of app/window/page/fibers.js. The browser switches what it knows of stacks (WebAssembly's JavaScript
// Promise Integration); the stack in the program's memory is switched here.
int page_can_suspend();
void page_call_soon(void (*run)(void*), void* fiber);
void page_suspend();
// Of Emscripten.
void _emscripten_stack_restore(void* pointer);
}

namespace headscope {
namespace {

constexpr double slice_ms = 8;

struct Fiber {
  static constexpr std::size_t stack_bytes = std::size_t{4} << 20;
  std::function<void()> work;
  std::unique_ptr<std::byte[]> stack = std::make_unique_for_overwrite<std::byte[]>(stack_bytes);
  void* callers = nullptr;  ///< the stack pointer of whoever started or resumed it

  void* top() const {
    constexpr std::uintptr_t alignment = 16;
    return reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(stack.get() + stack_bytes) / alignment *
                                   alignment);
  }
};

Fiber window;              // its work is the frame
Fiber* running = nullptr;  // nullptr: what the browser calls apart from fibers
double slice_begin_ms = 0;

void* stack_pointer() {
  return reinterpret_cast<void*>(emscripten_stack_get_current());
}

// The functions that switch stacks are not inlined, and have nothing on the stack that they leave: while a
// fiber is suspended others overwrite it.

[[gnu::noinline]] void work_on_own_stack(Fiber* fiber) {
  fiber->callers = stack_pointer();
  _emscripten_stack_restore(fiber->top());
  running = fiber;
  slice_begin_ms = emscripten_get_now();
  fiber->work();
  running = nullptr;
  _emscripten_stack_restore(fiber->callers);
}

[[gnu::noinline]] void suspend() {
  Fiber* const self = std::exchange(running, nullptr);
  void* const own = stack_pointer();
  _emscripten_stack_restore(self->callers);
  page_suspend();
  self->callers = stack_pointer();
  _emscripten_stack_restore(own);
  running = self;
  slice_begin_ms = emscripten_get_now();
}

[[gnu::noinline]] void remove(Fiber* fiber) {
  delete fiber;
}

void run_fiber(void* started) {
  auto* const fiber = static_cast<Fiber*>(started);
  work_on_own_stack(fiber);
  remove(fiber);
}

}  // namespace

bool computing_freezes_window() {
  return page_can_suspend() == 0 && emscripten_has_threading_support() == 0;
}

bool can_start_fibers() {
  return running != nullptr;
}

void start_fiber(std::function<void()> work) {
  page_call_soon(run_fiber, std::make_unique<Fiber>(Fiber{std::move(work)}).release());
}

void give_way() {
  if (running != nullptr && running != &window && emscripten_get_now() - slice_begin_ms >= slice_ms)
    suspend();
}

void wait_for(const std::atomic<bool>& done) {
  while (!done && running != nullptr) suspend();
}

void run_as_window(const std::function<void()>& frame) {
  if (page_can_suspend() == 0) return frame();
  window.work = frame;
  work_on_own_stack(&window);
}

}  // namespace headscope
