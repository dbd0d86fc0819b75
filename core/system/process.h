#pragma once

namespace headscope {

/// Cores that this process may run on; at least 1.
int usable_cores();
int process_id();

enum class StandardStream { output, error };
bool is_terminal(StandardStream stream);
/// Of the terminal that the error stream writes to; 80 if it does not report them.
int terminal_columns();

}  // namespace headscope
