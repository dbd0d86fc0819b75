#include "core/figure/canvas/formats.h"

#include <zlib.h>

#include <algorithm>

#include "core/base/enum_table.h"
#include "core/base/error.h"
#include "core/base/translate.h"
#include "core/base/utf8.h"
#include "core/figure/canvas/canvas.h"
#include "core/figure/canvas/png_writer.h"
#include "core/io/compress.h"

namespace headscope {
namespace {

constexpr FigureFormatRow format_rows[] = {
    {FigureFormat::png, ".png", "PNG", TR("Bitmap: for slides and the web"), make_png_canvas, true},
    {FigureFormat::svg, ".svg", "SVG", TR("Vector graphics: for the web and drawing programs"),
     make_svg_canvas},
    {FigureFormat::pdf, ".pdf", "PDF", TR("Vector graphics: for papers"), make_pdf_canvas, false, writes_pdf},
};

}  // namespace

std::span<const FigureFormatRow> figure_formats() {
  return format_rows;
}

std::unique_ptr<Canvas> make_canvas(FigureFormat format, double width, double height, double dpi,
                                    TextShaper& shaper, const FigureMetadata& metadata) {
  return of_kind(format_rows, format).make_canvas(width, height, dpi, shaper, metadata);
}

namespace {

std::uint32_t number_at(std::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

Error damaged(const std::string& path, const char* format) {
  return input_error("{} is a damaged {}: its session cannot be read", path, format);
}

/// Takes what is before `end` from `text`, including `end`; nothing if `end` is not there.
std::optional<std::string_view> take_until(std::string_view& text, char end) {
  const std::size_t at = text.find(end);
  if (at == std::string_view::npos) return {};
  const std::string_view taken = text.substr(0, at);
  text.remove_prefix(at + 1);
  return taken;
}

/// The text of an iTXt chunk if it has our keyword. Throws if the keyword is ours and the rest is not
/// readable.
std::optional<std::string> session_in_itxt(std::string_view data, const std::string& path, Budget& budget) {
  if (take_until(data, '\0') != png_session_keyword) return {};
  if (data.size() < 2) throw damaged(path, "PNG");
  const bool packed = data[0] != 0;
  data.remove_prefix(2);
  if (!take_until(data, '\0') || !take_until(data, '\0')) throw damaged(path, "PNG");
  if (!packed) return std::string(data);
  std::size_t consumed = 0;
  auto text = decompressed(data, budget, consumed);
  if (!text) throw damaged(path, "PNG");
  return text;
}

std::optional<std::string> session_in_png(std::string_view bytes, const std::string& path, Budget& budget) {
  std::size_t at = png_signature.size();
  while (bytes.size() - at >= 12) {
    const std::size_t length = number_at(bytes, at);
    if (length > bytes.size() - at - 12) throw damaged(path, "PNG");
    const std::string_view chunk = bytes.substr(at + 4, length + 4);
    if (chunk.starts_with("iTXt")) {
      const auto sum = crc32_z(0, reinterpret_cast<const Bytef*>(chunk.data()), chunk.size());
      auto session = session_in_itxt(chunk.substr(4), path, budget);
      if (session && sum != number_at(bytes, at + 8 + length)) throw damaged(path, "PNG");
      if (session) return session;
    }
    if (chunk.starts_with("IEND")) return {};
    at += length + 12;
  }
  throw damaged(path, "PNG");  // it ends too early
}

std::string xml_unescaped(std::string_view text, const std::string& path) {
  constexpr std::pair<std::string_view, char> entities[] = {
      {"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&apos;", '\''}};
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] != '&') {
      result += text[i++];
      continue;
    }
    const auto* entity = std::find_if(std::begin(entities), std::end(entities),
                                      [&](const auto& e) { return text.substr(i).starts_with(e.first); });
    if (entity == std::end(entities)) throw damaged(path, "SVG");
    result += entity->second;
    i += entity->first.size();
  }
  return result;
}

std::optional<std::string> session_in_svg(std::string_view bytes, const std::string& path, Budget&) {
  const std::size_t begin = bytes.find("<headscope:session");
  if (begin == std::string_view::npos) {
    if (bytes.rfind("</svg>") == std::string_view::npos) throw damaged(path, "SVG");
    return {};
  }
  const std::size_t open = bytes.find('>', begin);
  const std::size_t close = bytes.find(svg_session_close, begin);
  if (open == std::string_view::npos || close == std::string_view::npos || close < open)
    throw damaged(path, "SVG");
  return xml_unescaped(bytes.substr(open + 1, close - open - 1), path);
}

std::optional<std::string> session_in_text(std::string_view bytes, const std::string& path,
                                           const char* format) {
  const std::size_t begin = bytes.find(pdf_session_prefix);
  if (begin == std::string_view::npos) return {};
  const std::string_view text = bytes.substr(begin + pdf_session_prefix.size());
  const std::size_t end = text.find(';');
  if (end == std::string_view::npos) throw damaged(path, format);
  // Writers may break a long string with a backslash at the end of a line.
  std::string packed;
  for (const char c : text.substr(0, end))
    if (c != '\\' && c != '\n' && c != '\r') packed += c;
  auto session = from_base64(packed);
  if (!session) throw damaged(path, format);
  return session;
}

/// Whether a stream may be zlib's: its first two bytes are checked by RFC 1950.
bool starts_like_zlib(std::string_view stream) {
  if (stream.size() < 2) return false;
  const unsigned head = static_cast<unsigned char>(stream[0]) * 256U + static_cast<unsigned char>(stream[1]);
  return (head >> 8 & 0xFU) == Z_DEFLATED && head % 31 == 0;
}

/// Whether the stream's dictionary at the end of `before` says that it is an image.
bool is_image(std::string_view before) {
  constexpr std::size_t longest = 512;
  before = before.substr(before.size() - std::min(before.size(), longest));
  const std::size_t begin = before.rfind(" obj");
  return begin != std::string_view::npos && before.find("/Image", begin) != std::string_view::npos;
}

std::optional<std::string> session_in_pdf(std::string_view bytes, const std::string& path, Budget& budget) {
  if (auto session = session_in_text(bytes, path, "PDF")) return session;
  // Other writers store the document's information in compressed streams.
  constexpr std::string_view word = "stream";
  constexpr std::size_t attempt = 512;  // the minimum cost of looking into one
  for (std::size_t at = bytes.find(word); at != std::string_view::npos; at = bytes.find(word, at)) {
    at += word.size();
    std::string_view stream = bytes.substr(at);
    if (stream.starts_with("\r\n"))
      stream.remove_prefix(2);
    else if (stream.starts_with("\n"))
      stream.remove_prefix(1);
    if (!starts_like_zlib(stream) || is_image(bytes.substr(0, at - word.size()))) continue;
    std::size_t consumed = 0;
    const auto text = decompressed(stream, budget, consumed);
    budget.charge(1, attempt + consumed);
    if (!text) continue;
    if (auto session = session_in_text(*text, path, "PDF")) return session;
    at = bytes.size() - stream.size() + consumed;
  }
  if (bytes.rfind("%%EOF") == std::string_view::npos) throw damaged(path, "PDF");
  return {};
}

/// A kind of file that may hold a session. PNG includes APNG.
struct SessionFile {
  bool (*starts)(std::string_view start);
  std::optional<std::string> (*session)(std::string_view bytes, const std::string& path, Budget& budget);
};
constexpr SessionFile session_files[] = {
    {[](std::string_view start) { return start.starts_with(png_signature); }, session_in_png},
    {[](std::string_view start) { return start.starts_with("%PDF-"); }, session_in_pdf},
    {[](std::string_view start) { return start.starts_with("GIF8"); },
     [](std::string_view bytes, const std::string& path, Budget&) {
       return session_in_text(bytes, path, "GIF");
     }},
    {[](std::string_view start) {
       return start.starts_with("RIFF") && start.substr(0, 12).ends_with("WEBP");
     },
     [](std::string_view bytes, const std::string& path, Budget&) {
       return session_in_text(bytes, path, "WebP");
     }},
    {[](std::string_view start) {
       constexpr std::size_t prolog = 4096;
       return start.substr(0, prolog).find("<svg") != std::string_view::npos;
     },
     session_in_svg},
};
const SessionFile* find_session_file(std::string_view start) {
  const auto found =
      std::ranges::find_if(session_files, [&](const SessionFile& row) { return row.starts(start); });
  return found == std::end(session_files) ? nullptr : &*found;
}

}  // namespace

std::string pdf_keywords(std::string_view session) {
  return std::string(pdf_session_prefix) + to_base64(session) + ";";
}

std::string xmp_packet(std::string_view title, std::string_view session) {
  const std::string keywords =
      session.empty()
          ? ""
          : " xmlns:pdf=\"http://ns.adobe.com/pdf/1.3/\" pdf:Keywords=\"" + pdf_keywords(session) + "\"";
  return "<?xpacket begin=\"\xef\xbb\xbf\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?><x:xmpmeta "
         "xmlns:x=\"adobe:ns:meta/\">"
         "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\"><rdf:Description rdf:about=\"\" "
         "xmlns:dc=\"http://purl.org/dc/elements/1.1/\"" +
         keywords + "><dc:title><rdf:Alt><rdf:li xml:lang=\"x-default\">" + xml_escaped(title) +
         "</rdf:li></rdf:Alt></dc:title></rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end=\"r\"?>";
}

std::string xml_escaped(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t begin = i;
    const std::int32_t c = next_code_point(text, i);
    if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else if (c == '&')
      result += "&amp;";
    else if (c == '"')
      result += "&quot;";
    else if ((c < 0x20 && c != '\t' && c != '\n') || c == 0xfffe || c == 0xffff)
      result += "\xef\xbf\xbd";
    else
      result += text.substr(begin, i - begin);
  }
  return result;
}

std::string session_json_in_figure(std::string_view bytes, const std::string& path) {
  Budget budget(path, bytes.size());
  return session_json_in_figure(bytes, path, budget);
}

bool starts_like_figure(std::string_view start) {
  return find_session_file(start) != nullptr;
}

std::string session_json_in_figure(std::string_view bytes, const std::string& path, Budget& budget) {
  const SessionFile* file = find_session_file(bytes);
  if (file == nullptr) throw input_error("{} is not a PNG, SVG, PDF, GIF or WebP", path);
  auto session = file->session(bytes, path, budget);
  if (!session)
    throw input_error("{} is a figure without a session: not made by Headscope, or its session was removed",
                      path);
  return std::move(*session);
}

}  // namespace headscope
