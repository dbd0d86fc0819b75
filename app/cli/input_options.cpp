#include <algorithm>
#include <filesystem>

#include "app/cli/options.h"
#include "app/cli/values.h"
#include "core/inputs/fields.h"
#include "core/inputs/head_places.h"
#include "core/inputs/mask_kinds.h"
#include "core/inputs/token_edit.h"
#include "core/model/built_in_models.h"

namespace headscope {
namespace {

using Group = Option::Group;
using Request = CommandRequest;
using Argument = const std::string&;

Inputs& inputs(Request& request) {
  return request.session.inputs;
}

/// Parses an option's text into the value of its field.
template <typename Value>
void take(const InputField& field, const char* option, Argument text, Value& value, Budget& masks) {
  if constexpr (has_limits<Value>) {
    const auto minimum = static_cast<Value>(field.minimum), maximum = static_cast<Value>(field.maximum);
    if constexpr (std::is_same_v<Value, int>)
      value = parse_int(option, text, minimum, maximum);
    else
      value = parse_number(option, text, minimum, maximum);
  } else if constexpr (std::is_enum_v<Value>) {
    value = parse_name<Value>(option, text);
  } else if constexpr (std::is_same_v<Value, std::uint64_t>) {
    value = parse_seed(option, text);
  } else if constexpr (std::is_same_v<Value, TypedMatrices>) {
    value = typed_from_json(parse_text(option, text), option);
  } else if constexpr (std::is_same_v<Value, std::vector<MaskPart>>) {
    if (text == "none")
      value.clear();
    else
      value.push_back(parse_mask_part(parse_text(option, text), masks));
  } else if constexpr (std::is_same_v<Value, std::set<int>>) {
    value = parse_places(option, text, static_cast<int>(field.maximum));
  } else if constexpr (std::is_same_v<Value, std::set<HeadPlace>>) {
    try {
      value = parse_head_places(parse_text(option, text));
    } catch (const Error& error) {
      throw error.at(option);
    }
  } else if constexpr (!std::is_same_v<Value, bool>) {  // a bool has two switches instead
    value = parse_text(option, text);
  }
}

/// Using a typed X implies --inputs typed, unless --inputs is given.
void use_typed_x(Request& request) {
  if (!inputs(request).typed.x.empty() && !request.vectors_given) inputs(request).vectors = VectorKind::typed;
}

/// Options for a single matrix, applied after --typed.
void add_typed_parts(std::vector<Option>& options) {
  const auto add_matrix = [&](const char* name, const char* help,
                              std::vector<double> TypedMatrices::*matrix) {
    options.push_back({Group::inputs, name, "JSON", help, [=](Request& r, Argument v) {
                         inputs(r).typed.*matrix = matrix_from_json(parse_text(name, v), name);
                         use_typed_x(r);
                       }});
  };
  options.push_back(
      {Group::inputs, "--typed-order", "out_in|in_out",
       TR("Order of the typed matrices: [out, in] as in PyTorch (default) or [in, out] as in textbooks"),
       [](Request& r, Argument v) { inputs(r).typed.order = parse_name<MatrixOrder>("--typed-order", v); }});
  add_matrix("--typed-x", TR("X for --inputs typed, [tokens, d_model], row by row: [...]"),
             &TypedMatrices::x);
  add_matrix("--typed-key-x", TR("The same for the second sentence"), &TypedMatrices::key_x);
}

/// So that a saved session means the same folder from any directory.
void make_absolute(std::string& path) {
  std::error_code error;
  const auto whole = std::filesystem::absolute(path, error);
  if (!path.empty() && !error) path = whole.lexically_normal().string();
}

/// The new source replaces the session's.
void take_source(Inputs& inputs, std::string Inputs::*taken) {
  if (!is_built_in(inputs.*taken)) make_absolute(inputs.*taken);
  if ((inputs.*taken).empty()) return;
  for (std::string Inputs::*source : {&Inputs::model, &Inputs::capture})
    if (source != taken) (inputs.*source).clear();
}

/// The options of a field: its own and, if it can be reset, the opposite.
void add_field(std::vector<Option>& options, const InputField& field) {
  std::string name = field.name;
  std::ranges::replace(name, '_', '-');
  const std::string no = "--no-" + name;
  name = "--" + name;
  const auto add_switch = [&](const std::string& option, const char* help, auto change) {
    options.push_back(
        {Group::inputs, option, nullptr, help, [change](Request& r, Argument) { change(inputs(r)); }});
  };
  if (const auto* flag = std::get_if<bool Inputs::*>(&field.member)) {
    const bool on = Inputs{}.**flag;
    const auto set = [member = *flag](bool value) { return [=](Inputs& i) { i.*member = value; }; };
    add_switch(on ? no : name, field.option_help, set(!on));
    add_switch(on ? name : no, field.default_help, set(on));
    return;
  }
  const bool is_mask = std::holds_alternative<std::vector<MaskPart> Inputs::*>(field.member);
  std::vector<std::string> words;
  if (is_mask)
    for (const MaskKindRow& row : mask_kinds()) words.emplace_back(row.form);
  options.push_back({Group::inputs, name, field.value, field.option_help,
                     [&field, name](Request& r, Argument v) {
                       const auto set = [&](auto member) {
                         take(field, name.c_str(), v, inputs(r).*member, r.masks);
                       };
                       const headscope::Text before = inputs(r);
                       std::visit(set, field.member);
                       carry_boundaries(before, inputs(r));
                       for (std::string Inputs::*source : {&Inputs::model, &Inputs::capture})
                         if (&field == &input_field(source)) take_source(inputs(r), source);
                       if (std::holds_alternative<VectorKind Inputs::*>(field.member)) r.vectors_given = true;
                       if (std::holds_alternative<TypedMatrices Inputs::*>(field.member)) use_typed_x(r);
                     },
                     is_mask, false, words});
  if (const auto* text = std::get_if<std::optional<std::string> Inputs::*>(&field.member))
    add_switch(no, field.default_help, [member = *text](Inputs& i) {
      const headscope::Text before = i;
      (i.*member).reset();
      carry_boundaries(before, i);
    });
}

std::vector<Option> make_options() {
  std::vector<Option> options{{Group::inputs, "--session", TR("FILE"),
                               TR("Start from a session or a figure made by Headscope"),
                               [](Request& r, Argument v) { r.file = v; }}};
  for (const InputField& field : input_fields()) {
    const std::size_t first = options.size();
    add_field(options, field);
    if (std::holds_alternative<TypedMatrices Inputs::*>(field.member)) add_typed_parts(options);
    for (std::size_t i = first; i < options.size(); ++i) options[i].field = &field;
  }
  options.insert(
      options.end(),
      {{Group::inputs, "--sentence-file", TR("FILE"),
        TR("The sentence from a text file, or from standard input (-)"),
        [](Request& r, Argument v) {
          if (std::ranges::find(r.given, "--sentence") != r.given.end())
            throw input_error("{} and {} are both given; expected one of them", "--sentence",
                              "--sentence-file");
          const headscope::Text before = inputs(r);
          inputs(r).sentence = sentence_from_file("--sentence-file", v);
          carry_boundaries(before, inputs(r));
          if (v != "-") r.read_files.push_back(v);
        }},
       {Group::inputs, "--layer", "L",
        TR("Only this layer, numbered from 0 (the first on screen is layer 1)"),
        [](Request& r, Argument v) {
          r.session.view.layer = parse_place("--layer", v, Limits::max_view_layers - 1);
          r.layer_given = true;
        }},
       {Group::inputs, "--block", "self|encoder|decoder|cross",
        TR("Only the attention of this kind, where a model has several"), [](Request& r, Argument v) {
          r.session.view.block = parse_name<BlockKind>("--block", v);
          r.block_given = true;
        }}});
  return options;
}

}  // namespace

std::span<const Option> input_options() {
  static const std::vector<Option> options = make_options();
  return options;
}

}  // namespace headscope
