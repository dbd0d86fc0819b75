#include "core/figure/animation/animation.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/base/error.h"
#include "core/base/utf8.h"
#include "core/figure/animation/animation_writer.h"
#include "core/figure/boards/color_palette.h"
#include "core/figure/boards/draw_view.h"
#include "core/figure/figure_size.h"
#include "core/figure/page.h"
#include "core/figure/text/figure_font.h"
#include "core/io/formats.h"
#include "core/scene/range.h"
#include "core/scene/thumbnails.h"
#include "core/scene/view_kinds.h"

namespace headscope {
namespace {

constexpr AnimationFormatRow animation_rows[] = {
    {".gif", "GIF", make_gif_writer, 65535, 255},  // one is reserved for unpainted pixels
    {".webp", "WebP", make_webp_writer, 16383, 0},
    {".apng", "APNG", make_apng_writer, FigureLimits::max_pixels, 0},
};

void check_size(const FigureOptions& options, const AnimationFormatRow& format) {
  validate(options, true);
  const double width = std::round(options.width * options.dpi),
               height = std::round(*options.height * options.dpi);
  if (std::max(width, height) > format.max_pixels)
    throw input_error("{} × {} pixels are too many for {}; expected at most {} to a side", width, height,
                      format.name, format.max_pixels);
  const double megapixels = width * height / 1e6;
  if (megapixels > AnimationLimits::max_megapixels)
    throw input_error("{} × {} inches at {} dpi is {} megapixels; expected at most {}",
                      fmt::format("{:.3g}", options.width), fmt::format("{:.3g}", *options.height),
                      options.dpi, static_cast<std::int64_t>(megapixels), AnimationLimits::max_megapixels);
}

/// The range that all maps of a scene share under Range::shared and logarithm.
ColorRange range_of(const Scene& scene) {
  if (scene.view.row().thumbnails()) {
    constexpr Index cells = 512;
    return shared_range(all_ranges(*make_thumbnails(scene.block, scene.view.filter, scene.view.range, cells)))
        .value_or(ColorRange{});
  }
  const auto range = [&](const std::shared_ptr<const BlockTrace>& block) {
    const int layer = std::clamp(scene.view.layer, 0, std::max(0, block->layer_count() - 1));
    const auto shown = filter_layer(block, layer, scene.view.filter, heads_in_view(scene));
    const std::vector<ColorRange> ranges = color_ranges(*shown, scene.view.range);
    return ranges.empty() ? ColorRange{} : ranges.front();
  };
  ColorRange all = range(scene.block);
  if (scene.view.row().compares && scene.other != nullptr) {
    const ColorRange other = range(scene.other);
    all.low = std::min(all.low, other.low);
    all.high = std::max(all.high, other.high);
  }
  return all;
}

bool follows_weights(const View& view) {
  if (!view.row().maps()) return false;
  if (view.row().cells == CellsAs::lines) return !is_per_head(view.range.kind);
  return is_over_heads(view.range.kind);
}

/// Draws the frames of an animation, after a first pass that finds what they have in common.
class Frames {
 public:
  Frames(const Animation& animation, const FigureOptions& options, const AnimationFormatRow& format)
      : animation_(animation), options_(options), tight_(options.tight), colors_(format.colors) {
    options_.tight = false;
    options_.extras.legend = false;  // its room would come and go with the numbers
    if (options_.height) check_size(options_, format);
    const View view = animation.frame(0).scene.view;
    const bool measures = !options_.height || follows_weights(view);
    if (colors_ != 0) samples_ = {0, animation.frames / 2, animation.frames - 1};
    steps_ =
        animation.frames * (1 + (measures ? 1 : 0) + (tight_ ? 1 : 0)) + static_cast<int>(samples_.size());
    if (measures) measure();
    check_size(options_, format);
    if (tight_) find_cut();
    title_ = printable(figure_title(animation.frame(0).scene, Translator(options.language)));
  }

  Picture draw(int index) {
    const AnimationFrame frame = captioned(index);
    const Page page = this->page(frame.scene);
    Picture picture = draw_picture(page.width(), page.height(), options_.dpi, shaper_,
                                   [&](Canvas& canvas) { page.draw(canvas); });
    step();
    return picture;
  }

  /// From some frames and from the colours that others may use.
  std::vector<Rgb> palette() {
    if (colors_ == 0) return {};
    ColorCount count;
    std::uint64_t pixels = 0;
    for (const int i : samples_) {
      const Picture picture = draw(i);
      pixels += picture.rgba.size() / 4;
      count.add(picture);
    }
    constexpr std::uint64_t share = 2048;  // of each of 256 colours: an eighth of the picture in all
    const View view = animation_.frame(0).scene.view;
    for (const Rgb color : colors(view.colormap)) count.add(color, 1 + pixels / share);
    if (view.row().compares || cell_value(view.cells).is_signed)
      for (const Rgb color : diverging_colors(view.theme)) count.add(color, 1 + pixels / share);
    return count.palette(colors_);
  }

  const std::string& title() const { return title_; }
  /// Characters that no font has.
  const std::set<char32_t>& missing() const { return shaper_.missing(); }

 private:
  void step() { animation_.progress(++done_, steps_); }

  AnimationFrame captioned(int index) const {
    AnimationFrame frame = animation_.frame(index);
    View& view = frame.scene.view;
    const std::string title = figure_title(frame.scene, Translator(options_.language));
    view.title = title.empty() ? frame.caption : title + " · " + frame.caption;
    return frame;
  }

  Page page(const Scene& scene) {
    Page page(scene, options_, shaper_, false, range_);
    if (cut_) page.cut_to(*cut_);
    return page;
  }

  void measure() {
    double height = 0;
    for (int i = 0; i < animation_.frames; ++i, step()) {
      const Scene scene = animation_.frame(i).scene;
      if (!options_.height) height = std::max(height, figure_height(scene, options_));
      if (!follows_weights(scene.view) || scene.empty()) continue;
      const ColorRange now = range_of(scene);
      ColorRange& all = range_ ? *range_ : range_.emplace(now);
      all.low = std::min(all.low, now.low);
      all.high = std::max(all.high, now.high);
    }
    options_.keep_width = options_.keep_width || !options_.height;
    if (!options_.height) options_.height = height;
    if (range_ && range_->logarithm) range_->low = std::max(range_->low, 1e-4F * range_->high);
  }

  /// The part of the page that contains what any frame draws.
  void find_cut() {
    FigureOptions tight = options_;
    tight.tight = true;
    for (int i = 0; i < animation_.frames; ++i, step()) {
      const AnimationFrame frame = captioned(i);
      const Rect now = Page(frame.scene, tight, shaper_, false, range_).cut();
      const Rect all = cut_.value_or(now);
      const double x = std::min(all.x, now.x), y = std::min(all.y, now.y);
      cut_ = {x, y, std::max(all.right(), now.right()) - x, std::max(all.bottom(), now.bottom()) - y};
    }
  }

  const Animation& animation_;
  FigureOptions options_;
  bool tight_;
  std::size_t colors_;
  std::set<int> samples_;
  std::optional<ColorRange> range_;
  std::optional<Rect> cut_;
  TextShaper shaper_{options_.font};
  std::string title_;
  int done_ = 0, steps_ = 0;
};

}  // namespace

std::span<const AnimationFormatRow> animation_formats() {
  return animation_rows;
}

int usual_milliseconds(int frames) {
  constexpr int whole = 4000;
  return std::clamp(whole / std::max(frames, 1) / 10 * 10, 40, 800);
}

void export_animation(const std::string& path, const Animation& animation, const std::string& metadata,
                      const FigureOptions& options) {
  const AnimationFormatRow& format = expect_format(animation_formats(), path);
  expect_writable(path);
  Frames frames(animation, options, format);
  AnimationHead head;
  head.palette = frames.palette();
  head.frames = animation.frames;
  head.dpi = options.dpi;
  // The title may be the sentence itself.
  const bool says_title = !metadata.empty() && !frames.title().empty();
  head.metadata = {says_title ? frames.title() : "Headscope", metadata};
  std::unique_ptr<AnimationWriter> writer;
  for (int i = 0; i < animation.frames; ++i) {
    const Picture picture = frames.draw(i);
    if (writer == nullptr) {
      head.width = picture.width;
      head.height = picture.height;
      writer = format.make_writer(head);
    }
    constexpr int rest = 1000;
    writer->add(picture, animation.milliseconds + (i + 1 == animation.frames ? rest : 0));
  }
  expect_letters(frames.missing());
  write_file(path, writer->finish());
}

}  // namespace headscope
