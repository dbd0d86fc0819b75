#pragma once
#include <cstddef>

namespace headscope {

/// Bytes that this machine can still give to a process; the largest number where it does not say.
std::size_t available_memory();

/// Gives the machine back what the allocator keeps of memory that nobody uses; takes some milliseconds.
void release_free_memory();

/// To be called before other threads are there: they then share the pieces of memory that the allocator
/// keeps, of which each would else have its own for as long as the program runs. What is freed is kept until
/// release_free_memory(), but for pieces of megabytes.
void share_free_memory();

/// Most bytes that this process has had in memory so far; 0 where the machine does not say.
std::size_t most_resident_memory();

}  // namespace headscope
