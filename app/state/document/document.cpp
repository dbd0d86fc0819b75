#include "app/state/document/document.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "app/state/document/adjust.h"
#include "app/state/document/open_model.h"
#include "app/state/document/pasted_pictures.h"
#include "app/state/lesson/play_lesson.h"
#include "app/state/text/text_edit.h"
#include "app/state/workspace.h"
#include "core/attention/mask.h"
#include "core/base/failure.h"
#include "core/figure/figure.h"
#include "core/inputs/token_edit.h"
#include "core/io/file.h"
#include "core/io/formats.h"
#include "core/io/npy.h"
#include "core/model/weights/built_in_models.h"
#include "core/model/weights/model_folder.h"
#include "core/picture/picture.h"
#include "core/scene/source_title.h"
#include "core/session/session_figure.h"
#include "core/source/capture/capture_source.h"
#include "core/source/engine/engine.h"
#include "core/source/source.h"
#include "core/teach/library.h"
#include "core/text/text_file.h"

namespace headscope {
namespace {

namespace fs = std::filesystem;

std::size_t content_of(const std::string& path) {
  try {
    return std::hash<std::string>{}(read_plain_file(path, std::size_t{256} << 20));
  } catch (const Error&) {
    return 0;
  }
}

std::string absolute(const std::string& path) {
  std::error_code error;
  const fs::path full = fs::absolute(path, error);
  return error ? path : full.lexically_normal().string();
}

/// A mask file that fits the sentence. Throws Error if it cannot be used.
MaskPart mask_from_file(const Workspace& work, const std::string& path) {
  const Inputs& inputs = work.edited();
  MaskPart part;
  part.kind = MaskKind::file;
  part.path = path;
  if (!inputs.about().known_ahead) {
    const auto in_view = work.block();
    const BlockTrace& block = in_view->tokens_alone ? *in_view->tokens_alone : *in_view;
    build_mask(std::span(&part, 1), block.tokens, block.key_tokens, block.heads());
  } else {
    const InputTokens tokens = tokens_of(inputs);
    build_mask(std::span(&part, 1), tokens.queries, tokens.keys, inputs.heads);
  }
  return part;
}

/// Adds it, or switches it on if it is already there.
void take_mask_file(Workspace& work, const std::string& path) {
  Inputs& inputs = work.edited();
  const MaskPart part = mask_from_file(work, path);
  const auto found = std::ranges::find(inputs.mask, path, &MaskPart::path);
  constexpr std::size_t room_for_kinds = 32, max_files = Limits::max_mask_parts - room_for_kinds;
  if (found != inputs.mask.end())
    found->on = true;
  else if (inputs.mask.size() < max_files)
    inputs.mask.push_back(part);
  else
    throw input_error("mask has {} parts; expected at most {}", inputs.mask.size() + 1, max_files);
  work.notices.info(TR("Mask file added: {}"), path);
}

/// Replaces the edited side's sentence with the file's text.
void take_text_file(Workspace& work, const std::string& path) {
  Inputs& inputs = work.edited();
  if (!inputs.about().computes)
    throw input_error("{}: a capture has its own texts; open a model or the notebook first", path);
  std::string text = read_text_file(path);
  if (text.size() > Limits::max_sentence_bytes)
    throw input_error("{}: {} bytes of text; expected at most {}", path, text.size(),
                      Limits::max_sentence_bytes);
  const Text before = inputs;
  inputs.sentence = std::move(text);
  carry_boundaries(before, inputs);
  work.notices.info(TR("The sentence is that of {}"), path);
}

/// Checks what can be checked without reading the weights.
void check_model(const std::string& folder) {
  expect_model(folder);
  if (!look_into_model(folder).weights) WeightFiles::open_folder(folder);  // throws, saying what is missing
}

/// Opens a new session with the capture as its source.
void open_capture(Workspace& work, const std::string& path) {
  const auto capture = work.sources->open_capture(path);
  Session session;
  session.inputs.capture = path;
  // Run it first: a capture that cannot be shown must not replace the session.
  const auto trace = Engine(0, work.memory, work.sources).run(session.inputs);
  const MapSource* maps = trace->blocks.front().maps.get();
  if (maps != nullptr && maps->size().n_q > 0) {
    constexpr int first[] = {0};
    static_cast<void>(maps->maps(0, first));
  }
  if (const auto error = error_of(*trace)) throw Error(*error);
  work.set_session(session);
  work.runners.a.renew(*capture);
  work.document = {"", work.session(), 0};
  remember_file(work, path);
  work.notices.settle(Notice::About::opening);
  warn_of_capture(work, *capture);
}

/// Of a session that goes into a file: see keep_pasted_pictures().
Session for_others(Session session) {
  keep_pasted_pictures(session);
  session.inputs = fitted(std::move(session.inputs));
  if (session.compare) session.compare = fitted(std::move(*session.compare));
  return session;
}

bool differs(const DocumentState& now, const View& view, const Session& saved) {
  return now != saved || view.title != saved.view.title || view.show_title != saved.view.show_title;
}

/// The lesson that is played, or the session's file.
std::string session_title(const Workspace& work) {
  if (work.lesson.playing()) return work.lesson.lesson->title.in(work.tr.language());
  return fs::path(work.document.path).stem().string();
}

}  // namespace

void warn_of_capture(Workspace& work, const CaptureSource& capture) {
  const std::vector<Error> notes = capture.notes(0);
  for (auto note = notes.rbegin(); note != notes.rend(); ++note)  // so that the first is shown
    work.notices.warn(Notice::About::capture, "{}", *note);
}

bool is_modified(const Session& session, const Session& saved) {
  return differs(session, session.view, saved);
}

bool is_modified(const OpenSession& open) {
  if (open.lesson.playing()) return is_modified(open.session(), open.document.saved);
  return differs(open, open.state.view, open.document.saved);
}

Session session_for_others(const OpenSession& open) {
  return for_others(open.shown_session());
}

bool is_picture_for_model(const Workspace& work, const std::string& path) {
  if (!has_picture_name(path)) return false;
  if (!is_figure(path)) return true;
  if (!reads_picture(work)) return false;
  try {
    session_from_figure(path);
    return false;
  } catch (const Error&) {
    return true;
  }
}

void take_picture(Workspace& work, const std::string& path) {
  if (!reads_picture(work))
    throw input_error(
        "{}: the source reads no picture; open a vision transformer first, such as drawn-shapes", path);
  expect_picture(path);
  work.edited().picture = path;
}

bool is_sound_for_model(const Workspace& work, const std::string& path) {
  return ending(path) == ".npy" && hears(work) && list_npy(path).front().dtype != "bool";
}

namespace {

void expect_sound(const Workspace& work, const std::string& path) {
  if (!hears(work))
    throw input_error("{}: the source does not hear; open a model such as Whisper first", path);
  const SourceAbout& about = opened_model(work, work.edited_side())->about();
  const std::vector<Index> shape = list_npy(path).front().shape;
  if (shape != std::vector{about.sound_frames, about.sound_bands})
    throw input_error(
        "{}: shape is [{}]; expected [{}, {}], frames and bands, as this model was trained with", path,
        fmt::format("{}", fmt::join(shape, ", ")), about.sound_frames, about.sound_bands);
}

}  // namespace

void take_sound(Workspace& work, const std::string& path) {
  expect_sound(work, path);
  work.edited().features = path;
}

Document read_document(const std::string& path) {
  readable_size(path);
  return {absolute(path), load_session(path), content_of(path)};
}

namespace {

/// What distinguishes two windows of one source that have no file: how the text begins.
std::string beginning_of_text(const Inputs& inputs) {
  constexpr std::size_t most = 24;  // bytes; characters of three in Chinese
  const std::string& text = inputs.sentence;
  if (!inputs.about().computes || text.empty()) return {};
  std::size_t end = 0;
  while (end < text.size() && end < most) end = next_character(text, end);
  if (end == text.size()) return "“" + text + "”";
  const std::size_t blank = text.rfind(' ', end);
  return "“" + text.substr(0, blank == std::string::npos || blank < most / 2 ? end : blank) + "…”";
}

}  // namespace

std::string window_title(const Workspace& work) {
  const std::string source = source_name(work.inputs);
  std::string session = session_title(work);
  if (session.empty()) session = beginning_of_text(work.inputs);
  return (is_modified(work) ? "• " : "") + (source.empty() ? source_title(work.tr, work.inputs) : source) +
         (session.empty() ? "" : " · " + session) + " — Headscope";
}

void remember_file(Workspace& work, const std::string& path) {
  std::vector<std::string>& files = work.settings.recent_files;
  std::erase(files, path);
  files.insert(files.begin(), path);
  if (files.size() > 10) files.resize(10);
}

std::string why_not_taken(const Workspace& work, const std::string& path) {
  const std::string kind = ending(path);
  try {
    if (is_model_path(path))
      check_model(path);
    else if (fs::path(path).filename() == "config.json")
      check_model(fs::path(path).parent_path().string());
    else if (kind == ".npz" || kind == ".safetensors")
      work.sources->open_capture(path);
    else if (is_picture_for_model(work, path))
      expect_picture(path);
    else if (is_figure(path))
      session_from_figure(path);
    else if (is_sound_for_model(work, path))
      expect_sound(work, path);
    else if (kind == ".npy")
      mask_from_file(work, path);
    else if (kind == ".txt")
      read_text_file(path);
    else if (!is_lesson(path))
      load_session(path);
  } catch (...) {
    return work.tr(handled_error(TR("{}: cannot be opened: "), path));
  }
  return {};
}

bool open_file(Workspace& work, const std::string& given) {
  const std::string path = absolute(given);
  const std::string kind = ending(path);
  const auto opens_model = [&work](const std::string& folder) {
    open_model(work, folder);
    return true;
  };
  try {
    if (is_built_in(given)) return opens_model(given);
    if (is_model_path(path)) return opens_model(path);
    if (!is_built_in_lesson(given)) readable_size(path);  // do not block on a pipe
    if (fs::path(path).filename() == "config.json") return opens_model(fs::path(path).parent_path().string());
    if (kind == ".npy" || kind == ".txt") {
      work.notices.settle(Notice::About::opening);
      kind == ".txt"                   ? take_text_file(work, path)
      : is_sound_for_model(work, path) ? take_sound(work, path)
                                       : take_mask_file(work, path);
    } else if (is_lesson(given)) {
      const bool own = is_built_in_lesson(given);
      if (!play_lesson(work, own ? given : path)) return false;
      if (!own) remember_file(work, path);
    } else if (is_picture_for_model(work, path)) {
      take_picture(work, path);
      work.notices.settle(Notice::About::opening);
    } else if (kind == ".npz" || kind == ".safetensors") {
      open_capture(work, path);
    } else {
      const bool figure = is_figure(path);
      work.set_session(figure ? session_from_figure(path) : load_session(path));
      work.document = {figure ? std::string() : path, work.session(), figure ? 0 : content_of(path)};
      remember_file(work, path);
      work.notices.settle(Notice::About::opening);
    }
    return true;
  } catch (...) {
    work.notices.error(Notice::About::opening, handled_error(TR("{}: cannot be opened: "), path));
    return false;
  }
}

void new_session(Workspace& work) {
  work.set_session(Session{});
  work.document = {"", work.session(), 0};
}

void return_to_notebook(OpenSession& open) {
  const View all;
  View& view = open.state.view;
  open.inputs = Inputs{};
  view.filter = all.filter;
  view.hidden_heads = all.hidden_heads;
  view.sort = all.sort;
  view.table.groups = all.table.groups;
  if (view.range.kind == Range::fixed) view.range.kind = all.range.kind;  // its limits are for other numbers
  view.range.held.clear();
  open.shown_before.reset();
  open.state.brush = Brush{};
  open.text_effect = {};
}

bool save_file(Workspace& work, const std::string& given, bool overwrite_others, bool& changed_by_others) {
  const std::string path = absolute(given);
  changed_by_others = false;
  std::error_code error;
  if (!overwrite_others && path == work.document.path && fs::exists(path, error) &&
      content_of(path) != work.document.content) {
    changed_by_others = true;
    return false;
  }
  try {
    const Session session = for_others(work.session());
    save_session(path, session);
    (work.lesson.playing() ? work.lesson.own.inputs : work.inputs) = session.inputs;
    (work.lesson.playing() ? work.lesson.own.compare : work.compare) = session.compare;
    work.document = {path, session, content_of(path)};
    remember_file(work, path);
    work.notices.settle(Notice::About::saving);
    work.notices.info(written_text(TR("Saved to {}")), path);
    return true;
  } catch (const Error& failure) {
    work.notices.error(Notice::About::saving, failure);
    return false;
  }
}

}  // namespace headscope
