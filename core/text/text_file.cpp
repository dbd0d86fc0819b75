#include "core/text/text_file.h"

#include "core/base/error.h"
#include "core/base/utf8.h"
#include "core/io/file.h"

namespace headscope {

std::string read_text_file(const std::string& path) {
  constexpr std::size_t longest = std::size_t{64} << 20;
  std::string text = read_file(path, longest);
  if (const std::size_t position = find_invalid_utf8(text); position != std::string::npos)
    throw input_error("{}: byte {} is not valid UTF-8", path, position);
  if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);
  if (text.ends_with('\n')) text.pop_back();
  if (text.ends_with('\r')) text.pop_back();
  return text;
}

void check_sentence(std::string_view text) {
  constexpr std::size_t longest = std::size_t{1} << 30;  // bytes are counted in 32 bits, and texts can grow
  if (text.size() > longest)
    throw input_error("the sentence has {} bytes; expected at most {}", text.size(), longest);
  const std::size_t invalid = find_invalid_utf8(text);
  if (invalid != std::string_view::npos)
    throw input_error("the sentence is not valid UTF-8: byte {} (numbered from 0) is 0x{}", invalid,
                      fmt::format("{:02X}", static_cast<unsigned char>(text[invalid])));
}

}  // namespace headscope
