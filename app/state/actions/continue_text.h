#pragma once
#include <string>

namespace headscope {

struct Workspace;

/// Whether the present model generates text.
bool can_generate(const Workspace& work);
/// Why it can't continue the present text, translated; empty: it can.
std::string cannot_continue(const Workspace& work);
/// Starts or stops generation.
void toggle_generation(Workspace& work);
/// To be called at the beginning of a frame.
void poll_generation(Workspace& work);

}  // namespace headscope
