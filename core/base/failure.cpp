#include "core/base/failure.h"

#include <new>
#include <system_error>

#include "core/base/translate.h"

namespace headscope {

Reason handled_reason() {
  const Reason memory{TR("not enough memory"), ""};
  try {
    throw;
  } catch (const std::bad_alloc&) {
    return memory;
  } catch (const std::length_error&) {
    return memory;
  } catch (const std::system_error& error) {
    const bool thread = error.code() == std::errc::resource_unavailable_try_again;
    return thread ? Reason{TR("the system starts no more threads"), ""} : Reason{"{}", error.what()};
  } catch (const std::exception& error) {
    return {"{}", error.what()};
  } catch (...) {
    return {TR("unknown error"), ""};
  }
}

}  // namespace headscope
