#include "core/teach/paginate.h"

#include <algorithm>
#include <iterator>

namespace headscope {
namespace {

class Paginator {
 public:
  /// `figures`: the initial scale of figures.
  Paginator(double top, double bottom, double figures)
      : top_(top), bottom_(bottom), figures_(figures), y_(top) {}

  std::vector<PlacedPage> take(std::span<const PagePiece> pieces) {
    while (!pieces.empty()) {
      std::size_t count = with_figure(pieces);
      if (min_height(pieces.first(count)) > bottom_ - top_)
        count = together(pieces);
      else if (const std::size_t text = before_figure(pieces.first(count));
               text > 0 && text < count && wastes_much(pieces.first(count)) && fits(pieces.first(text)))
        count = text;
      place(pieces.first(count));
      pieces = pieces.subspan(count);
    }
    return std::move(pages_);
  }
  /// Used share of the last page.
  double last_share() const { return (y_ - top_) / (bottom_ - top_); }

 private:
  double scale_of(const PagePiece& piece) const {
    return piece.draw_scaled ? std::max(piece.smallest, figures_) : 1;
  }

  /// How many of them, from the first on, stay on one page.
  static std::size_t together(std::span<const PagePiece> pieces) {
    std::size_t count = 1;
    while (count < pieces.size() && pieces[count - 1].with_next) ++count;
    return count;
  }
  /// Including those of a figure; if that is more than a page holds, one more.
  std::size_t with_figure(std::span<const PagePiece> pieces) const {
    std::size_t count = 1;
    for (double height = pieces.front().smallest * pieces.front().height;
         count < pieces.size() && height <= bottom_ - top_ &&
         (pieces[count - 1].with_next || pieces[count - 1].with_figure);
         ++count)
      height += pieces[count].before + pieces[count].smallest * pieces[count].height;
    return count;
  }
  static double min_height(std::span<const PagePiece> pieces) {
    double height = -pieces.front().before;
    for (const PagePiece& piece : pieces) height += piece.before + piece.smallest * piece.height;
    return height;
  }

  static std::size_t before_figure(std::span<const PagePiece> pieces) {
    const auto figure =
        std::ranges::find_if(pieces, [](const PagePiece& piece) { return piece.draw_scaled != nullptr; });
    return figure - pieces.begin();
  }

  /// Whether the rest of the page has room for them.
  bool fits(std::span<const PagePiece> pieces) const {
    return y_ + (y_ > top_ ? pieces.front().before : 0) + min_height(pieces) <= bottom_;
  }
  /// Whether moving them to the next page would leave much of this one empty.
  bool wastes_much(std::span<const PagePiece> pieces) const {
    constexpr double much = 0.6;
    return y_ > top_ && bottom_ - y_ > much * (bottom_ - top_) && !fits(pieces);
  }

  /// If the rest of the page is too small figures get smaller, or the next page begins.
  void place(std::span<const PagePiece> pieces) {
    const auto before = [&] { return y_ > top_ ? pieces.front().before : 0; };
    if (y_ > top_ && !fits(pieces)) next_page();
    double height = -pieces.front().before + before(), spare = 0;
    for (const PagePiece& piece : pieces) {
      height += piece.before + scale_of(piece) * piece.height;
      spare += std::max(0.0, scale_of(piece) - piece.smallest) * piece.height;
    }
    const double over = y_ + height - bottom_,
                 share = over > 0 && spare > 0 ? std::min(1.0, over / spare) : 0;
    for (const PagePiece& piece : pieces) {
      const double scale = scale_of(piece) - share * std::max(0.0, scale_of(piece) - piece.smallest);
      if (y_ > top_) y_ += piece.before;
      // A group that no page holds continues on the next.
      if (y_ > top_ && y_ + scale * piece.height > bottom_ + 1e-6) next_page();
      pages_.back().push_back({&piece, y_, scale});
      y_ += scale * piece.height;
    }
  }

  void next_page() {
    fill();
    pages_.emplace_back();
    y_ = top_;
  }

  /// Spare room of a page goes to its figures, then between its parts.
  void fill() {
    PlacedPage& page = pages_.back();
    constexpr double max_between = 24;
    double left = bottom_ - y_, room = 0;
    int parts = 0;
    for (const PlacedPiece& one : page) {
      room += std::max(0.0, one.piece->largest - one.scale) * one.piece->height;
      parts += one.piece->part && &one != &page.front();
    }
    const double share = room > 0 ? std::clamp(left / room, 0.0, 1.0) : 0;
    left -= share * room;
    const double between = parts > 0 ? std::clamp(left / parts, 0.0, max_between) : 0;
    double down = 0;
    for (PlacedPiece& one : page) {
      if (one.piece->part && &one != &page.front()) down += between;
      one.y += down;
      const double more = share * std::max(0.0, one.piece->largest - one.scale);
      one.scale += more;
      down += more * one.piece->height;
    }
  }

  double top_, bottom_, figures_, y_;
  std::vector<PlacedPage> pages_ = std::vector<PlacedPage>(1);
};

}  // namespace

std::vector<PlacedPage> paginate(std::span<const PagePiece> pieces, double top, double bottom) {
  constexpr double nearly_empty = 0.3;
  std::vector<PlacedPage> all;
  while (!pieces.empty()) {
    const auto next =
        std::find_if(pieces.begin() + 1, pieces.end(), [](const PagePiece& one) { return one.new_page; });
    const auto part = pieces.first(next - pieces.begin());
    pieces = pieces.subspan(part.size());
    std::vector<PlacedPage> best;
    double best_share = 0;
    for (const double figures : {1.0, 0.94, 0.88, 0.82, 0.76}) {
      Paginator paginator(top, bottom, figures);
      std::vector<PlacedPage> pages = paginator.take(part);
      const double share = paginator.last_share();
      if (best.empty() || pages.size() < best.size() || (pages.size() == best.size() && share > best_share)) {
        best = std::move(pages);
        best_share = share;
      }
      if (best.size() == 1 || best_share >= nearly_empty) break;
    }
    std::ranges::move(best, std::back_inserter(all));
  }
  return all.empty() ? std::vector<PlacedPage>(1) : std::move(all);
}

}  // namespace headscope
