#pragma once

namespace headscope {

/// The paper size of a handout.
enum class Paper { a4, letter };

}  // namespace headscope
