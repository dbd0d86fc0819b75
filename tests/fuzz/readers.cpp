#include "tests/fuzz/readers.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/arithmetic_stages.h"
#include "core/analysis/statistics.h"
#include "core/base/error.h"
#include "core/figure/canvas/formats.h"
#include "core/io/safetensors_reader.h"
#include "core/model/config/parse_config.h"
#include "core/model/weights/model_files.h"
#include "core/picture/picture.h"
#include "core/picture/picture_processor.h"
#include "core/session/session.h"
#include "core/source/capture/capture_source.h"
#include "core/source/engine/engine.h"
#include "core/teach/library.h"
#include "core/text/tokenizer/sentence_piece.h"
#include "core/text/tokenizer/tokenizer.h"
#include "tests/support/read_arrays.h"

namespace headscope::fuzz {
namespace {

namespace fs = std::filesystem;

/// For readers that need a path: one file reused for every input of this process, in memory if possible.
class FedFile {
 public:
  FedFile(std::string_view bytes, const char* ending) {
    std::error_code error;
    const fs::path folder = fs::is_directory("/dev/shm", error) ? "/dev/shm" : fs::temp_directory_path();
    path = (folder / fmt::format("headscope-fuzz-{}{}", getpid(), ending)).string();
    std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }
  ~FedFile() {
    std::error_code ignored;
    fs::remove(path, ignored);
  }
  FedFile(const FedFile&) = delete;
  FedFile& operator=(const FedFile&) = delete;

  std::string path;
};

/// Both outcomes end here, each reader separately.
template <typename Read>
void attempt(const Read& read) {
  try {
    read();
  } catch (const Error&) {
  }
}

void read_safetensors_bytes(std::string_view bytes) {
  const FedFile file(bytes, ".safetensors");
  attempt([&] { list_arrays(file.path); });
  attempt([&] { tests::read_arrays(file.path); });
  attempt([&] {
    const WeightFiles weights = WeightFiles::open_file(file.path);
    for (const auto& [name, view] : weights.tensors()) {
      std::vector<float> values(static_cast<std::size_t>(view.size()));
      attempt([&, &tensor = view] { copy_as_float(tensor, values.data(), "a tensor"); });
    }
  });
}

void read_gguf_bytes(std::string_view bytes) {
  const FedFile file(bytes, ".gguf");
  attempt([&] { read_config(file.path); });
  attempt([&] { ModelFiles::open(file.path)->tokenizer().encode("The animal"); });
  attempt([&] {
    const WeightFiles weights = ModelFiles::open(file.path)->weights();
    for (const auto& [name, view] : weights.tensors()) {
      if (view.dtype == Dtype::other) continue;
      std::vector<float> values(static_cast<std::size_t>(view.size()));
      copy_as_float(view, values.data(), "a tensor");
    }
  });
}

void read_npz_bytes(std::string_view bytes) {
  if (bytes.starts_with("\x93NUMPY")) {
    const FedFile file(bytes, ".npy");
    attempt([&] { list_npy(file.path); });
    return attempt([&] { read_npy(file.path); });
  }
  const FedFile file(bytes, ".npz");
  attempt([&] { list_arrays(file.path); });
  attempt([&] { tests::read_arrays(file.path); });
}

// A text, a zero byte, a tokenizer.json; or only that.
void read_tokenizer_bytes(std::string_view bytes) {
  const std::size_t zero = bytes.find('\0');
  const std::string_view json = zero == std::string_view::npos ? bytes : bytes.substr(zero + 1);
  attempt([&] {
    const Tokenizer tokenizer = Tokenizer::from_json(json, "tokenizer.json");
    std::vector<std::string> texts{"The cat's 3.14 猫 \xF0\x9F\x98\x80  [MASK]\n\tÀ ﬁ"};
    if (zero != std::string_view::npos) texts.emplace_back(bytes.substr(0, zero));
    for (const std::string& text : texts)
      attempt([&] {
        const Encoding encoding = tokenizer.encode(text, std::string_view("a pair"));
        for (const EncodedToken& token : encoding.tokens) tokenizer.shown(token.id);
        tokenizer.decode(encoding.ids());
        tokenizer.words(encoding, text, std::string_view("a pair"));
      });
  });
}

void read_piece_bytes(std::string_view bytes) {
  Budget budget("spm.model", bytes.size());
  attempt([&] { tokenizers::read_sentence_pieces(bytes, "spm.model", budget); });
}

void read_config_bytes(std::string_view bytes) {
  attempt([&] { parse_config(bytes, "config.json"); });
  attempt([&] { parse_picture_processor(bytes, "preprocessor_config.json", "ViTImageProcessor"); });
}

void read_session_bytes(std::string_view bytes) {
  attempt([&] {
    // What is read can be written and read again.
    const Session session = session_from_json(bytes, "session.json");
    std::string json;
    attempt([&] { json = to_json(session); });
    if (!json.empty() && !(session_from_json(json, "again.json") == session)) std::abort();
  });
}

void read_figure_bytes(std::string_view bytes) {
  attempt([&] { session_from_json(session_json_in_figure(bytes, "figure"), "figure"); });
}

void read_picture_bytes(std::string_view bytes) {
  const FedFile file(bytes, ".png");
  attempt([&] { read_picture(file.path); });
}

void read_capture_bytes(std::string_view bytes) {
  const FedFile file(bytes, bytes.starts_with("PK") ? ".npz" : ".safetensors");
  static Engine engine(1);
  attempt([&] {
    const auto source = CaptureSource::open(file.path);
    Inputs inputs;
    inputs.capture = file.path;
    const int count = std::min(2, static_cast<int>(source->about().capture->sequences().size()));
    for (; inputs.sequence < count; ++inputs.sequence) {
      const auto trace = source->run(inputs, {}, engine.context(), {});
      for (const BlockTrace& block : trace->blocks) {
        block.layer(0);
        if (block.n_q() * block.n_k() > 4096) continue;
        block.maps->maps(0, std::vector{0});
        block.maps->score(0, 0, 0, 0);
        block.extent(0, 0);
        if (has_arithmetic(block, 0)) arithmetic_stages(*trace, block, {}, {}, Translator());
      }
    }
  });
}

void read_lesson_bytes(std::string_view bytes) {
  attempt([&] { read_lesson(bytes, "lesson.md"); });
}

void read_course_bytes(std::string_view bytes) {
  attempt([&] { read_course(bytes, "a.course.md", lessons_beside("a.course.md")); });
}

constexpr FuzzedReader readers[] = {
    {"safetensors", read_safetensors_bytes}, {"gguf", read_gguf_bytes},     {"npz", read_npz_bytes},
    {"tokenizer", read_tokenizer_bytes},     {"pieces", read_piece_bytes},  {"config", read_config_bytes},
    {"session", read_session_bytes},         {"figure", read_figure_bytes}, {"picture", read_picture_bytes},
    {"capture", read_capture_bytes},         {"lesson", read_lesson_bytes}, {"course", read_course_bytes}};

}  // namespace

std::span<const FuzzedReader> fuzzed_readers() {
  return readers;
}

bool feed(std::string_view name, std::string_view bytes) {
  const auto found = std::ranges::find(
      readers, name, [](const FuzzedReader& reader) { return std::string_view(reader.name); });
  if (found == std::end(readers)) return false;
  found->read(bytes);
  return true;
}

}  // namespace headscope::fuzz
