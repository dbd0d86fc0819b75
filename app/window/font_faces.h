#pragma once
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/io/mapped_file.h"

typedef struct FT_FaceRec_* FT_Face;  // as FreeType declares it

namespace headscope {

/// The line that the interface is laid out in and its baseline, in em: one for all fonts, some of which leave
/// half as much room again between lines.
constexpr float line_em = 1.164F, baseline_em = 0.93F;

/// A face in a font file, open.
class FontFace {
 public:
  /// Throws Error if the file cannot be read as a scalable font.
  FontFace(const std::string& path, int index);
  ~FontFace();
  FontFace(const FontFace&) = delete;
  FontFace& operator=(const FontFace&) = delete;

  const MappedFile& file() const { return file_; }
  int index() const { return index_; }
  bool has(char32_t character) const;
  /// Columns of digits line up, and strokes are fitted to pixels.
  bool for_numbers() const;
  FT_Face get() const { return face_; }

 private:
  MappedFile file_;
  int index_;
  struct Library;
  std::unique_ptr<Library> library_;
  FT_Face face_ = nullptr;
};

/// The faces on this machine, as characters need them. Latin letters are the desktop's if its digits are
/// equally wide and its strokes are fitted to pixels; then the face for Simplified Chinese; then whichever
/// has the character.
class FontFaces {
 public:
  FontFaces();
  ~FontFaces();
  FontFaces(const FontFaces&) = delete;
  FontFaces& operator=(const FontFaces&) = delete;

  /// The face that draws it; nullptr: this machine has none, or it is a control character.
  FontFace* of(char32_t character);
  /// The one for Latin letters; nullptr: this machine has no font.
  FontFace* latin();
  const std::vector<std::unique_ptr<FontFace>>& opened() const { return faces_; }
  /// Takes characters that no other font has from this file, too. Returns whether it can be read as a font.
  bool add(const std::string& path);
  static bool is_font(const std::string& path);
  /// Characters that were asked for and that no face has.
  const std::set<char32_t>& missing() const { return missing_; }

 private:
  FontFace* open(const std::string& path, int index);
  FontFace* find_latin();
  FontFace* find(char32_t character);
  void find_first();

  struct Others;
  std::unique_ptr<Others> others_;  // every font of this machine, the best first
  std::vector<std::unique_ptr<FontFace>> faces_;
  std::map<std::pair<std::string, int>, FontFace*> opened_;
  FontFace* latin_ = nullptr;
  bool found_first_ = false;
  std::map<char32_t, FontFace*> known_;
  std::set<char32_t> missing_;
};

}  // namespace headscope
