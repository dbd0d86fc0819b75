#include "core/figure/model_board.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/utf8.h"
#include "core/figure/layout.h"
#include "core/inputs/names.h"
#include "core/scene/range.h"
#include "core/scene/source_title.h"
#include "core/text/token_label.h"

namespace headscope {
namespace {

/// Of colours, `share` of the second.
Rgb between(Rgb a, Rgb b, double share) {
  const auto mix = [&](std::uint8_t x, std::uint8_t y) {
    return static_cast<std::uint8_t>(std::lround(x + (y - x) * std::clamp(share, 0.0, 1.0)));
  };
  return {mix(a.r, b.r), mix(a.g, b.g), mix(a.b, b.b)};
}

/// Words in boxes, in lines.
struct WordPlaces {
  std::vector<Rect> boxes;  ///< of those that have room
  double size = 0, height = 0;
  bool all = true;
};

/// From (0, 0); those that don't fit into `lines` are left out.
WordPlaces lay_words(const std::vector<std::string>& words, const MeasureSized& measure, double size,
                     double width, int lines) {
  WordPlaces places{{}, size, 1.5 * size, true};
  const double pad = 0.3 * size, gap = 0.25 * size, line = 1.75 * size;
  double x = 0, y = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const double own = std::min(width, measure(words[i], size) + 2 * pad);
    if (x > 0 && x + own > width) {
      x = 0;
      y += line;
    }
    if (y > line * (lines - 0.5)) {
      places.all = false;
      break;
    }
    places.boxes.push_back({x, y, own, 1.5 * size});
    places.height = y + 1.5 * size;
    x += own + gap;
  }
  return places;
}

/// As large as fits into few lines.
WordPlaces fit_words(const std::vector<std::string>& words, const BoardStyle& style, double width) {
  for (const auto& [share, lines] : {std::pair{1.0, 1}, {0.85, 1}, {0.85, 2}, {0.7, 2}, {0.7, 3}}) {
    const WordPlaces places = lay_words(words, style.measure, style.sized(share), width, lines);
    if (places.all) return places;
  }
  return lay_words(words, style.measure, style.sized(0.7), width, 3);
}

std::vector<std::string> word_labels(const std::vector<std::string>& tokens) {
  std::vector<std::string> labels;
  for (const std::string& token : tokens) {
    const std::string label = printable(token_label(token));
    labels.push_back(label.empty() ? "∅" : label);
  }
  return labels;
}

/// Where everything stands.
class ModelLayout {
 public:
  ModelLayout(const Scene& scene, const std::shared_ptr<const ModelPicture>& picture,
              const std::optional<PointedWord>& pointed, const BoardStyle& style, double width, double height,
              const Translator& tr)
      : scene_(scene),
        owner_(picture),
        picture_(*picture),
        pointed_(pointed),
        style_(style),
        em_(style.font_size),
        width_(width),
        height_(height),
        tr_(tr) {
    board_.width = width;
    board_.height = height;
  }

  Board draw() {
    // Where there is no room for all of it, the maps come first; what is written is read by the decoder, too.
    for (const Detail detail : {Detail::all, Detail::words, Detail::maps}) {
      detail_ = detail;
      place();
      if (map_height_ > (detail == Detail::all ? 1.6 : 0.9) * em_) break;
    }
    for (const ModelPicture::Map& map : picture_.maps) draw_map(map);
    draw_arrows();
    if (detail_ != Detail::maps) {
      draw_words("source", word_labels(picture_.source), source_, source_at_, lit_source());
      draw_words("target", word_labels(picture_.target), target_, target_at_, lit_target());
    }
    if (detail_ == Detail::all) {
      draw_words("written", word_labels(picture_.written), written_, written_at_, lit_written());
      draw_captions();
    }
    if (detail_ != Detail::maps && !titled_) draw_headings();
    return std::move(board_);
  }

 private:
  enum class Detail { all, words, maps };
  struct Point {
    double x = 0, y = 0;
  };

  int encoder_layers() const { return picture_.layers(BlockKind::encoder); }
  int target_layers() const {
    return std::max(picture_.layers(BlockKind::decoder), picture_.layers(BlockKind::cross));
  }

  void place() {
    const double share = 0.42, between_parts = 2.2 * em_;
    const bool words = detail_ != Detail::maps;
    small_ = style_.sized(0.8);
    caption_ = detail_ == Detail::all ? 1.5 * small_ : 0;
    heading_ = words ? 1.5 * small_ : 0;
    left_label_ = words ? style_.measure(tr_.format("Layer {}", 12), small_) + 0.8 * em_ : 0;
    const double left = share * width_ - between_parts / 2;
    right_ = share * width_ + between_parts / 2;
    const double right_width = width_ - right_;
    source_ = words ? fit_words(word_labels(picture_.source), style_, left) : WordPlaces{};
    target_ = words ? fit_words(word_labels(picture_.target), style_, right_width) : WordPlaces{};
    written_ =
        detail_ == Detail::all ? fit_words(word_labels(picture_.written), style_, right_width) : WordPlaces{};
    arrow_ = (detail_ == Detail::all ? 0.9 : 0.55) * em_;
    const int rows = std::max({1, encoder_layers(), target_layers()});
    const double bottom = words ? std::max(source_.height, target_.height) + caption_ : 0;
    const double room = height_ - caption_ - bottom - arrow_;
    // The words that are written stand where the encoder goes on, if it is that much higher.
    const double needed = detail_ == Detail::all ? written_.height + caption_ + arrow_ : 0;
    const double beside = room / rows * (rows - target_layers());
    row_ = beside >= needed ? room / rows
                            : std::min(room / rows, (room - needed) / std::max(1, target_layers()));
    // Each map has its title above it where it has room for that, else its row and its column have one.
    titled_ = detail_ == Detail::all && row_ > 4.2 * em_;
    // With headings over the highest maps alone.
    if (!titled_) row_ -= heading_ / rows;
    map_height_ = row_ - arrow_ - (titled_ ? heading_ : 0);
    const auto s = static_cast<double>(std::max<std::size_t>(1, picture_.source.size())),
               t = static_cast<double>(std::max<std::size_t>(1, picture_.target.size()));
    const double gap = 1.8 * em_, height = std::max(0.0, map_height_), widest = 3.4;  // to the height
    const double cell = std::min((right_width - gap) / (s + t), widest * height / std::max(s, t));
    encoder_width_ = std::max(0.0, std::min(left - left_label_, widest * height));
    cross_width_ = std::max(0.0, cell * s);
    decoder_width_ = std::max(0.0, cell * t);
    encoder_x_ = left_label_ + std::max(0.0, left - left_label_ - encoder_width_) / 2;
    const double group = cross_width_ + gap + decoder_width_;
    cross_x_ = right_ + std::max(0.0, right_width - group) / 2;
    decoder_x_ = cross_x_ + cross_width_ + gap;
    base_ = height_ - bottom - arrow_;  // bottom of the first layer's maps
    source_at_ = {0, height_ - source_.height};
    target_at_ = {right_, height_ - target_.height};
    const double highest = map_place(BlockKind::cross, target_layers() - 1).y - heading_;
    written_at_ = {right_, std::max(caption_, highest - arrow_ - written_.height)};
  }

  Rect map_place(BlockKind block, int layer) const {
    const double bottom = base_ - row_ * layer, height = std::max(0.0, map_height_);
    if (block == BlockKind::encoder) return {encoder_x_, bottom - height, encoder_width_, height};
    if (block == BlockKind::cross) return {cross_x_, bottom - height, cross_width_, height};
    return {decoder_x_, bottom - height, decoder_width_, height};
  }

  void label(const std::string& text, double x, double y, Rgb color, Anchor anchor, double room) {
    const auto measure = [&](std::string_view part) { return style_.measure(part, small_); };
    const std::string fit = shortened(text, room, measure);
    if (fit.empty() || (fit == "…" && text != fit)) return;
    board_.texts.push_back({fit, x, y, {small_, color, anchor, false}});
  }

  void draw_map(const ModelPicture::Map& map) {
    const Rect rect = map_place(map.block, map.layer);
    if (rect.width <= 0 || rect.height <= 0) return;
    MapPicture drawn;
    drawn.part.values = map.weights.data();
    drawn.part.blocked = map.states.empty() ? nullptr : map.states.data();
    drawn.part.n_q = map.n_q;
    drawn.part.n_k = map.n_k;
    drawn.part.query_end = static_cast<double>(map.n_q);
    drawn.part.key_end = static_cast<double>(map.n_k);
    drawn.colors = &colors(scene_.view.colormap);
    drawn.range = map.range;
    drawn.masked = masked_style(scene_.view.theme);
    board_.maps.push_back({rect, drawn, owner_});
    const std::string title = model_map_title(tr_, map.block, map.layer);
    if (titled_)
      label(title, title_x(rect), rect.y - heading_ / 2, style_.text, Anchor::start, title_room(map.block));
    board_.regions.push_back({rect, fmt::format("map {} {}", to_name(map.block), map.layer),
                              title + " · " + model_heads_title(tr_, picture_)});
  }

  /// Where the stream goes up, at the left of titles.
  double arrow_x(const Rect& map) const { return map.x + std::min(0.4 * em_, map.width / 2); }
  double title_x(const Rect& map) const { return map.x + 0.9 * em_; }
  double title_room(BlockKind block) const {
    const double x = title_x(map_place(block, 0));
    if (block == BlockKind::encoder) return bus() - 0.4 * em_ - x;
    return (block == BlockKind::cross ? decoder_x_ : width_) - x;
  }
  /// By which what the encoder gives goes to the decoder.
  double bus() const { return (encoder_x_ + encoder_width_ + cross_x_) / 2; }

  void line(Point a, Point b) { board_.lines.push_back({a.x, a.y, b.x, b.y, stroke(), style_.quiet, 1}); }
  double stroke() const { return std::max(0.06 * em_, 0.5); }
  void arrow(Point a, Point b) {
    line(a, b);
    const double length = std::hypot(b.x - a.x, b.y - a.y), head = 0.32 * em_;
    if (length <= 0) return;
    const double ux = (b.x - a.x) / length, uy = (b.y - a.y) / length;
    for (const double side : {-1.0, 1.0})
      line({b.x - head * ux + side * 0.55 * head * uy, b.y - head * uy - side * 0.55 * head * ux}, b);
  }

  void draw_arrows() {
    if (map_height_ <= 0) return;
    const double near = 0.12 * em_;
    const auto up = [&](double x, double from, double to) {
      if (from - to > 0.4 * em_) arrow({x, from - near}, {x, to + near});
    };
    const Rect first = map_place(BlockKind::encoder, 0);
    if (detail_ != Detail::maps) up(arrow_x(first), source_at_.y, first.bottom());
    for (int layer = 1; layer < encoder_layers(); ++layer)
      up(arrow_x(first), map_place(BlockKind::encoder, layer - 1).y,
         map_place(BlockKind::encoder, layer).bottom());
    const Rect last = map_place(BlockKind::encoder, encoder_layers() - 1);
    // What the encoder gives goes to every layer of the decoder.
    line({last.right() + near, middle_of(last)}, {bus(), middle_of(last)});
    double lowest = middle_of(last), highest = middle_of(last);
    for (int layer = 0; layer < picture_.layers(BlockKind::cross); ++layer) {
      const double y = middle_of(map_place(BlockKind::cross, layer));
      arrow({bus(), y}, {cross_x_ - near, y});
      lowest = std::max(lowest, y);
      highest = std::min(highest, y);
    }
    line({bus(), highest}, {bus(), lowest});
    const Rect own = map_place(BlockKind::decoder, 0);
    if (detail_ != Detail::maps) up(arrow_x(own), target_at_.y, own.bottom());
    for (int layer = 0; layer < target_layers(); ++layer) {
      const Rect cross = map_place(BlockKind::cross, layer), causal = map_place(BlockKind::decoder, layer);
      if (picture_.find(BlockKind::cross, layer) == nullptr ||
          picture_.find(BlockKind::decoder, layer) == nullptr)
        continue;
      arrow({causal.x - near, middle_of(causal)}, {cross.right() + near, middle_of(cross)});
      if (layer + 1 == target_layers()) {
        if (detail_ == Detail::all) up(arrow_x(cross), cross.y, written_at_.y + written_.height);
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

  /// How strongly each word is lit, 0 to 1; empty: none is.
  std::vector<double> lit_source() const {
    if (!pointed_) return {};
    std::vector<double> lit(picture_.source.size(), 0);
    if (pointed_->of_source) {
      if (pointed_->at < std::ssize(lit)) lit[static_cast<std::size_t>(pointed_->at)] = 1;
      return lit;
    }
    if (pointed_->at >= std::ssize(picture_.target)) return {};
    const float* row = picture_.looks.at(pointed_->at);
    return shares({row, row + lit.size()});
  }
  std::vector<double> lit_written() const {
    if (!pointed_) return {};
    std::vector<double> lit(picture_.written.size(), 0);
    if (!pointed_->of_source) {
      if (pointed_->at < std::ssize(lit)) lit[static_cast<std::size_t>(pointed_->at)] = 1;
      return lit;
    }
    if (pointed_->at >= std::ssize(picture_.source)) return {};
    std::vector<float> column;
    for (Index query = 0; query < std::ssize(lit); ++query)
      column.push_back(picture_.looks.at(query)[pointed_->at]);
    return shares(column);
  }
  /// A token that the decoder reads is lit as what it was when it was written.
  std::vector<double> lit_target() const {
    std::vector<double> lit = lit_written();
    if (lit.empty()) return lit;
    lit.insert(lit.begin(), 0);
    lit.resize(picture_.target.size());
    return lit;
  }
  static std::vector<double> shares(const std::vector<float>& weights) {
    const float largest = std::max(1e-9F, *std::ranges::max_element(weights));
    std::vector<double> shares;
    for (const float weight : weights) shares.push_back(static_cast<double>(weight / largest));
    return shares;
  }

  void draw_words(const char* name, const std::vector<std::string>& words, const WordPlaces& places, Point at,
                  const std::vector<double>& lit) {
    for (std::size_t i = 0; i < places.boxes.size(); ++i) {
      Rect box = places.boxes[i];
      box.x += at.x;
      box.y += at.y;
      const double share = i < lit.size() ? lit[i] : 0;
      const Rgb fill = between(style_.panel, style_.accent, 0.85 * share);
      board_.fills.push_back({box, style_.border});
      const double edge = stroke();
      board_.fills.push_back(
          {{box.x + edge, box.y + edge, box.width - 2 * edge, box.height - 2 * edge}, fill});
      const bool last = i + 1 == places.boxes.size() && !places.all;
      const auto measure = [&](std::string_view part) { return style_.measure(part, places.size); };
      const int light = 299 * fill.r + 587 * fill.g + 114 * fill.b;
      const Rgb ink = share < 0.05      ? style_.text
                      : light > 140'000 ? Rgb{0x12, 0x14, 0x18}
                                        : Rgb{255, 255, 255};
      board_.texts.push_back({last ? "…" : shortened(words[i], box.width - 0.3 * places.size, measure),
                              box.x + box.width / 2,
                              box.y + box.height / 2,
                              {places.size, ink, Anchor::middle, false}});
      board_.regions.push_back({box, fmt::format("{} {}", name, i), ""});
    }
  }

  void draw_captions() {
    const double above_words = 0.75 * small_;
    const double source_x = title_x(map_place(BlockKind::encoder, 0)),
                 target_x = title_x(map_place(BlockKind::decoder, 0));
    label(tr_("Source text, for the encoder"), source_x, source_at_.y - above_words, style_.quiet,
          Anchor::start, right_ - 0.5 * em_ - source_x);
    label(tr_("Target text, for the decoder"), target_x, target_at_.y - above_words, style_.quiet,
          Anchor::start, width_ - target_x);
    label(tr_("What the model writes"), written_at_.x, written_at_.y - above_words, style_.quiet,
          Anchor::start, width_ - right_);
    draw_colors();
  }

  void draw_headings() {
    for (int layer = 0; layer < encoder_layers(); ++layer)
      label(tr_.format("Layer {}", layer + 1), encoder_x_ - 0.4 * em_,
            middle_of(map_place(BlockKind::encoder, layer)), style_.quiet, Anchor::end, encoder_x_);
    for (const auto& [block, layers] : {std::pair{BlockKind::encoder, encoder_layers()},
                                        {BlockKind::cross, target_layers()},
                                        {BlockKind::decoder, target_layers()}}) {
      const Rect top = map_place(block, layers - 1);
      label(block_title(tr_, block), title_x(top), top.y - heading_ / 2, style_.text, Anchor::start,
            title_room(block));
    }
  }

  /// What the maps are, and what their colours stand for.
  void draw_colors() {
    const ColorRange& first = picture_.maps.front().range;
    const bool own = scene_.view.range == Range::head;
    const std::string title = model_heads_title(tr_, picture_);
    const std::string low = own ? tr_("each map's lowest") : low_text(first),
                      high = own ? tr_("highest") : high_text(first);
    const double y = caption_ / 2, gap = 0.4 * em_;
    double x = style_.measure(title, small_);
    const double most = written_at_.y < 2 * caption_ ? right_ - em_ : width_;
    label(title, 0, y, style_.text, Anchor::start, most);
    x += 1.2 * em_;
    const double bar = 4 * em_;
    if (x + style_.measure(low + high, small_) + bar + 2 * gap > most) return;
    label(low, x, y, style_.quiet, Anchor::start, most);
    x += style_.measure(low, small_) + gap;
    constexpr int pieces = 32;
    const Colors& map = colors(scene_.view.colormap);
    for (int i = 0; i < pieces; ++i)
      board_.fills.push_back({{x + bar * i / pieces, y - 0.3 * em_, bar / pieces, 0.6 * em_},
                              map[static_cast<std::size_t>((2 * i + 1) * 128 / pieces)]});
    label(high, x + bar + gap, y, style_.quiet, Anchor::start, most);
  }

  const Scene& scene_;
  std::shared_ptr<const ModelPicture> owner_;
  const ModelPicture& picture_;
  const std::optional<PointedWord>& pointed_;
  const BoardStyle& style_;
  double em_, width_, height_;
  const Translator& tr_;
  Board board_;
  WordPlaces source_, target_, written_;
  Point source_at_, target_at_, written_at_;
  double small_ = 0, caption_ = 0, heading_ = 0, left_label_ = 0, right_ = 0, arrow_ = 0, row_ = 0,
         map_height_ = 0;
  double encoder_width_ = 0, cross_width_ = 0, decoder_width_ = 0;
  double encoder_x_ = 0, cross_x_ = 0, decoder_x_ = 0, base_ = 0;
  bool titled_ = true;
  Detail detail_ = Detail::all;
};

}  // namespace

std::string model_map_title(const Translator& tr, BlockKind block, int layer) {
  return tr.format("Layer {}", layer + 1) + " · " + block_title(tr, block);
}

std::string model_heads_title(const Translator& tr, const ModelPicture& picture) {
  const std::optional<int>& head = picture.maps.front().head;
  return head ? tr.format("Head {}", *head + 1) : std::string(tr("Mean over heads"));
}

std::optional<PointedWord> locked_word(const Scene& scene) {
  if (!scene.locked || !scene.block->cross()) return {};
  return PointedWord{false, scene.locked->cell.query};
}

Board model_board(const Scene& scene, const std::shared_ptr<const ModelPicture>& picture,
                  const std::optional<PointedWord>& pointed, const BoardStyle& style, double width,
                  double height, const Translator& tr) {
  if (picture->maps.empty()) return {};
  return ModelLayout(scene, picture, pointed, style, width, height, tr).draw();
}

void draw_whole_model(const FigurePen& pen, const Scene& scene, const Rect& area) {
  if (const char* none = no_model_picture(scene.trace.get()))
    return pen.centered(pen.tr(none), area, 1.3 * pen.style.font_size, pen.style.quiet);
  const BoardStyle style = board_style(pen.style, pen.shaper);
  draw_board(pen.canvas,
             model_board(scene, model_picture(scene.trace, scene.view), locked_word(scene), style, area.width,
                         area.height, pen.tr),
             area.x, area.y);
}

}  // namespace headscope
