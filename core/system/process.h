#pragma once
#include <ctime>
#include <string>

namespace headscope {

/// Cores that this process may run on; at least 1.
int usable_cores();
int process_id();
/// Of the program's file; "" if the system does not say.
std::string program_path();
/// Milliseconds since the process was started, as the system's clock has it; 0: unknown.
double process_age_ms();
/// A moment in local time, as std::strftime writes it; "" if it is not known.
std::string local_time(std::time_t moment, const char* format);

/// A variable of the environment; "" if it is not set.
std::string environment(const char* name);
/// The user's; "" if it is not known.
std::string home_folder();

/// Whether the program is a page in a browser: its files are copies, its fonts are its own, and users leave
/// it without closing it.
bool is_page();
/// Whether a window can be expected to open.
bool has_display();

enum class StandardStream { output, error };
bool is_terminal(StandardStream stream);
/// Of the terminal that the error stream writes to; 80 if it does not report them.
int terminal_columns();

}  // namespace headscope
