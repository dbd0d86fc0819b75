#pragma once
#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/budget.h"
#include "core/figure/figure.h"
#include "core/figure/figure_size.h"
#include "core/inputs/sweep.h"
#include "core/model/run/sampling.h"
#include "core/session/session.h"
#include "core/source/write/trace_arrays.h"
#include "core/teach/handout.h"

namespace headscope {

/// What a command line requests, after its options are applied.
struct CommandRequest {
  Session session;
  FigureOptions figure;
  const FigureSize* size = nullptr;  ///< that of --size
  bool keep_session = true;          ///< in the written file
  bool caption = false;              ///< print a draft of it
  std::optional<Language> language;  ///< none: the system's
  std::string file;                  ///< FILE or --session, where the session came from
  bool lesson = false;               ///< `file` is a lesson, or a lesson's name
  std::string sessions;              ///< folder of those that `mark` reads
  bool folder = false;               ///< `file` is a folder, which `info` describes
  std::string output;
  std::string address;                  ///< of the page that a link leads to
  std::vector<std::string> read_files;  ///< named by options, in addition to the session's
  std::optional<std::string> handout;   ///< name or file of the lesson whose handout is to be written
  std::optional<Paper> paper;           ///< for the handout's pages
  bool answers = true;                  ///< whether the handout includes them
  std::optional<Sweep> sweep;           ///< over one input, to be written as an animation
  std::optional<int> delay;             ///< milliseconds per frame
  std::optional<Error> failed;          ///< why the window's FILE is not opened
  std::optional<Error> view_note;       ///< what the session's view names but is missing, so another is shown
  std::vector<std::string> given;       ///< the options on the line, as "--seed"
  bool inputs_given = false;            ///< any option changed the session
  bool layer_given = false, head_given = false, block_given = false;
  bool texts_given = false;    ///< --text
  bool vectors_given = false;  ///< --inputs
  bool mask_given = false;     ///< on the line, in place of the session's
  Budget masks{"--mask", 0};   ///< for the masks on the line, together
  bool json = false;
  bool families = false;  ///< list the families of models that are read
  bool time_first_frame = false;
  int threads = 0;
  bool profile = false, times_causes = false;  ///< for bench
  std::optional<int> tokens;                   ///< length of the long text to be timed
  std::optional<std::string> model;            ///< folder of the model to be timed; "" for random weights
  std::set<std::string> arrays;                ///< names of the arrays to write; empty: all
  std::optional<ArraySelection::Rows> queries;
  bool lens = false;                          ///< also print the logit lens, after each layer
  std::optional<std::string> contributions;   ///< the token whose logit contributions are printed
  std::optional<int> position;                ///< of that token; none: the last
  std::optional<std::string> other_sentence;  ///< of B, which is otherwise equal to A
  int max_tokens = 64;
  Sampling sampling;
  std::uint64_t sample_seed = 0;
  std::optional<int> query, key;  ///< of the cell whose arithmetic is printed; its head is the view's

  bool is_given(std::string_view option) const { return std::ranges::find(given, option) != given.end(); }
};

/// Whether attention rollout is shown or written.
inline bool wants_rollout(const CommandRequest& request) {
  return request.session.view.rollout.of != Rollout::off ||
         std::ranges::any_of(request.arrays,
                             [](const std::string& name) { return name.ends_with("rollout"); });
}

/// Whether the whole session was read from the file: then its errors are reported at the file.
inline bool comes_from_file(const CommandRequest& request) {
  return !request.file.empty() && !request.inputs_given;
}

/// Whether the path has the ending of an array file, as in array_readers().
bool is_array_file(const std::string& path);

/// From the root, so that a saved session means the same file from any directory.
std::string whole_path(const std::string& path);

/// The session in a link, or in a file: .json, or a figure written by Headscope; the notebook's session with
/// the model in a folder or the capture in an array file. Throws Error for anything else.
Session open_session(const std::string& path);

}  // namespace headscope
