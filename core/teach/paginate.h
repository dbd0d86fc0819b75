#pragma once
#include <functional>
#include <span>
#include <vector>

namespace headscope {

class PdfPages;

/// What is drawn as a whole, never across pages.
struct PagePiece {
  double before = 0;  ///< space above it, except at the top of a page
  double height = 0;
  bool with_next = false;  ///< on the same page as the next one
  std::function<void(PdfPages& pages, double y)> draw = {};
  double baseline = 0;               ///< of a line of text, below its upper edge; 0: not a line of text
  bool part = false;                 ///< starts one: a step, the answers
  bool with_figure = false;          ///< on the page of the next one too, if a page holds all of a step
  double smallest = 1, largest = 1;  ///< a figure's scales: used to fill pages
  std::function<void(PdfPages& pages, double y, double scale)> draw_scaled = {};
  bool new_page = false;  ///< starts one
};

/// A piece at its place.
struct PlacedPiece {
  const PagePiece* piece;
  double y;
  double scale = 1;
};
using PlacedPage = std::vector<PlacedPiece>;

/// Lays out pieces one below the other between `top` and `bottom` of pages. If a page has no room for pieces
/// that stay together, its figures get smaller, or the next page begins; a figure for which that would leave
/// much of the page empty comes after its text. Spare room of a page then goes to its figures and between its
/// parts. If the last page, or the last before one that a piece begins, would be nearly empty, figures are
/// scaled down so that it is not needed, if they can be. The pieces must outlive it.
std::vector<PlacedPage> paginate(std::span<const PagePiece> pieces, double top, double bottom);

}  // namespace headscope
