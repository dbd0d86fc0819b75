#pragma once
#include <string>

namespace headscope {

struct App;
struct Workspace;

/// Shows a page of the documents; a notice says why it can't be read.
void open_page(App& app, const std::string& name);

/// Where a link of a lesson or a document leads: to a lesson, to a document, or to an address, which is
/// copied.
std::string help_of_link(const Workspace& work, const std::string& to);
void follow_link(App& app, const std::string& to);

}  // namespace headscope
