#include <random>

#include "app/state/document/figure_export.h"
#include "tests/support/figures.h"
#include "tests/ui/app_fixture.h"

namespace headscope::tests {

/// A random walk through the window, after which the figure must show what the screen shows.
class Walk : public AppFixture {
 protected:
  Walk() {
    app.inputs.sentence = "one two three one two four five one two six seven three two one";
    app.inputs.d_model = 16;
    app.inputs.heads = 4;
    app.inputs.layers = 3;
    app.inputs.mask = mask_parts({"causal", "padding:0"});
    app.compare = app.inputs;
    app.compare->sentence = "one two four five one three";
    app.compare->mask.clear();
    come_to_rest();
  }

  int one_of(int count) { return std::uniform_int_distribution(0, count - 1)(random_); }

  void come_to_rest() {
    wait_until_idle();
    painter.requests.clear();
    frame();
  }

  ShownMap on_screen(int slot) const {
    const HeatmapRequest& request = painter.requests.at(slot);
    return {request, request.colors, request.range};
  }

  /// The maps on the screen, in reading order.
  std::vector<ShownMap> screen() const {
    std::vector<std::tuple<float, float, int>> places;
    const auto add = [&](const std::string& mark, int slot) {
      const auto& [left, top, right, bottom] = place(mark);
      places.emplace_back(top, left, slot);
    };
    const View& view = app.state.view;
    for (const auto& [slot, request] : painter.requests) {
      if (slot == PainterSlots::detail) continue;
      if (view.kind == ViewKind::grid) add(fmt::format("map {}", slot - PainterSlots::grid + 1), slot);
      if (view.kind == ViewKind::compare)
        add(fmt::format("compare map {}", slot - PainterSlots::compare), slot);
      if (view.kind == ViewKind::layers) {
        const int at = slot - PainterSlots::thumbnail(0, 0), row = Limits::max_view_heads;
        add(fmt::format("layer {} head {}", at / row + 1, at % row + 1), slot);
      }
      if (view.kind == ViewKind::head_table) add("matrix", slot);
      if (slot == PainterSlots::head) places.emplace_back(0, 0, slot);  // not its overview
    }
    std::ranges::sort(places);
    std::vector<ShownMap> maps;
    for (const auto& [top, left, slot] : places) maps.push_back(on_screen(slot));
    return maps;
  }

  void expect_the_same() {
    const Scene scene = shown_scene(app);
    const RecordingCanvas figure = recorded(scene);
    const std::vector<ShownMap> maps = screen();
    EXPECT_EQ(figure.maps.size(), maps.size());
    EXPECT_EQ(figure.maps, maps);
    if (app.state.view.kind == ViewKind::grid && !maps.empty()) {
      std::set<double> rows;
      for (const Rect& place : figure.places) rows.insert(place.y);
      EXPECT_EQ(std::ssize(rows), app.state.shown_rows);
    }
    for (int head = 0; head < 4 && app.state.view.kind == ViewKind::lines; ++head) {
      const std::string title = head_title(app.tr, app.labels, app.state.view.layer, head);
      EXPECT_EQ(std::ranges::count(figure.texts, title), app.state.view.hidden_heads.contains(head) ? 0 : 1);
    }
    // The session in the figure gives the figure again.
    Session session = app.session();
    session.view = scene.view;
    if (scene.view.kind == ViewKind::head) session.view.head = scene.head;
    EXPECT_EQ(recorded(scene_of(session, app.runners.a.trace(), app.runners.b.trace())).maps, figure.maps);
  }

  /// One step; returns what was done.
  std::string step() {
    View& view = app.state.view;
    Filter& filter = view.filter;
    const int head = one_of(4);
    switch (one_of(16)) {
      case 0:
      case 1:
      case 2:
        view.kind = static_cast<ViewKind>(one_of(6));
        return fmt::format("view {}", static_cast<int>(view.kind));
      case 3: {
        const std::string title = fmt::format("title {}", head + 1);
        if (shows(title)) click(title);
        return title;
      }
      case 4:
        return act({"next head", "head before", "next layer", "layer before"});
      case 5:
      case 6:
        return act({"zoom in", "zoom in", "zoom in", "zoom out", "whole map"});
      case 7:
        view.zoom = {one_of(14) + 0.25, one_of(14) + 0.5, 1.0 + one_of(5)};
        return "zoom";
      case 8:
        return act({"hide head", "head alone"});
      case 9:
        app.state.lock = Cell{head, one_of(14), one_of(14)};
        app.state.lines_of_key = one_of(2) == 1;
        return "lock";
      case 10:
        app.state.lock.reset();
        return "no lock";
      case 11:
        filter = {};
        if (one_of(2) == 1) filter.hidden_keys = {one_of(14), one_of(14)};
        if (one_of(3) == 1) filter.queries = TokenRange{one_of(7), 8 + one_of(6)};
        if (one_of(3) == 1) filter.top_percent = 60;
        filter.renormalize = one_of(2) == 1;
        return "filter";
      case 12:
        view.sort.by = std::array{"", "entropy", "name", "similarity"}[static_cast<std::size_t>(one_of(4))];
        view.table.groups = 1 + one_of(3);
        return "sort " + view.sort.by;
      case 13:
        view.range.kind = static_cast<Range>(one_of(5));
        view.table.half = static_cast<TableHalf>(one_of(3));
        return "range";
      case 14:
        view.head.reset();
        return "no head";
      default:
        set_label(app.labels, {view.layer, head, one_of(2) == 1 ? "name" : "", {}});
        return "label";
    }
  }

  std::string act(const std::vector<std::string>& actions) {
    const std::string& id = actions[static_cast<std::size_t>(one_of(static_cast<int>(actions.size())))];
    run_action(app, id);
    return id;
  }

 private:
  std::mt19937 random_{7};
};

TEST_F(Walk, a_head_opened_and_left_by_its_tab_is_not_the_figure) {
  click("title 3");
  EXPECT_EQ(app.state.view.head, 2);
  come_to_rest();
  expect_the_same();
  press(digit_key('1'), true);
  come_to_rest();
  EXPECT_EQ(screen().size(), 4U);
  expect_the_same();
}

TEST_F(Walk, a_figure_has_the_part_that_is_shown) {
  app.state.view.kind = ViewKind::head;
  for (int i = 0; i < 6; ++i) run_action(app, "zoom in");
  come_to_rest();
  EXPECT_LT(screen().front().part.key_end, 10);
  expect_the_same();
}

TEST_F(Walk, the_figure_shows_what_the_screen_shows_wherever_it_leads) {
  std::string way;
  for (int i = 0; i < 300 && !HasFailure(); ++i) {
    way += step() + ", ";
    come_to_rest();
    SCOPED_TRACE(way);
    expect_the_same();
  }
}

}  // namespace headscope::tests
