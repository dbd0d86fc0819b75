#pragma once
#include <optional>
#include <string>

#include "app/state/document/autosave.h"

namespace headscope {

struct App;
struct Workspace;

/// The locked cell, also while its run is still to come. None while a lesson is played, which keeps its own.
std::optional<Cell> own_lock(const Workspace& work);

/// The link to what is shown behind the page's address: the session, or a step of a built-in lesson and what
/// was changed there, with the locked cell; without answers. Throws Error (input) if there is none.
std::string link_here(const Workspace& work);
/// What a link leads to. Throws Error (input) if it is damaged or names a file.
Autosave work_in_link(const std::string& link);

/// Shows the link and its QR code.
void show_link(App& app);
/// Takes what is typed as the page's address, if it is one.
void use_page_address(App& app);
/// Copies the link; where the page's address is not known, asks for it.
void copy_link(App& app);
/// The part behind the address.
void copy_part_of_link(App& app);
/// Asks where to write the QR code, with one of qr_endings().
void save_code(App& app, const std::string& ending);

/// Asks for a link; the one on the clipboard is there already.
void command_open_link(App& app);
/// Opens the link on the clipboard.
void paste_link(App& app);
/// Opens what is typed, or says why it cannot be.
void answer_link(App& app);
/// The link on the clipboard; "": there is none.
std::string copied_link(const App& app);

}  // namespace headscope
