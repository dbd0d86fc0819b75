#include <fcntl.h>
#include <unistd.h>

#include <exception>

#include "core/system/descriptor.h"
#include "core/system/error_stream.h"
#include "core/system/process.h"
#include "core/system/sanitizers.h"

namespace headscope {
namespace {

// Sanitizers report on standard error, too.
#if defined(HEADSCOPE_SANITIZED)
constexpr bool is_sanitized = true;
#else
constexpr bool is_sanitized = false;
#endif

// Of the process, as standard error is. Set before there are other threads.
std::FILE* own_stream = nullptr;
std::terminate_handler terminate_before = nullptr;

bool are_wanted() {
  return !environment("HEADSCOPE_LIBRARY_MESSAGES").empty();
}

void terminate_with_message() {
  dup2(fileno(own_stream), STDERR_FILENO);
  terminate_before();
}

}  // namespace

std::FILE* error_stream() {
  return own_stream != nullptr ? own_stream : stderr;
}

void silence_libraries() {
  if (own_stream != nullptr || is_sanitized || is_page() || are_wanted()) return;
  Descriptor nothing(open("/dev/null", O_WRONLY | O_CLOEXEC));
  // Not one of the standard streams, of which others may be closed.
  Descriptor copy(fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
  if (nothing < 0 || copy < 0) return;
  std::FILE* const stream = fdopen(copy, "w");
  if (stream == nullptr) return;
  copy.release();
  std::setvbuf(stream, nullptr, _IONBF, 0);
  own_stream = stream;
  dup2(nothing, STDERR_FILENO);
  terminate_before = std::set_terminate(terminate_with_message);
}

}  // namespace headscope
