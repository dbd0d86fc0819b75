#include "app/cli/options.h"
#include "app/cli/values.h"

namespace headscope {
namespace {

using Group = Option::Group;
using Request = CommandRequest;
using Text = const std::string&;

Inputs& inputs(Request& request) {
  return request.session.inputs;
}

void add_mask(Request& request, Text text) {
  if (text.empty() || text == "none") {
    inputs(request).mask.clear();
    return;
  }
  inputs(request).mask.push_back(parse_mask_part(parse_text("--mask", text)));
}

[[noreturn]] void later_version(const char* option) {
  throw input_error("{} is not supported in this version; expected a sentence, options or a session", option);
}

constexpr Option options[] = {
    {Group::inputs, "--session", TR("FILE"), TR("Start from a session, or from a figure made by Headscope"),
     [](Request& r, Text v) { r.file = v; }},
    {Group::inputs, "--sentence", TR("TEXT"), TR("The sentence, in any language"),
     [](Request& r, Text v) { inputs(r).sentence = parse_text("--sentence", v); }},
    {Group::inputs, "--key-sentence", TR("TEXT"),
     TR("A second sentence that gives keys and values: cross-attention"),
     [](Request& r, Text v) { inputs(r).key_sentence = parse_text("--key-sentence", v); }},
    {Group::inputs, "--no-key-sentence", nullptr, TR("Self-attention, as by default"),
     [](Request& r, Text) { inputs(r).key_sentence.reset(); }},
    {Group::inputs, "--d-model", "N", TR("Width of the model, 1 to 4096, divisible by the heads"),
     [](Request& r, Text v) { inputs(r).d_model = parse_int("--d-model", v, 1, Limits::max_d_model); }},
    {Group::inputs, "--heads", "N", TR("Number of heads, 1 to 64"),
     [](Request& r, Text v) { inputs(r).heads = parse_int("--heads", v, 1, Limits::max_heads); }},
    {Group::inputs, "--seed", "N", TR("Seed of weights and inputs, as torch.manual_seed"),
     [](Request& r, Text v) { inputs(r).seed = parse_seed("--seed", v); }},
    {Group::inputs, "--mask", TR("SPEC"),
     TR("Mask part, repeatable, in place of the session's: none, causal, padding:8,9, segments, "
        "file:MASK.npy, painted:..., window:w, "
        "dilated:w,d, global:0,4, random:r,seed=7, longformer:w,global=0, "
        "bigbird:w,global=0,random=r,seed=7"),
     add_mask, true},
    {Group::inputs, "--mask-fill", "-inf|-1e9", TR("What blocked scores count as"),
     [](Request& r, Text v) { inputs(r).mask_fill = parse_name<MaskFill>("--mask-fill", v); }},
    {Group::inputs, "--temperature", "T", TR("Scores are divided by it before the softmax"),
     [](Request& r, Text v) {
       inputs(r).temperature =
           parse_number("--temperature", v, Limits::min_temperature, Limits::max_temperature);
     }},
    {Group::inputs, "--inputs", "randn|embedding", TR("Vectors by position, or one for each distinct token"),
     [](Request& r, Text v) { inputs(r).vectors = parse_name<VectorKind>("--inputs", v); }},
    {Group::inputs, "--positions", "none|sinusoidal", TR("Positions added to embeddings"),
     [](Request& r, Text v) { inputs(r).positions = parse_name<Positions>("--positions", v); }},
    {Group::inputs, "--no-scale", nullptr, TR("Leave out the factor 1/sqrt(d_k)"),
     [](Request& r, Text) { inputs(r).scale = false; }},
    {Group::inputs, "--scale", nullptr, TR("Divide scores by sqrt(d_k), as by default"),
     [](Request& r, Text) { inputs(r).scale = true; }},
    {Group::inputs, "--dropout", "P", TR("Dropout on the weights, 0 to 1"),
     [](Request& r, Text v) { inputs(r).dropout = parse_number("--dropout", v, 0, 1); }},
    {Group::inputs, "--dropout-seed", "N", TR("Seed of the dropout, as torch.manual_seed"),
     [](Request& r, Text v) { inputs(r).dropout_seed = parse_seed("--dropout-seed", v); }},
    {Group::inputs, "--gain-q", "G", TR("Factor on W_Q"),
     [](Request& r, Text v) {
       inputs(r).gain_q = parse_number("--gain-q", v, -Limits::max_gain, Limits::max_gain);
     }},
    {Group::inputs, "--gain-k", "G", TR("Factor on W_K"),
     [](Request& r, Text v) {
       inputs(r).gain_k = parse_number("--gain-k", v, -Limits::max_gain, Limits::max_gain);
     }},
    {Group::inputs, "--weights", TR("KIND"),
     TR("linear (PyTorch's), xavier, normal, identity, similarity (W_K = W_Q), typed"),
     [](Request& r, Text v) { inputs(r).weights = parse_name<WeightKind>("--weights", v); }},
    {Group::inputs, "--typed", "JSON",
     TR("Matrices for --weights typed, [out, in] row by row: "
        "{\"w_q\": [...], \"w_k\": [...], \"w_v\": [...], \"w_o\": [...]}"),
     [](Request& r, Text v) {
       inputs(r).manual_weights = typed_from_json(parse_text("--typed", v), "--typed");
     }},
    {Group::inputs, "--sigma", "S", TR("Standard deviation for --weights normal"),
     [](Request& r, Text v) { inputs(r).sigma = parse_number("--sigma", v, 0, Limits::max_sigma); }},
    {Group::inputs, "--kv-heads", "N",
     TR("Key-value heads: 1 (multi-query) to the number of heads; 0: as many as heads"),
     [](Request& r, Text v) { inputs(r).kv_heads = parse_int("--kv-heads", v, 0, Limits::max_heads); }},
    {Group::inputs, "--layers", "N", TR("Number of layers, 1 to 12"),
     [](Request& r, Text v) { inputs(r).layers = parse_int("--layers", v, 1, Limits::max_layers); }},
    {Group::inputs, "--share-layers", nullptr, TR("One set of parameters for all layers"),
     [](Request& r, Text) { inputs(r).share_layers = true; }},
    {Group::inputs, "--no-share-layers", nullptr, TR("Parameters of its own for each layer, as by default"),
     [](Request& r, Text) { inputs(r).share_layers = false; }},
    {Group::inputs, "--no-residual", nullptr, TR("No residual connections between layers"),
     [](Request& r, Text) { inputs(r).residual = false; }},
    {Group::inputs, "--residual", nullptr, TR("Residual connections between layers, as by default"),
     [](Request& r, Text) { inputs(r).residual = true; }},
    {Group::inputs, "--no-layer-norm", nullptr, TR("No LayerNorm between layers"),
     [](Request& r, Text) { inputs(r).layer_norm = false; }},
    {Group::inputs, "--layer-norm", nullptr, TR("LayerNorm between layers, as by default"),
     [](Request& r, Text) { inputs(r).layer_norm = true; }},
    {Group::inputs, "--feed-forward", nullptr, TR("A feed-forward network after each layer's attention"),
     [](Request& r, Text) { inputs(r).feed_forward = true; }},
    {Group::inputs, "--no-feed-forward", nullptr, TR("No feed-forward network, as by default"),
     [](Request& r, Text) { inputs(r).feed_forward = false; }},
    {Group::inputs, "--layer", "L", TR("That layer, counted from 0 (the first on the screen is layer 1)"),
     [](Request& r, Text v) {
       r.session.view.layer = parse_int("--layer", v, 0, Limits::max_layers - 1);
       r.layer_given = true;
     }},
    {Group::inputs, "--model", TR("FOLDER"), TR("A model folder (not in this version)"),
     [](Request&, Text) { later_version("--model"); }, false, true},
    {Group::inputs, "--capture", TR("FILE"), TR("A captured run (not in this version)"),
     [](Request&, Text) { later_version("--capture"); }, false, true},
};

}  // namespace

std::span<const Option> input_options() {
  return options;
}

}  // namespace headscope
