#include "app/window/window.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <set>

#include "app/gl/heatmap_renderer.h"
#include "app/panels/shell/draw_app.h"
#include "app/panels/widgets/theme.h"
#include "app/state/document/document.h"
#include "app/state/document/file_commands.h"
#include "app/state/document/kept_works.h"
#include "app/state/document/session_store.h"
#include "app/state/frame/frame.h"
#include "app/state/jobs/job.h"
#include "app/state/lesson/play_lesson.h"
#include "app/state/text/text_edit.h"
#include "app/window/composition.h"
#include "app/window/font_faces.h"
#include "app/window/fonts.h"
#include "app/window/platform.h"
#include "app/window/portal.h"
#include "app/window/presenter_window.h"
#include "app/window/state_dump.h"
#include "app/window/text_sizes.h"
#include "core/base/enum_table.h"
#include "core/base/error.h"
#include "core/base/failure.h"
#include "core/base/utf8.h"
#include "core/io/file.h"
#include "core/scene/readable_numbers.h"
#include "core/source/capture/capture_source.h"
#include "core/system/fibers.h"
#include "core/system/machine_memory.h"
#include "core/system/process.h"
#include "core/system/termination_signals.h"
#include "core/text/visual_order.h"

#if defined(__EMSCRIPTEN__)
#include "app/panels/shell/input_queue.h"
#include "app/panels/widgets/heard.h"
#include "app/state/actions/copy_actions.h"
#include "app/window/browser.h"
#include "app/window/heard_json.h"
#endif

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

namespace headscope {
namespace {

constexpr double spinner_seconds = 0.05;
constexpr double motion_seconds = 1.0 / 60;
constexpr double shader_check_seconds = 0.5;
constexpr double lesson_check_seconds = 0.5;

class Window {
 public:
  Window(const WindowRequest& request, SessionStore& session_store)
      : session_store_(session_store),
        first_fonts_(start_fonts(request.language)),
        platform_(session_store.settings().window_width, session_store.settings().window_height,
                  session_store.settings().maximized, [this] { first_fonts_.take(); }),
        app_([this] { platform_.wake(); }) {
    memory_.describes = is_page();
    app_.desktop.keep_session = [this] { return session_store_.keep_for_next(app_); };
    app_.desktop.choose_file = [this](const FileRequest& file) { return ask_desktop(file); };
    // A program that drives the window by its state dump must not wait for animations.
    app_.motion.animates = environment("HEADSCOPE_STATE_DUMP").empty();
    app_.desktop.put_text = [](const std::string& text) { ImGui::SetClipboardText(text.c_str()); };
    app_.desktop.get_text = [] {
      const char* const text = ImGui::GetClipboardText();
      return std::string(text != nullptr ? text : "");
    };
#if defined(__EMSCRIPTEN__)
    app_.desktop.page_address = address_in_browser;
    app_.desktop.set_link = show_link_in_browser;
#endif
    app_.desktop.get_picture = [this] { return platform_.get_picture(); };
    app_.desktop.put_picture = [this](std::string png) { return platform_.put_picture(std::move(png)); };
    session_store_.start(app_, request.session, request.explicit_inputs ? "" : request.path,
                         request.language);
    // Unless it was being played when the window was killed, and has been resumed.
    if (!request.lesson.empty() && !plays(request.lesson))
      session_store_.open_requested(app_, request.lesson);
    if (request.session && !request.session->inputs.about().computes) note_capture(request.session->inputs);
    if (!request.link.empty()) session_store_.open_link(app_, request.link);
    if (request.failed) app_.notices.error(Notice::About::opening, *request.failed);
  }

  /// One pass of the loop: waits for an event, and draws. Returns the signal that ended the window, 0 if it
  /// was closed, nothing while it goes on.
  std::optional<int> step(bool time_first_frame) {
    if (app_.quit) {
      remember_window();
      return 0;
    }
    try {
      const bool drawn = pass();
      if (drawn) report_drawn();
      if (const int signal = end_signals_.received()) {
        session_store_.break_off(app_);
        return signal;
      }
      if (drawn && time_first_frame) {
        fmt::print("{:.0f}\n", process_age_ms());
        return 0;
      }
    } catch (...) {
      constexpr int max_failures = 3;
      if (++failures_ == max_failures) throw;
      go_on_after_failure();
    }
    return {};
  }

  /// How long the next step sleeps if nothing happens, in seconds; infinity: no limit.
  double due_in() const {
    return app_.quit ? 0 : platform_.due_in(timeout());
  }

  /// Before the window may end at any moment.
  void leave() {
    session_store_.leave(app_);
  }

  /// Keeps the work for the next start when the window cannot continue. Returns whether that succeeded.
  bool keep_work() noexcept {
    try {
      return session_store_.keep_now(app_);
    } catch (...) {
      return false;
    }
  }

 private:
  /// Warns of assumptions made about the capture that the window opens with. The run reports what is wrong
  /// with it.
  void note_capture(const Inputs& inputs) {
    try {
      warn_of_capture(app_, *app_.sources->open_capture(inputs.capture));
    } catch (const Error&) {
    }
  }

  /// Waits for an event and draws the result. Returns whether there is a new picture.
  bool pass() {
    platform_.wait(timeout());
    if (end_signals_.received() != 0) return false;
    if (glfwWindowShouldClose(platform_.window()) != 0) {
      glfwSetWindowShouldClose(platform_.window(), GLFW_FALSE);
      command_quit(app_);
    }
    const bool drawing = platform_.can_draw() && wants_frame();
    const bool drawn = drawing && draw();
    presenter_.follow(app_, platform_.window(), platform_.events(),
                      static_cast<double>(sizes_of(app_.settings, platform_.text_scale(), 1).font_size));
    release_memory_at_rest(drawing);
    // After the frame: its changes must be recorded before the window sleeps.
    session_store_.keep(app_, !platform_.hidden());
    return drawn;
  }

  /// An action may have been done only in part: what there is is kept at once, and the user is notified.
  void go_on_after_failure() {
    platform_.abandon_frame();
    app_.notices.error(Notice::About::drawing, handled_error(TR("the last action could not be finished: ")));
    session_store_.keep_now(app_);
    platform_.events().frames.ask(DueFrames::arrived);
  }

  bool plays(const std::string& lesson) const {
    std::error_code error;
    const std::string& path = app_.lesson.path;
    return app_.lesson.playing() && (path == lesson || std::filesystem::equivalent(path, lesson, error));
  }

  /// Freed blocks are scattered over the allocator's memory, which would otherwise stay close to its peak
  /// size.
  void release_memory_at_rest(bool drawing) {
    constexpr double rest_seconds = 2;
    if (drawing) rest_begins_ = glfwGetTime() + rest_seconds;
    if (!rest_begins_ || glfwGetTime() < *rest_begins_) return;
    release_free_memory();
    rest_begins_.reset();
  }

  double timeout() const {
    const bool moves = app_.motion.moving() || memory_.finger.speed != 0;
    if (moves && !platform_.hidden()) return motion_seconds;
    if (is_busy(app_) && !platform_.hidden()) return spinner_seconds;
    double due = session_store_.due_in();
    const auto sooner = [&due](double seconds) { due = due < 0 ? seconds : std::min(due, seconds); };
    if (notice_ends_ && !platform_.hidden()) sooner(std::max(0.0, *notice_ends_ - glfwGetTime()));
    if (!gl::shader_folder().empty()) sooner(shader_check_seconds);
    if (rest_begins_) sooner(std::max(0.0, *rest_begins_ - glfwGetTime()));
#if defined(__EMSCRIPTEN__)
    if (told_due_) sooner(std::max(0.0, *told_due_ - glfwGetTime()));
#endif
    if (app_.lesson.playing()) sooner(lesson_check_seconds);  // and for the presenter's clock
    return due;
  }

  bool notice_ends() const {
    return notice_ends_ && glfwGetTime() >= *notice_ends_;
  }

  /// The notice on the screen must disappear without an event, and the next step must follow.
  void note_notice() {
    constexpr double late_enough = 0.005;
    double due = app_.notices.due_in(app_.input.now);
    if (const std::optional<double>& step = app_.state.next_step)
      due = std::max(0.0, due < 0 ? *step - app_.input.now : std::min(due, *step - app_.input.now));
    notice_ends_ = due < 0 ? std::nullopt : std::optional(glfwGetTime() + due + late_enough);
  }

  /// The lesson may be open in an editor.
  bool lesson_changed() {
    if (!app_.lesson.playing() || glfwGetTime() < next_lesson_check_) return false;
    next_lesson_check_ = glfwGetTime() + lesson_check_seconds;
    return reload_lesson(app_);
  }

  bool wants_frame() {
    WindowEvents& events = platform_.events();
    const bool shaders_changed = painter_.begin_frame();
    // The old picture stays; the notice says why to whoever edits the shader.
    const bool shader_error_changed = painter_.shader_error() != shader_error_;
    if (shader_error_changed) {
      shader_error_ = painter_.shader_error();
      app_.notices.settle(Notice::About::shader);
      if (!shader_error_.empty())
        app_.notices.error(Notice::About::shader, unable_error("{}", shader_error_));
    }
    // Its changes are computed and drawn in the following frames.
    if (lesson_changed()) events.frames.ask(DueFrames::event);
    // Also for the next step while steps play: it scrolls into view by the position in the last frame.
    if (notice_ends()) events.frames.ask(DueFrames::event);
#if defined(__EMSCRIPTEN__)
    if (told_due_ && glfwGetTime() >= *told_due_) events.frames.ask(DueFrames::measured);
#endif
    const bool drawn_for = events.frames.any() || !events.input.empty() || is_busy(app_) || shaders_changed ||
                           shader_error_changed || notice_ends() || memory_.finger.speed != 0;
    events.frames.drawn();
    return drawn_for;
  }

  Job<bool> start_fonts(std::optional<Language> requested) {
    Job<bool> job;
    job.start([this, requested](const std::stop_token&) {
      constexpr float ordinary_screen = 1;
      fonts_->open(session_store_.language(requested),
                   sizes_of(session_store_.settings(), ordinary_screen, ordinary_screen));
      return true;
    });
    return job;
  }

  static TextSizes sizes_of(const Settings& settings, float scale, float raster) {
    constexpr std::array em{10.5F, 12.0F, 14.0F, 17.0F, 23.0F};
    return ordinary_sizes(of_kind(em, settings.text_size) * scale, raster);
  }

  TextSizes text_sizes() const {
    const float raster = platform_.raster_scale();
    return app_.presentation.on ? presented_sizes(platform_.height(), raster)
                                : sizes_of(app_.settings, platform_.text_scale(), raster);
  }

  void follow_presentation() {
    if (!std::exchange(app_.presentation.switch_wanted, false)) return;
    platform_.fill_screen(app_.presentation.on);
  }

  void update_fonts() {
    const TextSizes sizes = text_sizes();
    use_widget_memory(memory_);  // glyphs are stored under its stand-ins
    if (fonts_->show(app_, platform_.events(), sizes)) {
      ++memory_.style.fonts;
      platform_.events().frames.ask(DueFrames::measured);
    }
    ask_for_font();
    static_cast<TextSizes&>(memory_.style) = sizes;
    memory_.style.screen_scale = platform_.text_scale();
  }

  /// A page has few fonts, and cannot look for others.
  void ask_for_font() {
    constexpr std::size_t enough = 3;
    if (!is_page()) return;
    std::string characters;
    std::size_t count = 0;
    for (const char32_t c : fonts_->missing()) {
      if (!asked_for_.insert(c).second || ++count > enough) continue;
      characters += fmt::format("{}U+{:04X}", count > 1 ? ", " : "", static_cast<unsigned>(c));
    }
    if (count == 0) return;
    if (count > enough) characters += " …";
    app_.notices.warn(Notice::About::fonts,
                      TR("No font for {}: open a file (.ttf, .otf) that has it, or drop it on this page"),
                      characters);
  }

#if defined(__EMSCRIPTEN__)
  /// What those who hear the page have asked for, one thing at a time.
  void take_asked() {
    memory_.heard = &heard_;
    while (!heard_.waits()) {
      const std::optional<HeardRequest> asked = take_heard_request_in_browser();
      if (!asked) break;
      switch (asked->kind) {
        case HeardRequest::Kind::press:
          heard_.press(asked->id);
          break;
        case HeardRequest::Kind::value:
          heard_.set(asked->id, asked->value);
          break;
        case HeardRequest::Kind::text:
          heard_.type(asked->id, asked->text);
          break;
        case HeardRequest::Kind::focus:
          heard_.focus(asked->id);
          break;
        case HeardRequest::Kind::table:
          table_wanted_ = asked->value != 0;
          told_table_.reset();
          break;
      }
    }
    carry_out(heard_.begin(), platform_.events().input);
  }

  /// The page's elements follow what is drawn, but no quicker than one can hear.
  void tell_items() {
    constexpr double apart = 0.1;  // seconds
    const double now = glfwGetTime();
    const bool anew = heard_.items() != told_ || language_row(app_.language()).locale != told_in_;
    told_due_.reset();
    if (!anew && !table_wanted_) return;
    if (now < told_at_ + apart) {
      told_due_ = told_at_ + apart;
      return;
    }
    if (table_wanted_) tell_table(now);
    if (!anew) return;
    told_ = heard_.items();
    told_in_ = language_row(app_.language()).locale;
    told_at_ = now;
    tell_items_in_browser(heard_json(
        told_, app_.tr("Map as a table"),
        app_.tr("Tab leads from one to the next, F6 from part to part, F10 to the menus, Esc back to "
                "the maps; Alt+D leaves the page for the browser's address.")));
  }

  /// It follows what is shown as long as it is open.
  void tell_table(double now) {
    MapTable table = map_table(app_);
    if (table == told_table_) return;
    tell_table_in_browser(table.title, table.text);
    told_table_ = std::move(table);
    told_at_ = now;
  }

  void note_warning(BrowserWarning warning) {
    Notices& notices = app_.notices;
    switch (warning) {
      case BrowserWarning::work_not_kept:
        return notices.warn(Notice::About::nothing,
                            TR("This browser does not keep the work of this page: save it to files"));
      case BrowserWarning::storage_full:
        return notices.warn(
            Notice::About::nothing,
            TR("The browser has no room left for this page, and the latest changes are not kept: "
               "save them to a file, or free room in the browser's settings"));
    }
  }

  /// What the browser has reported since the last frame.
  void take_reports() {
    const DeviceWishes wishes = wishes_in_browser();
    app_.follow_device(wishes.dark ? Theme::dark : Theme::light);
    app_.motion.reduced = wishes.still;
    const ImU32 around = palette(memory_.style.theme).background;
    if (std::exchange(around_, around) != around) {
      const ImVec4 color = ImGui::ColorConvertU32ToFloat4(around);
      set_background_in_browser(
          fmt::format("rgb({:.0f} {:.0f} {:.0f})", 255 * color.x, 255 * color.y, 255 * color.z));
    }
    if (const std::optional<std::string> work = take_work_in_browser()) {
      session_store_.go_to_work(app_, *work);
      platform_.events().frames.ask(DueFrames::arrived);
    }
    if (const std::optional<std::string> link = take_link_in_browser()) {
      session_store_.open_link(app_, *link);
      platform_.events().frames.ask(DueFrames::arrived);
    }
    for (const std::string& font : take_fonts_in_browser()) fonts_->add(font);
    if (take_works_in_browser()) session_store_.list_works(app_);
    if (const std::optional<BrowserWarning> warning = take_warning_in_browser()) note_warning(*warning);
    if (const std::optional<RefusedFiles> refused = take_refused_in_browser())
      app_.notices.error(Notice::About::opening, error_of(*refused));
  }

  static Error error_of(const RefusedFiles& refused) {
    if (refused.bytes == 0)
      return input_error("{}: this browser does not let a page read a dropped folder; use File > Open model…",
                         refused.name);
    return input_error(
        "{}: the files have {}; expected at most {}, because a page's memory is limited. The installed "
        "program "
        "can open them",
        refused.name, printed_bytes(refused.bytes), printed_bytes(refused.room));
  }
#endif

  /// Whether the file is named as a font is.
  bool take_font(std::string path) {
    constexpr std::array endings{".ttf", ".otf", ".ttc", ".otc"};
    std::string ending = std::filesystem::path(path).extension().string();
    std::ranges::transform(ending, ending.begin(), [](unsigned char c) { return std::tolower(c); });
    if (std::ranges::find(endings, ending) == endings.end()) return false;
#if defined(__EMSCRIPTEN__)
    if (FontFaces::is_font(path)) path = keep_font_in_browser(path);
#endif
    if (fonts_->add(path)) {
      app_.notices.settle(Notice::About::fonts);
      app_.notices.info(TR("Characters that no other font has are taken from {}"), path);
    } else {
      app_.notices.error(Notice::About::fonts,
                         input_error("{}: not a font; expected a .ttf, .otf or .ttc file", path));
    }
    return true;
  }

  /// Returns whether there is a new picture on the screen.
  bool draw() {
    follow_presentation();
#if defined(__EMSCRIPTEN__)
    take_asked();
#endif
    update_fonts();
    set_style(memory_.style, app_.settings, app_.presentation);
    apply_theme(memory_.style);
    const int copy_in = app_.presentation.copy_in;
    if (!platform_.begin_frame(copy_in == 0)) return false;
    platform_.events().frames.at_least(copy_in);
    open_dropped();
    poll_chooser();
    memory_.ui_anchors = dump_.begin_frame();
    memory_.typed = platform_.events().input.characters();
    const auto shown = app_.trace(), shown_of_b = app_.trace(Side::b);
    draw_app(app_, memory_, painter_);
#if defined(__EMSCRIPTEN__)
    heard_.end();
#endif
    compose();
    follow_hover();
    if ((memory_.heard != nullptr ? *memory_.heard : memory_.ears).waits())
      platform_.events().frames.ask(DueFrames::event);
    if (app_.state.layout_moved) platform_.events().frames.ask(DueFrames::measured);
    // The controls say that numbers do not fit, and are drawn before the maps that find it.
    if (std::exchange(numbers_too_large_, memory_.maps.numbers_too_large) != memory_.maps.numbers_too_large)
      platform_.events().frames.ask(DueFrames::measured);
    // A dialog that closes may lead to a question, and no event follows for its frames.
    if (std::exchange(popup_was_open_, memory_.popup_open) != memory_.popup_open)
      platform_.events().frames.ask(DueFrames::event);
    FramePixels copy;
    const bool copies = copy_in > 0 && --app_.presentation.copy_in == 0;
    end_frame(app_);
    const bool renewed = app_.trace() != shown || app_.trace(Side::b) != shown_of_b;
    // While typing, wait for the new maps: a picture of the old ones would be shown before them. Never twice
    // in a row, so that something that changes every frame is still seen.
    const bool drawn = !renewed || copies || !std::exchange(drew_, false);
    if (drawn) {
      drew_ = true;
      platform_.end_frame(
          palette(memory_.style.theme).background,
          [this](const ImDrawCmd& command) { return painter_.content(command); }, copies ? &copy : nullptr);
    } else {
      platform_.drop_frame();
    }
    if (copies) copy_presented(app_, copy);
    note_notice();
#if defined(__EMSCRIPTEN__)
    describe_in_browser(
        language_row(app_.language()).locale,
        live_.say(app_.tr(app_.state.view.row().action), memory_.caption ? spoken(*memory_.caption) : ""));
    tell_items();
    take_reports();
#endif
    dump_.end_frame(app_, platform_.events().frames.any() || !platform_.events().input.empty());
    update_title();
    return drawn;
  }

  /// What an input method composes is shown at the caret. It listens from the next frame on.
  void compose() {
    platform_.set_editing(app_.input.text_focus);
    const ComposedText& composition = platform_.composition();
    if (composition.text.empty()) return;
    const Caret& caret = platform_.caret();
    draw_composition(memory_.style, composition.text, composition.caret, {caret.x, caret.y}, caret.height);
  }

  /// New maps may have put another cell under a resting pointer: what was drawn before them refers to the
  /// last one.
  void follow_hover() {
    const ViewState& state = app_.state;
    const bool left_alone = state.pointer_rests && (state.lock || state.other_lock);
    if (left_alone || (state.hover == state.last_hover && state.other_hover == state.last_other_hover))
      return;
    platform_.events().frames.ask(DueFrames::measured);
  }

  void open_dropped() {
    std::vector<std::string> dropped;
    dropped.swap(platform_.events().dropped);
    if (!dropped.empty() && !take_font(dropped.front())) command_open_path(app_, dropped.front());
    if (dropped.size() > 1) app_.notices.info(TR("Only the first of the dropped files was opened"));
  }

  bool ask_desktop(const FileRequest& request) {
    // A second request means the first was never answered: use the chooser in the window.
    const bool unanswered = chooser_ != nullptr;
    chooser_.reset();
    if (unanswered || !PortalChooser::possible()) return false;
    // A browser's chooser does not show it.
    if (is_page() && !request.help.empty()) app_.notices.info("{}", request.help);
    chooser_ = std::make_unique<PortalChooser>(request, platform_.x11_window(), [this] { platform_.wake(); });
    return true;
  }

  void poll_chooser() {
    if (!chooser_ || chooser_->state() == PortalChooser::State::waiting) return;
    const std::unique_ptr<PortalChooser> done = std::move(chooser_);
    if (done->state() == PortalChooser::State::failed) return fall_back_on_chooser(app_);
    std::string path = done->state() == PortalChooser::State::chosen ? done->path() : std::string();
    if (is_page() && !app_.dialogs.files.request.save && take_font(path)) path.clear();
    answer_file(app_, path);
  }

  /// HEADSCOPE_READY names a file that is made when the window has drawn: who opened it may wait for that.
  void report_drawn() {
    failures_ = 0;
    if (std::exchange(reported_, true)) return;
    if (const std::string path = environment("HEADSCOPE_READY"); !path.empty())
      write_file(path, "", Durability::process);
  }

  void update_title() {
    const std::string title = printable(window_title(app_));
    if (title == title_) return;
    title_ = title;
    glfwSetWindowTitle(platform_.window(), title.c_str());
  }

  void remember_window() {
    Settings& settings = app_.settings;
    settings.maximized = glfwGetWindowAttrib(platform_.window(), GLFW_MAXIMIZED) != 0;
    if (!settings.maximized && !platform_.hidden()) {
      const float scale = platform_.text_scale();
      int width = 0, height = 0;
      glfwGetWindowSize(platform_.window(), &width, &height);
      settings.window_width = static_cast<int>(static_cast<float>(width) / scale);
      settings.window_height = static_cast<int>(static_cast<float>(height) / scale);
    }
    session_store_.finish(app_);
  }

  SessionStore& session_store_;
  std::unique_ptr<Fonts> fonts_ = make_fonts();
  std::set<char32_t> asked_for_;  // characters that no font has
  Job<bool> first_fonts_;
  Platform platform_;
  PresenterWindow presenter_;
  gl::GlHeatmapPainter painter_;
  int failures_ = 0;                                         // consecutive
  bool drew_ = true;                                         // the last frame was drawn, not dropped
  bool numbers_too_large_ = false, popup_was_open_ = false;  // in the last frame
  std::string shader_error_;                                 // as last shown
  std::optional<double> notice_ends_;                        // by GLFW's clock
  std::optional<double> rest_begins_;                        // by GLFW's clock
  double next_lesson_check_ = 0;                             // by GLFW's clock
  App app_;
  PanelMemory memory_;
  LiveText live_;  // of a page
  std::unique_ptr<PortalChooser> chooser_;
  StateDump dump_;
#if defined(__EMSCRIPTEN__)
  Heard heard_;
  std::vector<HeardItem> told_;  // to the page
  std::string told_in_;          // the language
  double told_at_ = 0;           // by GLFW's clock
  std::optional<double> told_due_;
  bool table_wanted_ = false;
  std::optional<MapTable> told_table_;
  ImU32 around_ = 0;  // the canvas, as the page has it
#endif
  std::string title_;
  bool reported_ = false;
  TerminationSignals end_signals_{[this] { platform_.wake(); }};
};

struct RunningWindow {
  explicit RunningWindow(const WindowRequest& request)
      : time_first_frame(request.time_first_frame), window(request, session_store) {}

  std::optional<int> step() {
    try {
      return window.step(time_first_frame);
    } catch (...) {
      throw window.keep_work()
          ? handled_error(TR("the window had to be closed; its session comes back at the next start: "))
          : handled_error(TR("the window had to be closed, and its session could not be kept: "));
    }
  }

  bool time_first_frame;
  SessionStore session_store;
  Window window;
};

#if defined(__EMSCRIPTEN__)
double step_of_page(void* running) {
  std::unique_ptr<RunningWindow> window(static_cast<RunningWindow*>(running));
  double due = -1;
  std::string why;
  run_as_window([&] {
    try {
      if (!window->step()) due = window->window.due_in();
    } catch (const std::exception& failure) {
      why = failure.what();
    }
  });
  if (due < 0) end_in_browser(why);
  static_cast<void>(window.release());  // also at the end, perhaps in the middle of a frame: the page stays
  return due;
}

void keep_work_of_page(void* running) {
  try {
    static_cast<RunningWindow*>(running)->window.leave();
  } catch (const std::exception&) {
    // The page is being left: nobody is left to read an error.
  }
}
#endif

}  // namespace

int run_window(const WindowRequest& request) {
  share_free_memory();
#if defined(__EMSCRIPTEN__)
  run_in_browser(step_of_page, keep_work_of_page, std::make_unique<RunningWindow>(request).release());
#else
  std::optional<int> signal;
  {
    RunningWindow running(request);
    while (!signal) signal = running.step();
  }
  // Everything is saved: raise the signal again so that the sender sees the program end by it.
  if (*signal != 0) std::raise(*signal);
#endif
  return 0;
}

}  // namespace headscope
