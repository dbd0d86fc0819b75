#pragma once
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/base/budget.h"
#include "core/figure/figure.h"
#include "core/inputs/sweep.h"
#include "core/model/sampling.h"
#include "core/session/session.h"
#include "core/source/write/trace_arrays.h"
#include "core/teach/paper.h"

namespace headscope {

/// What a command line asks for, once its options are applied.
struct CommandRequest {
  Session session;
  FigureOptions figure;
  bool keep_session = true;          ///< in the file that is written
  std::optional<Language> language;  ///< none: the system's
  std::string file;                  ///< FILE or --session, where the session came from
  bool lesson = false;               ///< `file` is a lesson, or the name of one
  bool folder = false;               ///< `file` is a folder, which `info` describes
  std::string output;
  std::vector<std::string> read_files;  ///< that options name, beside those of the session
  std::optional<std::string> handout;   ///< the lesson, by its name or file, of which one is to be written
  std::optional<Paper> paper;           ///< of its pages
  bool answers = true;                  ///< in it
  std::optional<Sweep> sweep;           ///< of an input, to be written as an animation
  std::optional<int> delay;             ///< milliseconds from frame to frame
  std::optional<Error> failed;          ///< why the FILE of the window is not opened
  std::optional<Error> view_note;       ///< what of the session's view there is not, so that another is shown
  std::vector<std::string> given;       ///< the options on the line, as "--seed"
  bool inputs_given = false;            ///< any option changed the session
  bool layer_given = false, head_given = false, block_given = false;
  bool vectors_given = false;  ///< --inputs
  bool mask_given = false;     ///< on the line, in place of the session's
  Budget masks{"--mask", 0};   ///< of those, all together
  bool json = false;
  bool time_first_frame = false;
  int threads = 0;
  bool with_neighbour = false, profile = false;  ///< of bench
  std::optional<int> tokens;                     ///< of a long text to be timed
  std::optional<std::string> model;              ///< the folder of a model to be timed; "" for random weights
  std::set<std::string> arrays;                  ///< those that are written; empty: all
  std::optional<ArraySelection::Rows> queries;
  bool lens = false;                         ///< what a model expects after each layer, too
  std::optional<std::string> contributions;  ///< of a model's parts to the logit of this token
  std::optional<int> position;               ///< at which; none: the last
  int max_tokens = 64;
  Sampling sampling;
  std::uint64_t sample_seed = 0;
  std::optional<int> query, key;  ///< of the cell whose arithmetic is asked for; its head is the view's
};

/// Whether all that the session holds was read from the file: what is wrong with it is wrong there.
inline bool comes_from_file(const CommandRequest& request) {
  return !request.file.empty() && !request.inputs_given;
}

/// Whether it is a file of arrays by its ending, as in array_readers().
bool is_array_file(const std::string& path);

/// Throws Error (input) for what is not the folder of a trained model at first sight.
void expect_model_folder(const std::string& path);

/// The session in a file: .json, or a figure that Headscope made; the notebook's with the model in a folder
/// or the capture in a file of arrays. Throws Error for anything else.
Session open_session(const std::string& path);

}  // namespace headscope
