#pragma once

namespace headscope {

/// What a handout is printed on.
enum class Paper { a4, letter };

}  // namespace headscope
