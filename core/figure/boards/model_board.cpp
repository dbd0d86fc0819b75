#include "core/figure/boards/model_board.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/base/stopped.h"
#include "core/figure/boards/board_column.h"
#include "core/figure/boards/draw_parts.h"
#include "core/figure/boards/layout.h"
#include "core/figure/boards/word_boxes.h"
#include "core/inputs/names.h"
#include "core/scene/range.h"
#include "core/scene/source_title.h"

namespace headscope {
namespace {

/// The positions of all parts.
class ModelLayout {
 public:
  ModelLayout(const Scene& scene, const std::shared_ptr<const ModelPicture>& picture,
              const PointedInModel& pointed, const BoardStyle& style, double width, double height,
              const Translator& tr, const FoundInModel& found)
      : scene_(scene),
        owner_(picture),
        picture_(*picture),
        word_(pointed.word),
        cell_(pointed.cell),
        style_(style),
        em_(style.font_size),
        width_(width),
        height_(height),
        tr_(tr),
        found_(found),
        source_words_(word_labels(picture_.source)),
        target_words_(word_labels(picture_.target)),
        written_words_(word_labels(picture_.written)) {
    board_.width = width;
    board_.height = height;
  }

  Board draw() {
    // If not everything fits, the maps come first; the written words are also shown where the decoder reads
    // them.
    for (const Detail detail : {Detail::all, Detail::words, Detail::maps}) {
      detail_ = detail;
      place();
      if (map_height_ > (detail == Detail::all ? 1.6 : 0.9) * em_) break;
    }
    for (const ModelPicture::Map& map : picture_.maps) draw_map(map);
    draw_arrows();
    if (detail_ != Detail::maps) draw_axes();
    for (const ModelPicture::Map& map : picture_.maps) draw_found(map);
    if (detail_ != Detail::maps && !titled_) draw_headings();
    if (detail_ == Detail::all) draw_corner();
    mark_cells();
    return std::move(board_);
  }

 private:
  enum class Detail { all, words, maps };
  enum class Said { all, rule, nothing };
  struct Point {
    double x = 0, y = 0;
  };
  /// Words on a separate line, below a caption.
  struct WordLine {
    std::vector<std::string> caption;
    WordPlaces words;
    Point at;  ///< of the words
  };

  int encoder_layers() const { return picture_.layers(BlockKind::encoder); }
  int target_layers() const {
    return std::max(picture_.layers(BlockKind::decoder), picture_.layers(BlockKind::cross));
  }
  int rows() const { return std::max({1, encoder_layers(), target_layers()}); }

  void place() {
    const bool words = detail_ != Detail::maps;
    small_ = style_.sized(0.8);
    line_ = small_;
    gap_ = 0.3 * small_;
    heading_ = words ? 1.45 * small_ : 0;
    // Each map has a title above it if that takes little of its height and fits its width, otherwise rows and
    // columns have one. Ablated heads are named in the title, where that covers no cell.
    const bool reported =
        std::ranges::any_of(picture_.maps, [](const ModelPicture::Map& map) { return map.off > 0; });
    titled_ = detail_ == Detail::all && rows() * heading_ < (reported ? 0.3 : 0.15) * height_;
    place_columns();
    if (titled_ && !titles_fit()) {
      titled_ = false;
      place_columns();
    }
    if (!titled_) heading_ *= 0.82;
    arrow_ = (titled_ ? 0.9 : 0.45) * em_;
    base_ = height_ - bottom_;
    corner_ = detail_ == Detail::all && encoder_layers() > target_layers();
    caption_ = detail_ == Detail::all ? 1.5 * small_ : 0;
    top_ = (corner_ ? 0 : caption_) + (titled_ ? 0 : heading_);
    const double title = titled_ ? heading_ : 0;
    map_height_ = (base_ - top_ + arrow_) / rows() - arrow_ - title;
    row_ = map_height_ + arrow_ + title;
    if (detail_ == Detail::all) place_corner();
  }

  bool titles_fit() const {
    return std::ranges::all_of(picture_.maps, [&](const ModelPicture::Map& map) {
      return style_.measure(model_map_title(tr_, map.block, map.layer), small_) <= title_room(map.block);
    });
  }
  bool heading_fits(BlockKind block) const {
    return style_.measure(block_title(tr_, block), small_) <= title_room(block);
  }

  /// Maps side by side, with the words of their rows at their left and those of their columns below.
  void place_columns() {
    const bool words = detail_ != Detail::maps;
    const double limit = words ? std::min(0.15 * width_, 7.5 * small_) : 0;
    const double numbers = words && !titled_ ? style_.measure(std::to_string(rows()), small_) + 0.5 * em_ : 0;
    source_limit_ = widest(source_words_, limit);
    target_limit_ = widest(target_words_, limit);
    const double source_labels = words ? source_limit_ + 1.6 * gap_ : 0,
                 target_labels = words ? target_limit_ + 1.6 * gap_ : 0;
    const double between = 1.5 * em_;
    // As wide as their columns need; a text next to a much longer one keeps some room.
    constexpr double min_share = 0.5;
    const auto s = static_cast<double>(std::max<std::size_t>(1, picture_.source.size())),
               t = static_cast<double>(std::max<std::size_t>(1, picture_.target.size()));
    const double of_source = std::max(s, min_share * t), of_target = std::max(t, min_share * s);
    double room = std::max(0.0, width_ - numbers - source_labels - target_labels - 2 * between);
    // Of a narrow last column the label is wider.
    if (words) room = std::max(0.0, room - std::max(0.0, line_ - room / (2 * of_source + of_target)) / 2);
    constexpr double widest_map = 3.4;  // to the height
    const auto share = [&](double weight) {
      return std::min(room * weight / (2 * of_source + of_target), widest_map * height_ / rows());
    };
    encoder_width_ = cross_width_ = share(of_source);
    decoder_width_ = share(of_target);
    const double unused = std::max(0.0, room - 2 * encoder_width_ - decoder_width_) / 2;
    encoder_x_ = numbers + source_labels + unused / 2;
    right_ = encoder_x_ + encoder_width_ + between + unused;
    cross_x_ = right_ + target_labels;
    decoder_x_ = cross_x_ + cross_width_ + between;
    bus_ = (encoder_x_ + encoder_width_ + right_) / 2;
    bottom_ = 0;
    if (!words) return;
    const double longest = std::max(2 * line_, std::min(0.17 * height_, 7.5 * small_));
    for (const BlockKind block : {BlockKind::encoder, BlockKind::cross, BlockKind::decoder})
      bottom_ = std::max(bottom_, columns_plan(block, longest).extent);
    column_limit_ = longest;
    bottom_ += 1.6 * gap_;
  }

  double widest(const std::vector<std::string>& words, double limit) const {
    double width = 0;
    for (const std::string& word : words) {
      if (width >= limit) return limit;
      width = std::max(width, style_.measure(word, small_));
    }
    return std::min(width, limit);
  }

  WordAxis columns_of(BlockKind block) const {
    const Rect map = map_place(block, 0);
    const auto count = static_cast<double>(std::max<std::size_t>(1, labels_of_keys(block).size()));
    return {true, map.x, map.width / count, base_, gap_, small_, line_};
  }
  TickPlan columns_plan(BlockKind block, double limit) const {
    return plan_words(labels_of_keys(block), columns_of(block), limit, style_);
  }
  WordAxis rows_of(BlockKind block, int layer) const {
    const Rect map = map_place(block, layer);
    const auto count = static_cast<double>(std::max<std::size_t>(1, labels_of_queries(block).size()));
    // Of a short text every row is named, in smaller letters before one is left out; on a projector no
    // letters are too small to be read from the back row.
    constexpr double few = 12;
    const double cell = map.height / count, minimum = style_.minimum > 0 ? line_ : 0.9 * line_;
    const double line = count <= few && cell < line_ && cell >= minimum ? cell : line_;
    return {false, map.y, cell, map.x, gap_, std::min(small_, line), line};
  }
  const std::vector<std::string>& labels_of_queries(BlockKind block) const {
    return block == BlockKind::encoder ? source_words_ : target_words_;
  }
  const std::vector<std::string>& labels_of_keys(BlockKind block) const {
    return block == BlockKind::decoder ? target_words_ : source_words_;
  }

  /// The lines of words are where the encoder extends further up, if it is that much higher, otherwise above
  /// it.
  void place_corner() {
    const double room = width_ - right_;
    written_ = {};
    written_.words = fit_words(written_words_, style_, room, 3);
    const double above = arrow_ + (titled_ ? 0 : heading_), free = base_ - row_ * target_layers() + arrow_;
    // The captions next to the words are dropped before the maps lose much.
    const double given = 0.08 * height_;
    double needed = 0;
    for (const Said said : {Said::all, Said::rule, Said::nothing}) {
      says_colors_ = said == Said::all || !corner_;
      written_.caption.clear();
      if (picture_.outside)
        written_.caption = wrapped(tr_("Do not trust this translation"), room, small_, style_.measure);
      else if (said != Said::nothing)
        written_.caption = wrapped(tr_("Written: each word from the row of the token before it"), room,
                                   small_, style_.measure);
      needed = (says_colors_ ? caption_ : 0) + height_of(written_) + above;
      if (needed - free <= given) break;
    }
    if (free < needed) {
      map_height_ = std::min(map_height_, (base_ - needed + arrow_) / std::max(1, target_layers()) - arrow_ -
                                              (titled_ ? heading_ : 0));
      row_ = map_height_ + arrow_ + (titled_ ? heading_ : 0);
    }
    const double bottom = map_place(BlockKind::cross, target_layers() - 1).y - heading_ - 0.7 * arrow_;
    written_.at = {right_, bottom - written_.words.height};
    place_text(room);
  }
  /// The source words take precedence over captions and over the written words; if they lack little room,
  /// they are set closer together.
  void place_text(double room) {
    text_ = {};
    if (!corner_) return;
    const std::array wishes{fit_words(source_words_, style_, room, 2),
                            fit_close_words(source_words_, style_, room)};
    for (const WordPlaces& words : wishes)
      for (const bool captioned : {true, false})
        if (text_fits(words, captioned)) return;
    for (const WordPlaces& words : wishes)
      if (text_fits_alone(words)) return;
    text_ = {};
  }
  bool text_fits(const WordPlaces& words, bool captioned) {
    text_.caption.clear();
    if (captioned) text_.caption = {tr_("Source text")};
    text_.words = words;
    text_.at = {right_, written_.at.y - caption_height(written_) -
                            (captioned && !written_.caption.empty() ? 0.6 : 0.15) * small_ - words.height};
    const double legend = captioned ? caption_ : 0.85 * caption_;
    return words.all && text_.at.y - caption_height(text_) >= (says_colors_ ? legend : 0);
  }
  /// Replaces the caption of the written words, or of the colours if it is a warning.
  bool text_fits_alone(const WordPlaces& words) {
    if (picture_.outside) {
      const bool said = std::exchange(says_colors_, false);
      const bool fits = text_fits(words, false);
      says_colors_ = said && !fits;
      return fits;
    }
    const std::vector<std::string> said = std::exchange(written_.caption, {});
    const bool fits = text_fits(words, false);
    if (!fits) written_.caption = said;
    return fits;
  }
  double caption_height(const WordLine& line) const {
    if (line.caption.empty()) return 0;
    return 1.25 * small_ * static_cast<double>(line.caption.size()) + 0.25 * small_;
  }
  double height_of(const WordLine& line) const { return caption_height(line) + line.words.height; }

  Rect map_place(BlockKind block, int layer) const {
    const double height = std::max(0.0, map_height_), top = base_ - row_ * layer - height;
    if (block == BlockKind::encoder) return {encoder_x_, top, encoder_width_, height};
    if (block == BlockKind::cross) return {cross_x_, top, cross_width_, height};
    return {decoder_x_, top, decoder_width_, height};
  }

  /// Empty if not even its beginning fits; otherwise its position.
  Rect label(const std::string& text, double x, double y, Rgb color, Anchor anchor, double room) {
    const std::string fit = shortened(text, room, small_, style_);
    if (fit.empty() || (fit == "…" && text != fit)) return {};
    board_.texts.push_back({fit, x, y, {small_, color, anchor, false}});
    const double width = style_.measure(fit, small_), height = 1.3 * small_;
    return {anchor == Anchor::end ? x - width : x, y - height / 2, width, height};
  }

  void draw_map(const ModelPicture::Map& map) {
    const Rect rect = map_place(map.block, map.layer);
    if (rect.width <= 0 || rect.height <= 0) return;
    const bool all_ablated = map.off > 0 && (map.head || map.off == map.heads);
    MapPicture drawn =
        map_picture(map.weights.data(), map.states.empty() ? nullptr : map.states.data(), map.n_q, map.n_k,
                    all_ablated ? colors_of_ablated(scene_.view.colormap, scene_.view.theme)
                                : colors(scene_.view.colormap),
                    map.range);
    drawn.masked = masked_style(scene_.view.theme);
    drawn.owner = owner_;
    board_.maps.push_back({rect, std::move(drawn)});
    const std::string off = map.off_text(tr_);
    if (titled_) add_title(title_with_ablated(map), rect, map.block, map.layer);
    board_.regions.push_back({rect, fmt::format("map {} {}", to_name(map.block), map.layer), "",
                              LayerMap{map.block, map.layer, false}});
    if (!off.empty() && (!titled_ || map.head)) note_on(rect, off_in(map, rect.width - 0.6 * small_));
  }

  /// Strokes next to the rows and below the columns of what was found, where the maps' labels begin.
  void draw_found(const ModelPicture::Map& map) {
    const Rect rect = map_place(map.block, map.layer);
    const auto &rows = found_of(&labels_of_queries(map.block) == &source_words_),
               &columns = found_of(&labels_of_keys(map.block) == &source_words_);
    const double wide = rect.width / static_cast<double>(labels_of_keys(map.block).size()),
                 high = rect.height / static_cast<double>(labels_of_queries(map.block).size());
    const double thick = std::max(gap_, 1.0);
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (rows[i])
        board_.fills.push_back(
            {{rect.x - thick, rect.y + high * static_cast<double>(i), thick, high}, style_.warning});
    for (std::size_t i = 0; i < columns.size(); ++i)
      if (columns[i])
        board_.fills.push_back(
            {{rect.x + wide * static_cast<double>(i), rect.bottom(), wide, thick}, style_.warning});
  }
  const std::vector<bool>& found_of(bool source) const { return source ? found_.source : found_.target; }
  /// For a line of words: each written word is what the decoder reads next.
  bool is_found(bool written, std::size_t word) const {
    const std::vector<bool>& found = found_of(!written);
    const std::size_t at = word + (written ? 1 : 0);
    return at < found.size() && found[at];
  }

  /// In fewer words if it would be cut.
  std::string off_in(const ModelPicture::Map& map, double room) const {
    const std::string off = map.off_text(tr_);
    return map.head || style_.measure(off, small_) <= room ? off : tr_("{} off", map.off);
  }
  std::string title_with_ablated(const ModelPicture::Map& map) const {
    const std::string title = model_map_title(tr_, map.block, map.layer), off = map.off_text(tr_);
    if (off.empty()) return title;
    const std::string few = map.head ? off : tr_("{} off", map.off);
    std::string text;
    for (const std::string& wish :
         {title + " · " + off, title + " · " + few, tr_("Layer {}", map.layer + 1) + " · " + few}) {
      text = wish;
      if (style_.measure(text, small_) <= title_room(map.block)) break;
    }
    return text;
  }
  void add_title(const std::string& title, const Rect& map, BlockKind block, int layer) {
    const Rect place =
        label(title, title_x(map), map.y - heading_ / 2, style_.text, Anchor::start, title_room(block));
    add_title_region(place, block, layer);
  }
  void add_title_region(const Rect& place, BlockKind block, int layer) {
    if (place.width > 0)
      board_.regions.push_back(
          {place, fmt::format("title {} {}", to_name(block), layer), "", LayerMap{block, layer, true}});
  }

  /// A text on its own background, in a map's upper left corner.
  void note_on(const Rect& map, const std::string& text) {
    const double pad = 0.3 * small_, height = std::min(1.3 * small_, map.height);
    const std::string fit = shortened(text, map.width - 2 * pad, small_, style_);
    if (fit.empty() || height < small_) return;
    const double y = map.y + height / 2;
    board_.lines.push_back(
        {map.x, y, map.x + style_.measure(fit, small_) + 2 * pad, y, height, style_.background, 1});
    board_.texts.push_back({fit, map.x + pad, y, {small_, style_.text, Anchor::start, false}});
  }

  /// The x position of the upward arrows, left of titles.
  double arrow_x(const Rect& map) const { return map.x + std::min(0.4 * em_, map.width / 2); }
  double title_x(const Rect& map) const { return map.x + 0.9 * em_; }
  double title_room(BlockKind block) const {
    const double x = title_x(map_place(block, 0));
    if (block == BlockKind::encoder) return bus_ - 0.4 * em_ - x;
    return (block == BlockKind::cross ? decoder_x_ : width_) - x;
  }

  void line(Point a, Point b) { board_.lines.push_back({a.x, a.y, b.x, b.y, stroke(), style_.muted, 1}); }
  double stroke() const { return std::max(0.06 * em_, 0.5); }
  void arrow(Point a, Point b) {
    headscope::arrow(board_, a.x, a.y, b.x, b.y, 0.32 * em_, stroke(), style_.muted, 0.55);
  }

  void draw_arrows() {
    if (map_height_ <= 0) return;
    const double near = 0.1 * em_;
    const auto up = [&](double x, double from, double to) {
      if (from - to > 0.4 * em_) arrow({x, from - near}, {x, to + near});
    };
    const Rect first = map_place(BlockKind::encoder, 0);
    for (int layer = 1; layer < encoder_layers(); ++layer)
      up(arrow_x(first), map_place(BlockKind::encoder, layer - 1).y,
         map_place(BlockKind::encoder, layer).bottom());
    const Rect last = map_place(BlockKind::encoder, encoder_layers() - 1);
    // The encoder's output goes to every layer of the decoder.
    line({last.right() + near, middle_of(last)}, {bus_, middle_of(last)});
    double lowest = middle_of(last), highest = middle_of(last);
    for (int layer = 0; layer < picture_.layers(BlockKind::cross); ++layer) {
      const double y = middle_of(map_place(BlockKind::cross, layer));
      arrow({bus_, y}, {right_ - near, y});
      lowest = std::max(lowest, y);
      highest = std::min(highest, y);
    }
    line({bus_, highest}, {bus_, lowest});
    for (int layer = 0; layer < target_layers(); ++layer) {
      const Rect cross = map_place(BlockKind::cross, layer), causal = map_place(BlockKind::decoder, layer);
      if (picture_.find(BlockKind::cross, layer) == nullptr ||
          picture_.find(BlockKind::decoder, layer) == nullptr)
        continue;
      arrow({causal.x - near, middle_of(causal)}, {cross.right() + near, middle_of(cross)});
      if (layer + 1 == target_layers()) {
        if (detail_ == Detail::all && (titled_ || heading_fits(BlockKind::cross)))
          up(arrow_x(cross), cross.y, written_.at.y + written_.words.height);
        continue;
      }
      const Rect next = map_place(BlockKind::decoder, layer + 1);
      const double turn = next.bottom() + 0.6 * arrow_;
      line({arrow_x(cross), cross.y - near}, {arrow_x(cross), turn});
      line({arrow_x(cross), turn}, {arrow_x(next), turn});
      arrow({arrow_x(next), turn}, {arrow_x(next), next.bottom() + near});
    }
  }
  static double middle_of(const Rect& rect) { return rect.y + rect.height / 2; }

  /// Only one word is lit, fully; empty if there is none.
  static std::vector<double> lit_alone(std::size_t count, Index at, double share = 1) {
    std::vector<double> lit(count, 0);
    if (at < std::ssize(lit)) lit[at] = share;
    return lit;
  }
  /// How strongly each word is lit by the pointed word, 0 to 1; empty: none is.
  std::vector<double> lit_source() const {
    if (!word_) return {};
    if (word_->of_source) return lit_alone(picture_.source.size(), word_->at);
    if (word_->at >= std::ssize(picture_.target)) return {};
    const float* row = picture_.looks.at(word_->at);
    return shares({row, row + picture_.source.size()});
  }
  std::vector<double> lit_written() const {
    const std::size_t count = picture_.written.size();
    // The word written from the row of the pointed cell.
    if (cell_ && cell_->block != BlockKind::encoder) return lit_alone(count, cell_->query, 0.5);
    if (!word_) return {};
    if (!word_->of_source) return lit_alone(count, word_->at);
    if (word_->at >= std::ssize(picture_.source)) return {};
    std::vector<float> column;
    for (Index query = 0; query < std::ssize(picture_.written); ++query)
      column.push_back(picture_.looks.at(query)[word_->at]);
    return shares(column);
  }
  static std::vector<double> shares(const std::vector<float>& weights) {
    if (weights.empty()) return {};
    const float largest = std::max(1e-9F, *std::ranges::max_element(weights));
    std::vector<double> shares;
    for (const float weight : weights) shares.push_back(weight / largest);
    return shares;
  }
  std::vector<double> lit_columns(BlockKind block) const {
    if (cell_)
      return cell_->block == block ? lit_alone(labels_of_keys(block).size(), cell_->key)
                                   : std::vector<double>();
    if (block != BlockKind::decoder) return lit_source();
    // A token that the decoder reads is lit like the word it was written as.
    std::vector<double> lit = lit_written();
    if (lit.empty()) return lit;
    lit.insert(lit.begin(), 0);
    lit.resize(picture_.target.size());
    return lit;
  }
  /// At the left of the encoder, or of cross-attention, whose rows are the decoder's too.
  std::vector<double> lit_rows(BlockKind block, int layer) const {
    const std::size_t count = labels_of_queries(block).size();
    if (cell_) {
      const bool here = (cell_->block == BlockKind::encoder) == (block == BlockKind::encoder);
      return here && cell_->layer == layer ? lit_alone(count, cell_->query) : std::vector<double>();
    }
    // A written word's weights are those of the row before it.
    const bool of_row =
        word_ && !word_->of_source && block == BlockKind::cross && layer == picture_.look.layer;
    return of_row ? lit_alone(count, word_->at) : std::vector<double>();
  }
  /// The source as a line.
  std::vector<double> lit_text() const {
    if (!cell_) return lit_source();
    if (cell_->block == BlockKind::decoder) return {};
    std::vector<double> lit = lit_alone(picture_.source.size(), cell_->key);
    if (cell_->block == BlockKind::encoder && cell_->query < std::ssize(lit)) lit[cell_->query] = 1;
    return lit;
  }

  void draw_axes() {
    for (const auto& [block, layers, name] :
         {std::tuple{BlockKind::encoder, encoder_layers(), "source"},
          {BlockKind::cross, picture_.layers(BlockKind::cross), "key"},
          {BlockKind::decoder, picture_.layers(BlockKind::decoder), "target"}}) {
      if (layers == 0) continue;
      const std::vector<std::string>& words = labels_of_keys(block);
      const bool of_source = &words == &source_words_;
      const WordAxis axis = columns_of(block);
      const TickPlan plan = columns_plan(block, column_limit_);
      add_word_axis(board_, words, axis, plan, lit_columns(block), style_);
      for (std::size_t i = 0; i < words.size(); ++i)
        board_.regions.push_back({word_place(axis, plan, i), fmt::format("{} {}", name, i), "",
                                  PointedWord{of_source, static_cast<Index>(i) - (of_source ? 0 : 1)}});
      if (block == BlockKind::decoder) continue;  // its rows are the same as those of cross-attention
      const double limit = block == BlockKind::encoder ? source_limit_ : target_limit_;
      for (int layer = 0; layer < layers; ++layer) {
        const WordAxis at = rows_of(block, layer);
        TickPlan rows = plan_words(labels_of_queries(block), at, std::max(limit, line_), style_);
        // The map below begins with its own label.
        const double below = row_ + 0.5 * at.cell;
        while (layer > 0 && rows.tokens.size() > 1 && below - (rows.tokens.back() + 0.5) * at.cell < line_) {
          rows.tokens.pop_back();
          rows.labels.pop_back();
        }
        add_word_axis(board_, labels_of_queries(block), at, rows, lit_rows(block, layer), style_);
      }
    }
  }

  void draw_words(const char* name, const std::vector<std::string>& words, const WordLine& line,
                  const std::vector<double>& lit) {
    const WordPlaces& places = line.words;
    double y = line.at.y - caption_height(line) + 0.65 * small_;
    const bool warns = &line == &written_ && picture_.outside;
    for (const std::string& text : line.caption) {
      board_.texts.push_back(
          {text, line.at.x, y, {small_, warns ? style_.warning : style_.muted, Anchor::start, false}});
      y += 1.25 * small_;
    }
    for (std::size_t i = 0; i < places.boxes.size(); ++i) {
      Rect box = places.boxes[i];
      box.x += line.at.x;
      box.y += line.at.y;
      const double share = i < lit.size() ? lit[i] : 0;
      // Each edge separately: as the rest of a larger box it would vanish where both round to one pixel.
      const bool found = is_found(&line == &written_, i);
      const double edge = found ? std::max(2 * stroke(), 2.0) : stroke();
      const Rgb border = found ? style_.warning : style_.border;
      board_.fills.push_back({box, lit_fill(style_, share)});
      board_.fills.push_back({{box.x, box.y, box.width, edge}, border});
      board_.fills.push_back({{box.x, box.bottom() - edge, box.width, edge}, border});
      board_.fills.push_back({{box.x, box.y, edge, box.height}, border});
      board_.fills.push_back({{box.right() - edge, box.y, edge, box.height}, border});
      const bool last = i + 1 == places.boxes.size() && !places.all;
      board_.texts.push_back(
          {last ? "…" : shortened(words[i], box.width - 0.15 * places.size, places.size, style_),
           box.x + box.width / 2,
           box.y + box.height / 2,
           {places.size, ink_on_lit(style_, share), Anchor::middle, false}});
      if (share >= plainly_lit) board_.regions.push_back({box, "note lit", "", LitWord{}});
      board_.regions.push_back(
          {box, fmt::format("{} {}", name, i), "", PointedWord{&line == &text_, static_cast<Index>(i)}});
    }
  }

  void draw_corner() {
    draw_words("written", written_words_, written_, lit_written());
    if (!text_.words.boxes.empty()) draw_words("text", source_words_, text_, lit_text());
    if (says_colors_) draw_colors();
  }

  /// One for each column of maps, and the layer numbers at the left.
  void draw_headings() {
    for (const auto& [block, layers] : {std::pair{BlockKind::encoder, encoder_layers()},
                                        {BlockKind::cross, picture_.layers(BlockKind::cross)},
                                        {BlockKind::decoder, picture_.layers(BlockKind::decoder)}}) {
      if (layers == 0) continue;
      const Rect top = map_place(block, layers - 1);
      // Next to the arrow if that leaves enough room, otherwise in its place.
      const bool fits = heading_fits(block);
      const double x = fits ? title_x(top) : block == BlockKind::cross ? right_ : top.x;
      const Rect place = label(block_title(tr_, block), x, top.y - heading_ / 2, style_.text, Anchor::start,
                               title_room(block) + title_x(top) - x);
      add_title_region(place, block, layers - 1);
    }
    const Rect highest = map_place(BlockKind::encoder, rows() - 1);
    label(tr_("Layer"), 0, highest.y - heading_ / 2, style_.muted, Anchor::start,
          title_x(highest) - 0.3 * em_);
    for (int layer = 0; layer < rows(); ++layer) {
      const Rect place = label(std::to_string(layer + 1), 0, middle_of(map_place(BlockKind::encoder, layer)),
                               style_.muted, Anchor::start, encoder_x_);
      add_title_region(place, layer < encoder_layers() ? BlockKind::encoder : BlockKind::cross, layer);
    }
  }

  /// What the maps show, and what their colours mean.
  void draw_colors() {
    const ColorRange& first = picture_.maps.front().range;
    const bool own = is_per_head(scene_.view.range.kind);
    const std::string title = model_side(scene_) + model_heads_title(tr_, picture_) +
                              (scene_.view.range.holds() ? std::string(" · ") + tr_("range held") : "");
    const bool rows = scene_.view.range.kind == Range::row;
    const std::string low = own && !rows ? tr_("each map's lowest") : low_text(first),
                      high = rows  ? tr_("each row's largest")
                             : own ? tr_("highest")
                                   : high_text(first);
    const double left = corner_ ? right_ : 0, y = caption_ / 2, gap = 0.4 * em_;
    label(title, left, y, style_.text, Anchor::start, width_ - left);
    double x = left + style_.measure(title, small_) + 1.2 * em_;
    const double bar = 4 * em_;
    if (x + style_.measure(low + high, small_) + bar + 2 * gap > width_) return;
    label(low, x, y, style_.muted, Anchor::start, width_ - x);
    x += style_.measure(low, small_) + gap;
    constexpr int pieces = 32;
    add_colors(board_, {x, y - 0.3 * em_, bar, 0.6 * em_}, colors(scene_.view.colormap), pieces);
    label(high, x + bar + gap, y, style_.muted, Anchor::start, width_ - x - bar);
  }

  /// The pointed cell, and the one that is locked.
  void mark_cells() {
    if (scene_.locked) {
      const Cell& cell = scene_.locked->cell;
      mark({scene_.block->shape.kind, scene_.view.layer, cell.query, cell.key}, style_.accent);
    }
    if (cell_ && cell_ != locked_in_model(scene_).cell) mark(*cell_, style_.text);
  }
  void mark(const ModelCell& cell, Rgb color) {
    const ModelPicture::Map* const map = picture_.find(cell.block, cell.layer);
    const auto n_q = std::ssize(labels_of_queries(cell.block)), n_k = std::ssize(labels_of_keys(cell.block));
    if (map == nullptr || cell.query >= n_q || cell.key >= n_k) return;
    const Rect rect = map_place(cell.block, cell.layer);
    const double wide = rect.width / static_cast<double>(n_k), high = rect.height / static_cast<double>(n_q);
    const double thick = std::max(0.12 * em_, 1.0);
    const Rect at{rect.x + wide * static_cast<double>(cell.key),
                  rect.y + high * static_cast<double>(cell.query), wide, high};
    frame(board_, at, 2 * thick, {255, 255, 255});
    frame(board_, at, thick, color);
  }

  const Scene& scene_;
  std::shared_ptr<const ModelPicture> owner_;
  const ModelPicture& picture_;
  const std::optional<PointedWord>& word_;
  const std::optional<ModelCell>& cell_;
  const BoardStyle& style_;
  double em_, width_, height_;
  const Translator& tr_;
  const FoundInModel& found_;
  std::vector<std::string> source_words_, target_words_, written_words_;
  Board board_;
  WordLine written_, text_;
  double small_ = 0, line_ = 0, gap_ = 0, caption_ = 0, heading_ = 0, right_ = 0, bus_ = 0, arrow_ = 0,
         top_ = 0, bottom_ = 0, row_ = 0, map_height_ = 0;
  double source_limit_ = 0, target_limit_ = 0, column_limit_ = 0;
  double encoder_width_ = 0, cross_width_ = 0, decoder_width_ = 0;
  double encoder_x_ = 0, cross_x_ = 0, decoder_x_ = 0, base_ = 0;
  bool titled_ = true, corner_ = false, says_colors_ = true;
  Detail detail_ = Detail::all;
};

}  // namespace

std::string model_map_title(const Translator& tr, BlockKind block, int layer) {
  return tr("Layer {}", layer + 1) + " · " + block_title(tr, block);
}

std::string model_heads_title(const Translator& tr, const ModelPicture& picture) {
  const std::optional<int>& head = picture.maps.front().head;
  return head ? tr("Head {}", *head + 1) : std::string(tr("Mean over heads"));
}

std::string model_side(const Scene& scene) {
  const bool two = scene.trace && scene.other_trace && scene.trace->inputs != scene.other_trace->inputs;
  return !two ? "" : scene.view.of_b ? "B · " : "A · ";
}

PointedInModel locked_in_model(const Scene& scene) {
  if (!scene.locked) return {};
  const Cell& cell = scene.locked->cell;
  if (scene.block->cross()) return {PointedWord{false, cell.query}, {}};
  return {{}, ModelCell{scene.block->shape.kind, scene.view.layer, cell.query, cell.key}};
}

const std::vector<std::string>& query_words(const ModelPicture& picture, BlockKind block) {
  return block == BlockKind::encoder ? picture.source : picture.target;
}
const std::vector<std::string>& key_words(const ModelPicture& picture, BlockKind block) {
  return block == BlockKind::decoder ? picture.target : picture.source;
}

ModelCell model_cell_at(const ModelPicture& picture, const ModelPicture::Map& map, const Rect& rect, double x,
                        double y) {
  const auto place = [](double at, double length, std::size_t count) {
    const auto cell = static_cast<Index>(std::floor(at / length * static_cast<double>(count)));
    return std::clamp<Index>(cell, 0, static_cast<Index>(count) - 1);
  };
  return {map.block, map.layer, place(y - rect.y, rect.height, query_words(picture, map.block).size()),
          place(x - rect.x, rect.width, key_words(picture, map.block).size())};
}

Board model_board(const Scene& scene, const std::shared_ptr<const ModelPicture>& picture,
                  const PointedInModel& pointed, const BoardStyle& style, double width, double height,
                  const Translator& tr, const FoundInModel& found) {
  if (picture->maps.empty()) return {};
  return ModelLayout(scene, picture, pointed, style, width, height, tr, found).draw();
}

void draw_whole_model(const FigurePen& pen, const Scene& scene, const Rect& area) {
  const std::shared_ptr<const Trace>& trace = pictured_trace(scene.trace, scene.other_trace, scene.view);
  const BoardStyle style = board_style(pen.style, pen.width);
  const auto picture = model_picture(trace, scene.view, scene.stop);
  check_stop(scene.stop);
  draw_board(pen.canvas,
             model_board(scene, picture, locked_in_model(scene), style, area.width, area.height, pen.tr),
             area.x, area.y);
}

}  // namespace headscope
