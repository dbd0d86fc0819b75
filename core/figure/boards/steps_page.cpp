#include "core/figure/boards/steps_page.h"

#include <algorithm>
#include <cmath>

#include "core/analysis/arithmetic_stages.h"
#include "core/analysis/attention_cost.h"
#include "core/analysis/streamed_softmax.h"
#include "core/base/utf8.h"
#include "core/figure/boards/board_column.h"
#include "core/figure/boards/cost_board.h"
#include "core/figure/boards/formula.h"
#include "core/figure/boards/steps_board.h"
#include "core/scene/readable_numbers.h"
#include "core/text/token_label.h"

namespace headscope {
namespace {

constexpr const char* stage_prefix = "block ";

/// The first few numbers of a vector.
std::string start_of(const Eigen::RowVectorXd& vector, Index maximum = 3, int decimals = 4) {
  std::string text;
  for (Index i = 0; i < std::min(maximum, vector.size()); ++i)
    text += (i > 0 ? "  " : "") + printed(vector[i], decimals);
  return text + (vector.size() > maximum ? "  …" : "");
}

std::string token(const BlockTrace& block, Index key) {
  return token_label(block.key_tokens[key].text);
}

std::string keys_of(const BlockTrace& block, const StreamedBlock& part, double room,
                    const BoardStyle& style) {
  const std::string numbers =
      part.end - part.begin == 1 ? std::to_string(part.end) : fmt::format("{}–{}", part.begin + 1, part.end);
  std::string text = numbers + "  " + token(block, part.begin);
  if (part.end - part.begin > 1)
    text += (part.end - part.begin > 2 ? " … " : " ") + token(block, part.end - 1);
  return shortened(text, room, style.font_size, style);
}

/// The running state as printed: each number follows from the printed ones before it.
struct PrintedBlock {
  double rescale = 1, sum = 0;
};
std::vector<PrintedBlock> printed_blocks(const StreamedRow& row, int decimals) {
  std::vector<PrintedBlock> blocks;
  PrintedBlock now;
  for (std::size_t i = 0; i < row.blocks.size(); ++i) {
    const StreamedBlock& part = row.blocks[i];
    const double before = i == 0 ? part.maximum : row.blocks[i - 1].maximum;
    now.rescale =
        std::isinf(before)
            ? as_read(part.rescale, decimals)
            : as_read(std::exp(as_read(before, decimals) - as_read(part.maximum, decimals)), decimals);
    now.sum = as_read((i == 0 ? 0 : now.rescale * now.sum) + as_read(part.block_sum, decimals), decimals);
    blocks.push_back(now);
  }
  return blocks;
}

/// The decimals at which the printed state is also correct, and so is the final context.
int decimals_of(const StreamedRow& row) {
  constexpr int minimum = 4, maximum = 8;
  for (int decimals = minimum; decimals < maximum; ++decimals) {
    const std::vector<PrintedBlock> blocks = printed_blocks(row, decimals);
    bool hold = true;
    for (std::size_t i = 0; i < blocks.size(); ++i)
      hold &= blocks[i].sum == as_read(row.blocks[i].sum, decimals) &&
              (i == 0 || blocks[i].rescale == as_read(row.blocks[i].rescale, decimals));
    const StreamedBlock& last = row.blocks.back();
    for (Index c = 0; c < std::min<Index>(row.context.size(), 3) && last.sum > 0; ++c)
      hold &= as_read(as_read(last.context[c], decimals) / blocks.back().sum) == as_read(row.context[c]);
    if (hold) return decimals;
  }
  return maximum;
}

/// The running state, one line per block; later ones are empty. `maximum` numbers of a context.
BoardTable running_sums(const BlockTrace& block, const StreamedRow& row, int shown, const BoardStyle& style,
                        const Translator& tr, Index maximum = 3) {
  BoardTable table;
  table.titles = {tr("Keys"), tr("block's max"), "m", "exp(m − m′)", tr("block's Σ exp"), "ℓ", "o"};
  const auto count = static_cast<int>(row.blocks.size());
  const int decimals = decimals_of(row);
  const std::vector<PrintedBlock> blocks = printed_blocks(row, decimals);
  for (int i = 0; i < count; ++i) {
    const PrintedBlock& now = blocks[i];
    const StreamedBlock& part = row.blocks[i];
    std::vector<std::string> texts{keys_of(block, part, 14 * style.font_size, style)};
    if (i < shown)
      for (const std::string& text :
           {printed(part.block_max, decimals), printed(part.maximum, decimals),
            i == 0 ? std::string("–") : printed(now.rescale, decimals), printed(part.block_sum, decimals),
            printed(now.sum, decimals), start_of(part.context, maximum, decimals)})
        texts.push_back(text);
    texts.resize(table.titles.size());
    table.rows.push_back(std::move(texts));
  }
  table.marked = shown - 1;
  return table;
}

/// The present block and the one before it, side by side, for a narrow page.
BoardTable last_two(const BoardTable& table, int shown) {
  const std::size_t from = std::max(0, shown - 2);
  const std::size_t to = std::min(from + 2, table.rows.size());
  BoardTable rotated;
  for (std::size_t column = 0; column < table.titles.size(); ++column) {
    std::vector<std::string> row{table.titles[column]};
    for (std::size_t block = from; block < to; ++block) row.push_back(table.rows[block][column]);
    column == 0 ? rotated.titles = std::move(row) : rotated.rows.emplace_back(std::move(row));
  }
  return rotated;
}

void draw_end(const BlockTrace& block, const StreamedRow& row, BoardColumn& column, const Translator& tr) {
  const StreamedBlock& last = row.blocks.back();
  column.heading(tr("The end"));
  if (last.sum == 0) {
    column.paragraph(tr("This query has no key to attend to: ℓ stays 0, and weights and context are 0."));
  } else {
    column.paragraph(tr("context = o / ℓ = {}", start_of(row.context)));
    column.paragraph(tr("weights = exp(s − m) / ℓ = {}", start_of(row.weights)));
  }
  const std::string check = row.agrees() ? "✓ " : "≠ ";
  column.paragraph(
      check + tr("The same as the softmax of the whole row at once: largest difference of a weight {}, of "
                 "the context {}.",
                 printed_difference(row.weight_difference), printed_difference(row.context_difference)));
  constexpr double many = 4096;
  const double whole = static_cast<double>(block.n_k()) * sizeof(float);
  const double streamed = static_cast<double>(std::min(row.block_size, block.n_k()) + 2) * sizeof(float);
  column.note(tr(
      "Memory for this row: {} for all its weights, which grows with the sentence, to {} at 4,096 keys; {} "
      "for a block's, m and ℓ, which does not. The context is needed either way.",
      printed_bytes(whole), printed_bytes(many * sizeof(float)), printed_bytes(streamed)));
}

}  // namespace

int streamed_blocks(const BlockTrace& block) {
  return static_cast<int>(block_count(block.n_k(), sensible_block(block.n_k())));
}

std::string streaming_stage(int blocks) {
  return stage_prefix + std::to_string(blocks);
}

std::optional<int> streaming_blocks(const std::string& stage) {
  if (!stage.starts_with(stage_prefix)) return {};
  const std::string number = stage.substr(std::string_view(stage_prefix).size());
  // With the maximum number of keys a block number has four digits.
  const bool digits =
      !number.empty() && number.size() <= 4 && number.find_first_not_of("0123456789") == std::string::npos;
  return digits ? std::optional(std::stoi(number)) : std::nullopt;
}

int blocks_of_stage(const std::string& stage, int maximum) {
  return std::clamp(streaming_blocks(stage).value_or(maximum), 1, std::max(1, maximum));
}

bool is_stage(const std::string& name) {
  return std::ranges::count(stage_names(), name) != 0 || streaming_blocks(name) || is_cost_section(name);
}

Board streaming_board(const BlockTrace& block, const StreamedPlace& place, int blocks,
                      const BoardStyle& style, double width, const Translator& tr) {
  const StreamedRow row =
      streamed_softmax(block, place.layer, place.head, place.query, sensible_block(block.n_k()));
  const auto count = static_cast<int>(row.blocks.size());
  const int shown = std::clamp(blocks, 1, count);
  BoardColumn column(style, width, tr);
  column.heading(tr("The softmax of a row, streamed"));
  column.paragraph(
      tr.plural("Head {}, query “{}”: its {} key comes in one block of {}. After each block only three "
                "things are kept: the largest score m, the sum ℓ and the unfinished context o.",
                "Head {}, query “{}”: its {} keys come in blocks of {}. After each block only three things "
                "are kept: the largest score m, the sum ℓ and the unfinished context o.",
                block.n_k(), place.head + 1, token_label(cut_off(block.tokens[place.query].text, 40)),
                block.n_k(), row.block_size));
  column.gap(0.5);
  const char* formulas[] = {
      R"(m' = \max(m, \max_j s_j))",
      R"(\ell' = \color{accent}{e^{m - m'}} \ell + \sum_j e^{s_j - m'})",
      R"(o' = \color{accent}{e^{m - m'}} o + \sum_j e^{s_j - m'} v_j)",
  };
  column.parts_in_rows(3, 17 * style.font_size, [&](int i, double) {
    return formula_board(formulas[i], style, 1.15 * style.font_size);
  });
  column.note(
      tr("A block with a larger score makes all before it too large: exp(m − m′) takes that back. s are the "
         "scores "
         "after mask and temperature."));
  column.gap(0.6);
  const double top = column.bottom();
  BoardTable table = running_sums(block, row, shown, style, tr);
  if (!column.fits(table)) table = last_two(table, shown);
  for (Index maximum = 2; maximum > 0 && !column.fits(table); --maximum)
    table = last_two(running_sums(block, row, shown, style, tr, maximum), shown);
  column.table(table);
  column.region(result_region, top);
  if (shown < count)
    column.note(tr("Block {} of {}.", shown, count));
  else
    draw_end(block, row, column, tr);
  column.region(present_region, top);
  column.gap(0.6);
  column.note(
      tr("Milakov and Gimelshein 2018, Online normalizer calculation for softmax; Dao et al. 2022, "
         "FlashAttention"));
  return column.take();
}

Board steps_page_board(const Scene& scene, const BoardStyle& style, double width, const Translator& tr) {
  if (scene.view.steps.page == StepsPage::cost) {
    if (scene.trace == nullptr) return {};
    Board board = cost_board(*scene.trace, *scene.block, scene.view.layer, style, width, tr);
    const auto section =
        std::ranges::find(board.regions, cost_section(scene.view.steps.stage), &BoardRegion::name);
    if (section != board.regions.end()) {
      const Rect rect = section->rect;
      board.regions.push_back({rect, present_region, ""});
      board.regions.push_back({rect, result_region, ""});
    }
    return board;
  }
  // A source with maps only has nothing to stream.
  if (static_cast<std::size_t>(scene.view.layer) >= scene.block->layers.size()) return {};
  const CellPlace cell = steps_cell(scene);
  const int blocks = blocks_of_stage(scene.view.steps.stage, streamed_blocks(*scene.block));
  return streaming_board(*scene.block, {cell.layer, cell.head, cell.query}, blocks, style, width, tr);
}

void draw_steps_page(const FigurePen& pen, const Scene& scene, const Rect& area) {
  BoardStyle style = board_style(pen.style, pen.width);
  // Smaller text breaks lines differently: there is no formula for the size that fits. A page with spare room
  // gets larger text.
  style.font_size *= 1.35;
  Board board = steps_page_board(scene, style, area.width, pen.tr);
  for (int tries = 0; tries < 60 && board.height > area.height; ++tries) {
    style.font_size *= std::clamp(std::sqrt(area.height / board.height), 0.7, 0.97);
    board = steps_page_board(scene, style, area.width, pen.tr);
  }
  draw_board(pen.canvas, board, area.x, area.y);
}

}  // namespace headscope
