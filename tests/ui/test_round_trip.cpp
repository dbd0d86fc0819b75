#include "app/state/document/adjust.h"
#include "app/state/document/autosave.h"
#include "app/state/document/bookmarks.h"
#include "app/state/document/document.h"
#include "app/state/document/painting.h"
#include "core/inputs/fields.h"
#include "core/source/engine/engine.h"
#include "tests/support/many_heads.h"
#include "tests/support/picture_models.h"
#include "tests/ui/app_fixture.h"

namespace headscope::tests {
namespace {

/// A kind of source, and what opens with it.
struct SourceKind {
  const char* name;
  Session (*session)(const TempFolder& folder);
};
void PrintTo(const SourceKind& kind, std::ostream* out) {
  *out << kind.name;
}

Session of_model(const TempFolder& folder, const std::string& sentence) {
  Session session;
  session.inputs.model = folder.at("model");
  session.inputs.sentence = sentence;
  return session;
}
Session of_case(const TempFolder& folder, const std::string& name) {
  const Json entry = model_case(name);
  write_whole_model(folder.path / "model", entry);
  return of_model(folder, "w3 w17 w5 w3 w9 w30");
}
Session of_capture(const TempFolder& folder, int layers, int heads) {
  write_capture_of_heads(folder.path / "a.safetensors", layers, heads, 6);
  Session session;
  session.inputs.capture = folder.at("a.safetensors");
  return session;
}

constexpr SourceKind source_kinds[] = {
    {"seeded",
     [](const TempFolder&) {
       Session session;
       session.inputs.d_model = 16;
       session.inputs.heads = 4;
       session.inputs.layers = 2;
       return session;
     }},
    {"long_text",
     [](const TempFolder&) {
       Session session;
       session.inputs.d_model = 4;
       session.inputs.heads = 2;
       session.inputs.sentence.clear();
       for (int i = 0; i < 4200; ++i) session.inputs.sentence += (i % 7 == 0 ? "a " : "bc ");
       return session;
     }},
    {"decoder", [](const TempFolder& folder) { return of_case(folder, "gpt2"); }},
    {"many_heads",
     [](const TempFolder& folder) {
       write_model_of_many_heads(folder.path / "model");
       return of_model(folder, "w3 w7 w5 w3 w9");
     }},
    {"encoder_decoder", [](const TempFolder& folder) { return of_case(folder, "marian"); }},
    {"pictures",
     [](const TempFolder& folder) {
       write_picture_model(folder.path / "model", "vit");
       Session session = of_model(folder, "");
       session.inputs.picture = test_picture("photo.png");
       return session;
     }},
    {"capture", [](const TempFolder& folder) { return of_capture(folder, 3, 4); }},
    {"capture_of_many_heads", [](const TempFolder& folder) { return of_capture(folder, 2, many_heads); }},
};

/// A longer walk: HEADSCOPE_WALK="SEED STEPS".
std::pair<unsigned, int> walk_asked_for() {
  const char* const asked = std::getenv("HEADSCOPE_WALK");
  std::pair<unsigned, int> walk{7, 60};
  if (asked != nullptr) std::istringstream(asked) >> walk.first >> walk.second;
  return walk;
}

}  // namespace

/// Whatever is done in the window is saved, read back and gives the same bits.
class RoundTrip : public AppFixture, public testing::WithParamInterface<SourceKind> {
 protected:
  RoundTrip() {
    app.desktop.choose_file = [](const FileRequest&) { return true; };  // opens, and never answers
    app.desktop.put_picture = [](const std::string&) { return true; };
    app.set_session(first_);
    wait_until_idle();
  }

  int one_of(int count) { return std::uniform_int_distribution(0, std::max(1, count) - 1)(random_); }
  bool maybe(int of = 2) { return one_of(of) == 0; }
  template <typename List>
  const auto& pick(const List& list) {
    return *std::next(std::begin(list), one_of(static_cast<int>(std::size(list))));
  }

  std::u32string any_text() {
    static const std::u32string texts[] = {U"the cat",
                                           U"w3 w9 w1",
                                           U"猫坐在垫子上",
                                           U"\"q\\ /\u2028",
                                           U"é́",
                                           U"🙂👨‍👩‍👧",
                                           U"12",
                                           U"-3.5e9",
                                           U" ",
                                           U"0.1, 7 1e400 nan -2e7 5"};
    return pick(texts);
  }
  std::u32string any_number() {
    static const std::u32string numbers[] = {
        U"0",   U"1",    U"2",    U"3",        U"7",  U"12",   U"16",   U"64",  U"65",
        U"999", U"1000", U"4096", U"99999999", U"-5", U"0.25", U"1e-9", U"1e9", U"18446744073709551615"};
    return pick(numbers);
  }

  /// Leads out of the session, or into another one.
  static bool leads_out(const std::string& name) {
    for (const char* part :
         {"chooser", "quit", "open", "unsaved", "conflict", "export", "lesson", "model ", "notebook", "new",
          "welcome", "capture", "generate", "save", "handout", "tour", "item"})
      if (name.find(part) != std::string::npos) return true;
    return false;
  }

  void click_anything(int which = 0) {
    std::vector<std::string> names;
    for (const auto& [name, place] : ui_anchors.rects())
      if (!leads_out(name)) names.push_back(name);
    if (names.empty()) return;
    done_ += pick(names);
    const auto& [left, top, right, bottom] = ui_anchors.rects().at(pick(names));
    click({left + (right - left) * float(one_of(100)) / 100, top + (bottom - top) * float(one_of(100)) / 100},
          which);
  }
  void drag_anything() {
    const auto anywhere = [&] { return ImVec2(float(one_of(1280)), float(one_of(1000))); };
    point_to(anywhere());
    button(true, one_of(2));
    for (int i = 0; i < 3; ++i) point_to(anywhere());
    button(false, 0);
    button(false, 1);
    settle();
  }

  void paint() {
    const auto block = app.block();
    const BlockTrace& trace = painted_block(*block);
    if (app.edited().captured() || trace.n_q() == 0 || !same_cells(trace, app.edited())) return;
    const auto cell = [&] {
      return PaintCell{one_of(static_cast<int>(trace.n_q())), one_of(static_cast<int>(trace.n_k()))};
    };
    Brush brush;
    brush.shape = static_cast<Brush::Shape>(one_of(4));
    brush.radius = one_of(3);
    const PaintCell from = cell();
    const int head = maybe() ? -1 : maybe() ? trace.heads() - 1 : one_of(trace.heads());
    paint_stroke(app.edited(), brush, trace, head, from, maybe() ? from : cell(), !maybe(4),
                 {block->query_pool, block->key_pool});
  }
  void label() {
    const auto block = app.block();
    const int head = maybe() ? block->heads() - 1 : one_of(block->heads());
    HeadLabel label{one_of(block->layer_count()), head, {}, {}};
    if (!maybe(3)) label.name = clean_text(utf8(any_text()));
    if (maybe()) label.color = static_cast<unsigned>(one_of(0x1000000));
    set_label(app.labels, label);
  }
  void mark() {
    const auto block = app.block();
    const auto range = [&](Index n) -> std::optional<TokenRange> {
      if (n == 0 || maybe(3)) return {};
      const int begin = one_of(static_cast<int>(n));
      return TokenRange{begin, begin + 1};
    };
    if (app.marks.size() >= Mark::max_marks) return app.marks.clear();
    Mark mark{
        maybe() ? MarkKind::box : MarkKind::arrow, range(block->n_q()), range(block->n_k()), {}, {}, {}};
    if (maybe()) mark.layer = one_of(block->layer_count()), mark.head = one_of(block->heads());
    mark.text = fitting_mark_text(utf8(any_text()));
    app.marks.push_back(mark);
  }
  void bookmark() {
    const int count = static_cast<int>(app.bookmarks.size());
    if (count == 0 || maybe(3)) return add_bookmark(app);
    switch (one_of(4)) {
      case 0:
        return go_to_bookmark(app, one_of(count));
      case 1:
        return replace_bookmark(app, one_of(count));
      case 2:
        return move_bookmark(app, one_of(count), one_of(count));
      default:
        return remove_bookmark(app, one_of(count));
    }
  }
  void act() {
    const Action& action = pick(app.actions);
    if (leads_out(action.id)) return;
    done_ += action.id;
    run_action(app, action.id);
    settle();
  }
  void write_text() {
    Inputs& inputs = app.edited();
    if (!inputs.captured() && !maybe(4) && inputs.sentence.size() < 10000) {
      inputs.sentence = clean_text(utf8(any_text() + U" " + any_text()));
      inputs.splits = inputs.joins = {};
    } else {
      app.state.view.title = utf8(any_text());
    }
  }
  void press_anything() {
    static const Chord chords[] = {
        {Key::up},    {Key::down},  {Key::left},      {Key::right},         {Key::tab},
        {Key::space}, {Key::enter}, {Key::z, true},   {Key::z, true, true}, {Key::escape},
        {Key::home},  {Key::end},   {Key::page_down}, {Key::down, true},    {Key::right, true}};
    const Chord& chord = pick(chords);
    press(chord.key, chord.ctrl, chord.shift);
  }

  void step() {
    switch (one_of(16)) {
      case 0:
        return paint();
      case 1:
        return label();
      case 2:
        return mark();
      case 3:
        return bookmark();
      case 4:
        return write_text();
      case 5:
      case 6:
      case 7:
        return act();
      case 8:
        return press_anything();
      case 9:
        return click_anything(1);
      case 10:
        clipboard = utf8(any_text());
        click_anything();
        return press(Key::v, true);
      case 11:
        click_anything();
        press(Key::a, true);
        type(maybe() ? any_number() : any_text());
        return press(Key::enter);
      case 12:
        return drag_anything();
      default:
        return click_anything();
    }
  }

  static std::string utf8(const std::u32string& text) {
    std::string bytes;
    for (const char32_t c : text) append_utf8(bytes, c);
    return bytes;
  }

  /// The maps that a fresh program computes are those on the screen.
  void expect_the_same_run(const Inputs& saved, const Trace& shown) {
    if (!(fitted(saved) == shown.inputs)) return;  // it was refused: what is shown is older
    Engine engine(1, app.memory, app.sources);
    RunOptions options;
    options.fit_masks = true;
    const auto again = engine.run(fitted(saved), options);
    ASSERT_EQ(again->blocks.size(), shown.blocks.size());
    for (std::size_t i = 0; i < shown.blocks.size(); ++i) {
      const BlockTrace &a = shown.blocks[i], &b = again->blocks[i];
      ASSERT_EQ(a.n_q(), b.n_q());
      ASSERT_EQ(a.heads(), b.heads());
      if (a.n_q() == 0 || a.n_k() == 0) continue;
      for (const int head : {0, a.heads() - 1}) {
        const Index rows = std::min<Index>(a.n_q(), 8);
        std::vector<float> one(static_cast<std::size_t>(rows * a.n_k())), other(one.size());
        const int layer = a.layer_count() - 1;
        a.maps->rows(layer, head, a.n_q() - rows, a.n_q(), one.data());
        b.maps->rows(layer, head, a.n_q() - rows, a.n_q(), other.data());
        if (shown.continued)  // a run that uses rows of the one before it differs by rounding
          EXPECT_THAT(one, testing::Pointwise(testing::FloatNear(1e-4F), other)) << "block " << i;
        else
          EXPECT_EQ(std::memcmp(one.data(), other.data(), one.size() * sizeof(float)), 0) << "block " << i;
      }
    }
  }

  void expect_round_trip() {
    press(Key::escape);
    wait_until_idle();
    const Session session = app.session();
    const std::string text = to_json(session);
    const Session read = session_from_json(text, "saved");
    EXPECT_EQ(to_json(read), text);
    EXPECT_EQ(read, session);
    EXPECT_EQ(session_from_json(to_json(session, false), "saved"), session);
    auto file = AutosaveFile::make(folder_.at("state"));
    ASSERT_TRUE(file);
    file->write({session, ""});
    EXPECT_EQ(file->read().session, session);
    EXPECT_EQ(load_session(file->path()), session) << "as it is";
    file->remove();
    save_session(folder_.at("saved.json"), session);
    const Session loaded = load_session(folder_.at("saved.json"));
    EXPECT_EQ(loaded, session);
    EXPECT_NO_THROW(session_from_json(to_json(session_for_others(app)), "for others"));
    expect_the_same_run(loaded.inputs, *app.runners.a.trace());
  }

  bool same_source() const {
    return app.inputs.model == first_.inputs.model && app.inputs.capture == first_.inputs.capture;
  }

  TempFolder folder_;
  const Session first_ = GetParam().session(folder_);
  std::string done_;
  std::mt19937 random_;
};

TEST_P(RoundTrip, gives_the_same_bits) {
  auto [seed, steps] = walk_asked_for();
  random_.seed(seed);
  if (GetParam().name == std::string("long_text")) steps /= 8;
  for (int i = 0; i < steps && !HasFailure(); ++i) {
    SCOPED_TRACE(fmt::format("seed {}, step {}: {}", seed, i, done_));
    done_.clear();
    for (int j = 0; j < 5; ++j) {
      done_ += "; ";
      step();
    }
    expect_round_trip();
    if (!same_source() || app.quit || app.lesson.playing()) app.set_session(first_), app.quit = false;
  }
}

INSTANTIATE_TEST_SUITE_P(Sources, RoundTrip, testing::ValuesIn(source_kinds),
                         [](const auto& kind) { return std::string(kind.param.name); });

}  // namespace headscope::tests
