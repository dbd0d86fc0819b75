#include <chrono>
#include <cstdio>
#include <set>

#include "app/panels/widgets/heard.h"
#include "app/state/actions/actions.h"
#include "app/state/actions/copy_actions.h"
#include "app/state/lesson/play_lesson.h"
#include "core/scene/view_kinds.h"
#include "tests/ui/app_fixture.h"

namespace headscope::tests {
namespace {

/// A window that somebody hears, and uses without seeing it.
class HeardWindow : public AppFixture {
 protected:
  HeardWindow() {
    memory.heard = &heard;
    settle();
  }
  ~HeardWindow() override { memory.heard = nullptr; }

  const HeardItem* find(HeardRole role, const std::string& name) const {
    for (const HeardItem& item : heard.items())
      if (item.role == role && item.name == name) return &item;
    return nullptr;
  }
  const HeardItem& item(HeardRole role, const std::string& name) const {
    if (const HeardItem* const found = find(role, name)) return *found;
    std::string all;
    for (const HeardItem& one : heard.items()) all += "\n" + written(one);
    throw std::runtime_error(std::string("nothing to hear of ") + heard_role_name(role) + " " + name + all);
  }
  const HeardItem& marked(const std::string& mark) const {
    for (const HeardItem& item : heard.items())
      if (item.mark == mark) return item;
    throw std::runtime_error("nothing to hear at " + mark);
  }
  static std::string written(const HeardItem& item) {
    return fmt::format("{} \"{}\" ({}, {})", heard_role_name(item.role), item.name, item.mark, item.help);
  }
  void done() {
    for (int i = 0; i < 12 && heard.waits(); ++i) frame();
    settle();
    wait_until_idle();
  }
  void press_heard(const HeardItem& item) {
    heard.press(item.id);  // not read after this: the next frame has others
    done();
  }

  /// Whatever is on the screen.
  void expect_whole(const std::string& where) {
    SCOPED_TRACE(where + (app.language() == Language::zh ? ", zh" : ", en"));
    std::set<unsigned> ids;
    ASSERT_FALSE(heard.items().empty());
    for (std::size_t i = 0; i < heard.items().size(); ++i) {
      const HeardItem& item = heard.items()[i];
      EXPECT_TRUE(ids.insert(item.id).second) << written(item);
      EXPECT_LT(item.parent, static_cast<int>(i));
      EXPECT_NE(item.role, HeardRole::none);
      EXPECT_EQ(item.name.find("##"), std::string::npos) << written(item);
      const bool may_have_none =
          item.role == HeardRole::group || item.role == HeardRole::menu || item.role == HeardRole::options;
      EXPECT_TRUE(may_have_none || !item.name.empty()) << written(item);
      const std::string end =
          item.help.substr(item.help.size() - std::min<std::size_t>(20, item.help.size()));
      EXPECT_TRUE(item.name.empty() || item.name != item.help) << written(item) << " is heard twice";
      EXPECT_TRUE(end.size() < 20 || item.help.find(end) + end.size() == item.help.size())
          << written(item) << " is explained twice";
      const bool text = item.role == HeardRole::text || item.role == HeardRole::heading ||
                        item.role == HeardRole::status || item.role == HeardRole::link;
      constexpr std::size_t longest = 120;
      EXPECT_TRUE(text || item.name.size() < longest) << written(item) << " is named by a paragraph";
      const bool choice = item.role == HeardRole::radio || item.role == HeardRole::option;
      for (const char* alone : {"auto", "自动", "8", "none"})
        EXPECT_TRUE(choice || text || item.name != alone) << written(item);
    }
  }
  /// Where the keyboard is; "": nowhere that is heard.
  std::string keyboard() const {
    for (const HeardItem& item : heard.items())
      if (item.focused) return item.name;
    return "";
  }
  /// The part of the program that an item is in.
  std::string region_of(const HeardItem& item) const {
    for (int at = item.parent; at >= 0; at = heard.items()[at].parent)
      if (heard.items()[at].role == HeardRole::region || heard.items()[at].role == HeardRole::navigation)
        return heard.items()[at].name;
    return "";
  }
  /// Of what tests find, all that a pointer presses is heard.
  void expect_heard(const std::string& mark) {
    SCOPED_TRACE(mark);
    EXPECT_NO_THROW(marked(mark));
  }

  Heard heard;
};

TEST_F(HeardWindow, every_view_has_names_and_roles_in_both_languages) {
  for (const char* language : {"en", "zh"}) {
    for (const ViewKindRow& row : view_kinds) {
      app.state.view.kind = row.value;
      frames(3);
      wait_until_idle();
      expect_whole(row.name);
      const HeardItem& chosen = item(HeardRole::radio, app.tr(row.tab));
      EXPECT_TRUE(chosen.on.value_or(false) || chosen.disabled) << language << row.name;
    }
    press(Key::l, true, true);
  }
}

TEST_F(HeardWindow, every_action_of_the_menus_is_an_entry_and_every_dialog_has_names) {
  app.desktop.choose_file = [](const FileRequest&) { return true; };
  for (int language = 0; language < 2; ++language) {
    for (const ActionGroup group : {ActionGroup::file, ActionGroup::edit, ActionGroup::attention,
                                    ActionGroup::view, ActionGroup::help}) {
      press_heard(item(HeardRole::menu_item, app.tr(group_name(group))));
      EXPECT_TRUE(item(HeardRole::menu_item, app.tr(group_name(group))).open.value_or(false));
      expect_whole(group_name(group));
      std::set<std::string> submenus;
      for (const Action& action : app.actions) {
        if (action.group != group) continue;
        if (action.submenu != nullptr) {
          submenus.insert(app.tr(action.submenu));
          continue;
        }
        EXPECT_NE(find(HeardRole::menu_item, text_of(action, app.tr)), nullptr) << action.id;
      }
      for (const std::string& submenu : submenus) {
        const auto entry = std::ranges::find_if(heard.items(), [&](const HeardItem& one) {
          return one.role == HeardRole::menu_item && one.name == submenu && one.open;
        });
        ASSERT_NE(entry, heard.items().end()) << submenu;
        press_heard(*entry);
        for (const Action& action : app.actions)
          if (action.group == group && action.submenu != nullptr && app.tr(action.submenu) == submenu)
            EXPECT_NE(find(HeardRole::menu_item, text_of(action, app.tr)), nullptr) << submenu << action.id;
      }
      press_each({Key::escape, Key::escape, Key::escape});
    }
    for (const char* dialog : {"export", "keys", "about", "palette", "documents"}) {
      if (find_action(app, dialog) == nullptr) continue;
      run_action(app, dialog);
      frames(6);
      expect_whole(dialog);
      EXPECT_EQ(heard.items().front().role, HeardRole::dialog) << dialog << ": what is behind it is in reach";
      press_each({Key::escape, Key::escape});
    }
    press(Key::l, true, true);
  }
}

TEST_F(HeardWindow, tokens_controls_and_maps_are_used_without_being_seen) {
  expect_whole("first");
  const std::vector<Token>& tokens = app.block()->tokens;
  ASSERT_GT(tokens.size(), 2U);
  for (std::size_t i = 0; i < tokens.size(); ++i) expect_heard("token " + std::to_string(i));
  press_heard(marked("token 2"));
  ASSERT_TRUE(app.state.lock);
  EXPECT_EQ(app.state.lock->query, 2);
  EXPECT_TRUE(marked("token 2").on.value_or(false));
  press_heard(item(HeardRole::button, "Causal"));
  ASSERT_EQ(app.inputs.mask.size(), 1U);
  EXPECT_EQ(app.inputs.mask.front().kind, MaskKind::causal);
  EXPECT_TRUE(item(HeardRole::button, "Causal").on.value_or(false));
  const HeardItem temperature = marked("temperature");
  EXPECT_EQ(temperature.role, HeardRole::slider);
  heard.set(temperature.id, 2);
  done();
  EXPECT_DOUBLE_EQ(app.inputs.temperature, 2);
  const HeardItem head_count = marked("heads");
  EXPECT_FALSE(head_count.name.empty());
}

TEST_F(HeardWindow, tab_goes_through_all_parts_and_back) {
  app.state.lock = Cell{0, 1, 2};
  frames(3);
  press(Key::f6);
  std::vector<std::string> way;
  std::set<std::string> regions;
  for (int i = 0; i < 200 && (way.size() < 2 || way.back() != way.front()); ++i) {
    press(Key::tab);
    done();
    way.push_back(keyboard());
    for (const HeardItem& item : heard.items())
      if (item.focused) regions.insert(region_of(item));
    ASSERT_FALSE(way.back().empty()) << "lost after " << (i > 0 ? way[i - 1] : "the beginning");
    if (memory.editing()) press(Key::escape);
  }
  EXPECT_EQ(way.back(), way.front()) << "it leads round";
  EXPECT_GT(way.size(), 40U);
  for (const char* region : {"View", "Controls", "Maps", "Inspector"})
    EXPECT_TRUE(regions.contains(region)) << region;
  for (const char* name : {"Causal", "Export", "Head 1"})
    EXPECT_TRUE(std::ranges::any_of(way, [&](const std::string& one) { return one.starts_with(name); }))
        << name;
  for (std::size_t i = way.size() - 1; i-- > way.size() - 6;) {
    press(Key::tab, false, true);
    done();
    EXPECT_EQ(keyboard(), way[i]);
  }
}

TEST_F(HeardWindow, tab_goes_on_to_the_next_panel_where_nobody_listens) {
  memory.heard = nullptr;
  press(Key::f6);
  std::vector<Panel> panels{app.state.panel};
  for (int i = 0; i < 120; ++i) {
    press(Key::tab);
    frames(6);
    if (app.state.panel != panels.back()) panels.push_back(app.state.panel);
  }
  for (const Panel panel : {Panel::rail, Panel::controls, Panel::tokens, Panel::bar, Panel::maps})
    EXPECT_GE(std::ranges::count(panels, panel), 1) << static_cast<int>(panel);
}

TEST_F(HeardWindow, each_head_is_chosen_opened_and_has_its_cell) {
  const HeardItem third = item(HeardRole::button, "Head 3");
  EXPECT_FALSE(third.present);
  EXPECT_TRUE(third.value.empty());
  EXPECT_EQ(app.tr(app.state.view.row().tab), heard.items()[third.parent].name);
  heard.focus(third.id);
  done();
  EXPECT_TRUE(item(HeardRole::button, "Head 3").present);
  EXPECT_TRUE(item(HeardRole::button, "Head 3").focused);
  EXPECT_FALSE(app.state.lock);
  press_each({Key::down, Key::down, Key::right});
  ASSERT_TRUE(app.state.lock);
  EXPECT_EQ(app.state.lock->head, 2);
  const std::string cell = item(HeardRole::button, "Head 3").value;
  EXPECT_NE(cell.find(drawn_text(app.block()->tokens[app.state.lock->query].text) + " → "), std::string::npos)
      << cell;
  heard.focus(item(HeardRole::button, "Head 5").id);
  done();
  EXPECT_EQ(app.state.lock->head, 4) << "the cell goes with the head";
  EXPECT_NE(map_table(app).title.find("5"), std::string::npos) << map_table(app).title;
  press_heard(item(HeardRole::button, "Head 8"));
  EXPECT_EQ(app.state.view.kind, ViewKind::head);
  EXPECT_TRUE(item(HeardRole::image, "Head 8").value.empty() || app.state.lock->head == 7);
}

TEST_F(HeardWindow, heads_joined_by_lines_are_chosen_as_those_of_a_grid) {
  app.state.view.kind = ViewKind::lines;
  frames(3);
  heard.focus(item(HeardRole::button, "Head 5").id);
  done();
  EXPECT_TRUE(item(HeardRole::button, "Head 5").focused);
  EXPECT_FALSE(item(HeardRole::button, "Head 1").present);
  press(Key::down);
  ASSERT_TRUE(app.state.lock);
  const int chosen = app.state.lock->head;
  EXPECT_NE(item(HeardRole::button, app.tr("Head {}", chosen + 1)).value.find(" → "), std::string::npos);
  heard.focus(item(HeardRole::button, "Head 2").id);
  done();
  EXPECT_EQ(app.state.lock->head, 1) << "the cell goes with the head";
  press_heard(item(HeardRole::button, "Head 8"));
  EXPECT_EQ(app.state.view.kind, ViewKind::head);
}

TEST_F(HeardWindow, each_compared_map_says_the_cell_of_both_sides) {
  run_action(app, "causal");
  app.compare = app.inputs;
  app.compare->mask.clear();
  app.state.view.kind = ViewKind::compare;
  frames(3);
  wait_until_idle();
  std::vector<HeardItem> maps;
  for (const HeardItem& item : heard.items())
    if (item.role == HeardRole::image && item.keyboard != 0) maps.push_back(item);
  ASSERT_EQ(maps.size(), 3U);
  for (const char* name : {"Head 1 · A", "Head 1 · B", "Head 1 · B − A"})
    EXPECT_TRUE(std::ranges::any_of(maps, [&](const HeardItem& map) { return map.name.starts_with(name); }))
        << name;
  for (const HeardItem& map : maps) {
    heard.focus(map.id);
    done();
    EXPECT_EQ(keyboard(), map.name);
    const auto before = app.state.lock;
    press(Key::right);
    EXPECT_NE(app.state.lock, before);
  }
  const std::string& cell = item(HeardRole::image, maps.back().name).value;
  for (const char* part : {" → ", "A: ", "B: ", "B − A: "})
    EXPECT_NE(cell.find(part), std::string::npos) << cell;
}

TEST_F(HeardWindow, the_map_beside_the_steps_has_its_cell) {
  app.state.lock = Cell{2, 1, 1};
  app.state.view.kind = ViewKind::steps;
  app.state.view.steps.stage = "softmax";
  frames(3);
  const HeardItem map = item(HeardRole::image, "Head 3");
  EXPECT_NE(map.value.find(" → "), std::string::npos) << map.value;
  heard.focus(map.id);
  done();
  press(Key::down);
  EXPECT_EQ(app.state.lock->query, 2);
  EXPECT_NE(item(HeardRole::image, "Head 3").value, map.value);
}

TEST_F(HeardWindow, a_small_map_of_all_layers_says_its_locked_cell) {
  app.inputs.layers = 2;
  app.state.view.kind = ViewKind::layers;
  frames(3);
  wait_until_idle();
  app.state.lock = Cell{2, 1, 1};
  frames(3);
  EXPECT_NE(item(HeardRole::button, "Layer 1, head 3").value.find(" → "), std::string::npos);
  EXPECT_TRUE(item(HeardRole::button, "Layer 2, head 3").value.empty());
}

TEST_F(HeardWindow, sliders_say_what_is_written_beside_them) {
  EXPECT_EQ(marked("temperature").value, "1");
  const HeardItem size = marked("d_model step");
  EXPECT_EQ(size.role, HeardRole::slider);
  EXPECT_EQ(size.value, "512");
  EXPECT_TRUE(size.help.starts_with("8 – 4096")) << size.help;
  heard.set(size.id, size.now + 1);
  done();
  EXPECT_EQ(app.inputs.d_model, 768);
  EXPECT_EQ(marked("d_model step").value, "768");
}

TEST_F(HeardWindow, a_button_that_most_will_press_is_not_pressed) {
  app.settings.welcome = true;
  frames(4);
  int offers = 0;
  for (const HeardItem& item : heard.items()) {
    if (!item.mark.starts_with("welcome") || item.role != HeardRole::button) continue;
    ++offers;
    EXPECT_FALSE(item.on) << written(item);
  }
  EXPECT_GT(offers, 1);
}

TEST_F(HeardWindow, parts_have_headings_and_lists_say_how_long_they_are) {
  EXPECT_EQ(item(HeardRole::heading, "Controls").level, 2);
  EXPECT_EQ(item(HeardRole::button, app.tr("Appearance")).level, 3);
  for (const ViewGroup group : view_groups)
    EXPECT_EQ(region_of(item(HeardRole::heading, app.tr(view_group_name(group)))), "View");
  EXPECT_NE(find(HeardRole::group, "Rows × columns"), nullptr);
  std::string sentence;
  for (int i = 0; i < 60; ++i) sentence += "w" + std::to_string(i) + " ";
  app.inputs.sentence = sentence;
  frames(4);
  wait_until_idle();
  app.state.lock = Cell{0, 30, 3};
  memory.whole_row = true;
  frames(4);
  const auto rows = [this] {
    std::vector<HeardItem> found;
    for (const HeardItem& item : heard.items())
      if (item.role == HeardRole::option && item.count == 60) found.push_back(item);
    return found;
  };
  const std::vector<HeardItem> seen = rows();
  ASSERT_FALSE(seen.empty());
  EXPECT_EQ(seen.front().place, 1);
  heard.focus(seen.back().id);
  done();
  EXPECT_GT(rows().back().place, seen.back().place) << "the focus scrolls";
}

TEST_F(HeardWindow, a_sentence_and_a_number_are_typed_into_their_fields) {
  press_heard(marked("edit sentence"));
  const HeardItem* const field = &item(HeardRole::field, app.tr("Type or paste a sentence in any language"));
  EXPECT_EQ(field->value, app.inputs.sentence);
  heard.type(field->id, "猫 sat on the mat");
  done();
  EXPECT_EQ(app.inputs.sentence, "猫 sat on the mat");
  press(Key::escape);
  press(Key::l, true);
  const HeardItem& opened = item(HeardRole::field, app.tr("Type or paste a sentence in any language"));
  EXPECT_TRUE(opened.focused) << "what is typed goes there";
  EXPECT_EQ(opened.value, app.inputs.sentence);
  EXPECT_TRUE(opened.lines);
  press(Key::escape);
  EXPECT_FALSE(marked("d_model").lines);
  heard.type(marked("d_model").id, "64");
  done();
  press(Key::enter);
  EXPECT_EQ(app.inputs.d_model, 64);
}

TEST_F(HeardWindow, what_is_scrolled_out_of_sight_is_pressed) {
  ImGui::GetIO().DisplaySize = {1280, 480};
  frames(4);
  const HeardItem* last = nullptr;
  for (const HeardItem& one : heard.items())
    if (one.role == HeardRole::button && one.open && one.rect[1] > 480) last = &one;
  ASSERT_NE(last, nullptr) << "nothing is below the window";
  const bool was = *last->open;
  const std::string name = last->name;
  press_heard(*last);
  EXPECT_NE(*item(HeardRole::button, name).open, was) << name;
}

TEST_F(HeardWindow, a_lesson_is_read_and_its_questions_are_answered) {
  for (int language = 0; language < 2; ++language) {
    run_action(app, "lesson code");
    int asked = 0, answered = 0;
    for (int step = 0; step <= app.lesson.last(); ++step) {
      go_to_step(app, step);
      frames(4);
      wait_until_idle();
      expect_whole("step " + std::to_string(step + 1));
      EXPECT_TRUE(marked("lesson dot " + std::to_string(step + 1)).step);
      EXPECT_FALSE(marked("lesson dot " + std::to_string(step == 0 ? 2 : 1)).step);
      const LessonStep& now = app.lesson.at();
      EXPECT_NE(find(HeardRole::heading, drawn_text(now.title.in(app.language()))), nullptr) << step;
      for (int i = 0; i < std::ssize(now.questions); ++i) {
        const LessonQuestion& question = now.questions[i];
        const std::string behind = i == 0 ? "" : " " + std::to_string(i + 1);
        for (int choice = 0; choice < std::ssize(question.choices); ++choice) {
          ++asked;
          const HeardItem& one = marked(fmt::format("lesson choice{} {}", behind, choice + 1));
          EXPECT_TRUE(one.role == HeardRole::radio || one.role == HeardRole::check);
          EXPECT_GT(one.name.size(), 1U);
          if (!question.choices[choice].right || one.role != HeardRole::radio) continue;
          press_heard(one);
          answered += question_answered(app, i).value_or(false) ? 1 : 0;
          EXPECT_NE(find(HeardRole::status, app.tr("✓ answered")), nullptr) << "the verdict is not said";
        }
      }
    }
    EXPECT_GT(asked, 2);
    EXPECT_GT(answered, 0);
    run_action(app, "lesson close");
    frames(3);
    press(Key::l, true, true);
  }
}

TEST_F(HeardWindow, the_keyboard_goes_to_what_is_heard) {
  const HeardItem causal = item(HeardRole::button, "Causal");
  heard.focus(causal.id);
  frames(2);
  EXPECT_TRUE(item(HeardRole::button, "Causal").focused);
  press(Key::space);
  EXPECT_EQ(app.inputs.mask.size(), 1U);
}

TEST_F(HeardWindow, nobody_listens_at_no_cost) {
  using Clock = std::chrono::steady_clock;
  const auto time = [this](Heard* listens) {
    memory.heard = listens;
    frames(5);
    const auto begin = Clock::now();
    frames(100);
    return std::chrono::duration<double, std::milli>(Clock::now() - begin).count() / 100;
  };
  const double without = time(nullptr), with = time(&heard);
  RecordProperty("frame without, with (ms)", fmt::format("{:.3f} {:.3f}", without, with));
  std::printf("a frame: %.3f ms, heard %.3f ms, %zu items\n", without, with, heard.items().size());
  EXPECT_LT(with, 3 * without + 1);
}

}  // namespace
}  // namespace headscope::tests
