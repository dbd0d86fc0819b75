#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace headscope {

/// A QR code (ISO/IEC 18004).
struct QrCode {
  static constexpr int quiet = 4;  ///< modules around it that stay white

  int size = 0;                 ///< modules, without the quiet zone
  std::vector<bool> modules{};  ///< row by row; true: dark
  bool operator==(const QrCode&) const = default;
  bool is_dark(int x, int y) const { return modules[static_cast<std::size_t>(y) * size + x]; }
};

/// Of these bytes, with error correction M, or L where they have no room beside that. Throws Error (input) if
/// there are more than a QR code holds.
QrCode qr_code(const std::string& text);

/// As a file of the format that the path ends in: .svg or .png. Throws Error (input) for another.
std::string qr_file(const QrCode& code, const std::string& path);
const std::vector<std::string>& qr_endings();

}  // namespace headscope
