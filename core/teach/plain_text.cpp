#include "core/teach/plain_text.h"

namespace headscope {
namespace {

void add_plain(const std::vector<TextBlock>& blocks, std::string& plain) {
  for (const TextBlock& block : blocks) {
    for (const TextSpan& span : block.spans)
      plain += span.kind == TextSpan::Kind::number                      ? "#"
               : span.kind == TextSpan::Kind::text && span.link.empty() ? span.text
                                                                        : "_";
    add_plain(block.children, plain);
    plain += block.kind == TextBlock::Kind::cell ? " | " : "\n";
  }
}

}  // namespace

std::string plain_text(const LessonText& text) {
  std::string plain;
  add_plain(text.blocks, plain);
  return plain;
}

}  // namespace headscope
