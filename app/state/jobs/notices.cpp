#include "app/state/jobs/notices.h"

#include <algorithm>
#include <functional>

namespace headscope {
namespace {

constexpr std::size_t max_notices = 50;

}  // namespace

std::string without_own_folders(std::string text, bool page) {
  // As of app/window/page/start.js.
  for (const std::string_view folder : {"/files/", "/downloads/", "/kept/fonts/"})
    for (std::size_t at = 0; page && (at = text.find(folder, at)) != std::string::npos;)
      text.erase(at, folder.size());
  return text;
}

const char* written_text(const char* natively, bool page) {
  return page ? TR("Saved by your browser as {}") : natively;
}

void Notices::add(Notice notice) {
  notice.text = text_of(notice);
  // A repeated notice replaces its predecessor; so does one about the same subject.
  if (!list_.empty() && list_.back().text == notice.text) list_.pop_back();
  for (Notice& older : list_)
    if (older.kind == Notice::Kind::info || (older.about == notice.about && older.about != About::nothing))
      older.ended = true;
  list_.push_back(std::move(notice));
  if (list_.size() > max_notices) list_.erase(list_.begin());
  since_ = -1;
}

const Notice* Notices::current() const {
  const auto found = std::find_if_not(list_.rbegin(), list_.rend(), std::mem_fn(&Notice::ended));
  return found == list_.rend() ? nullptr : &*found;
}

void Notices::dismiss() {
  const auto found = std::find_if_not(list_.rbegin(), list_.rend(), std::mem_fn(&Notice::ended));
  if (found != list_.rend()) found->ended = true;
}

void Notices::settle(About about) {
  for (Notice& notice : list_)
    if (notice.about == about) notice.ended = true;
}

void Notices::pass_time(double now) {
  const Notice* shown = current();
  if (shown == nullptr || shown->kind != Notice::Kind::info) return;
  if (since_ < 0) since_ = now;
  if (now - since_ >= info_seconds) dismiss();
}

double Notices::due_in(double now) const {
  const Notice* shown = current();
  if (shown == nullptr || shown->kind != Notice::Kind::info || since_ < 0) return -1;
  return std::max(0.0, since_ + info_seconds - now);
}

void Notices::translate() {
  for (Notice& notice : list_) notice.text = text_of(notice);
}

std::string Notices::shown(const Notice::Term& term) const {
  return tr_(term.english);
}
std::string Notices::shown(const Error& failure) const {
  return tr_(failure);
}

std::string Notices::text_of(const Notice& notice) const {
  if (notice.arguments.empty()) return tr_(notice.key.c_str());
  std::vector<std::string> arguments;
  for (const Notice::Argument& argument : notice.arguments)
    arguments.push_back(std::visit([this](const auto& value) { return shown(value); }, argument));
  return without_own_folders(Translator::fill(tr_(notice.key.c_str()), arguments));
}

}  // namespace headscope
