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

}  // namespace headscope
