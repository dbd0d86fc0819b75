#pragma once
#include <string>
#include <string_view>

#include "core/session/session.h"

namespace headscope {

// A link is the address of a page of Headscope, "#s=", and JSON: as raw deflate (RFC 1951) in the base64 of
// addresses (RFC 4648, section 5) without padding. The JSON is a session's, or what a window keeps of its
// work (app/state/document/autosave.h).

/// Whether a text is meant as a link: an address with "#s=", or what follows the address.
bool is_link(std::string_view text);
/// The link in a text such as a message; "": there is none.
std::string link_in_text(std::string_view text);
/// What follows the address. Throws Error (input) if it is longer than a browser's address may be.
std::string link_from_json(std::string_view json);
/// Throws Error (input) if the link is damaged.
std::string json_in_link(std::string_view link);

/// As to_json(), without the fields that have their defaults and without held ranges of colours.
std::string short_json(const Session& session);
/// Throws Error (input) if the session names a file, which whoever opens a link does not have.
void expect_no_files(const Session& session);
/// The link to a session, without answers, which are the reader's own. Throws as the three above.
std::string link_to_session(Session session);
/// What it shows. Throws Error (input): damaged, or a step of a lesson as the lesson has it.
Session session_in_link(std::string_view link);

/// The address of a page, as a link begins with it: https, http or file, without what follows a '#'. Throws
/// Error (input) if it is none.
std::string address_of_page(const std::string& text);

}  // namespace headscope
