#include "core/model/config/config_pictures.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <tuple>

#include "core/io/strict_json.h"
#include "core/model/config/config_readers.h"

// As in config_families.cpp.

namespace headscope {
namespace {

/// One number, or a list of height and width.
std::pair<Index, Index> read_sides(const ConfigFields& config, const char* name, Index fallback) {
  constexpr Index longest = 1 << 14;
  const JsonField field = config.member(name);
  if (!field.is_list()) {
    const Index side = config.whole({name}, fallback, 1, longest);
    return {side, side};
  }
  if (field.items() != 2) throw field.wrong("{}: {} is {}; expected a list of length {}", 2);
  return {static_cast<Index>(field.item(0).integer(1, longest)),
          static_cast<Index>(field.item(1).integer(1, longest))};
}

struct TowerDefaults {
  Index d_model = 768, layers = 12, heads = 12, d_ff = 3072;
  double epsilon = 1e-12;
  const char* activation = "gelu";
};

/// The sizes of a stack of layers, whatever it reads.
void read_tower(const ConfigFields& config, const TowerDefaults& usual, ModelConfig& model) {
  model.d_model = read_width(config, {"hidden_size"}, usual.d_model);
  model.encoder.layers = read_layers(config, {"num_hidden_layers"}, usual.layers);
  model.encoder.heads = model.encoder.kv_heads = read_heads(config, {"num_attention_heads"}, usual.heads);
  divide_by_heads(config, {"hidden_size"}, {"num_attention_heads"}, model);
  model.encoder.d_ff = read_inner_width(config, {"intermediate_size"}, usual.d_ff);
  model.norm_epsilon = read_epsilon(config, {"layer_norm_eps"}, usual.epsilon);
  model.activation = read_activation(config, "hidden_act", usual.activation);
  model.tie_embeddings = false;
}

/// What a tower reads of a picture.
PictureInput& read_picture_tower(const ConfigFields& config, const TowerDefaults& usual, Index patch,
                                 ModelConfig& model) {
  read_tower(config, usual, model);
  constexpr Index channels = 3;
  if (config.whole({"num_channels"}, channels, 1, 1 << 10) != channels)
    throw config.wrong("{}: {} is {}; expected {}", "num_channels", channels);
  PictureInput& picture = model.picture.emplace();
  std::tie(picture.height, picture.width) = read_sides(config, "image_size", 224);
  std::tie(picture.patch_height, picture.patch_width) = read_sides(config, "patch_size", patch);
  if (picture.patch_height > picture.height || picture.patch_width > picture.width)
    throw config.wrong("{}: {} is {}; expected at most {}, the picture's side", "patch_size",
                       std::min(picture.height, picture.width));
  constexpr Index most_patches = 1 << 16;
  if (picture.rows() * picture.columns() > most_patches)
    throw config.wrong("{}: {} is {}; expected at most {} patches", "image_size", most_patches);
  return picture;
}

void read_vit_like(const ConfigFields& config, const char* processor, ModelConfig& model) {
  PictureInput& picture = read_picture_tower(config, {}, 16, model);
  picture.processor = processor;
  model.qkv_bias = config.flag("qkv_bias", true);
}

/// The part of a config for one tower; an empty one where it has only defaults.
ConfigFields tower_of(const ConfigFields& config, const char* name) {
  static const nlohmann::json none = nlohmann::json::object();
  // Old files have both, and this one takes precedence.
  const std::string other = std::string(name) + "_dict";
  if (auto fields = config.object(other.c_str()); fields && !fields->json().empty()) return *fields;
  if (auto fields = config.object(name)) return *fields;
  return ConfigFields(JsonField(none, config.file(), name));
}

/// A folder of both towers, or of one.
template <typename ReadPicture, typename ReadText>
void read_towers(const ConfigFields& config, const ReadPicture& read_picture, const ReadText& read_text,
                 ModelFamily text_family, ModelConfig& model) {
  const bool nested = config.has("vision_config") || config.has("text_config");
  if (nested && model.architecture.find("TextModel") != std::string::npos) {
    model.family = text_family;
    return read_text(tower_of(config, "text_config"), model);
  }
  read_picture(nested ? tower_of(config, "vision_config") : config, model);
  const auto is_of = [&](const char* word) { return model.architecture.find(word) != std::string::npos; };
  if (!nested || is_of("VisionModel") || is_of("ForImageClassification")) return;
  ModelConfig text;
  text.family = text_family;
  text.dtype = model.dtype;
  read_text(tower_of(config, "text_config"), text);
  read_direction(tower_of(config, "text_config"), text);
  text.picture_projection = model.picture_projection;
  model.text_tower = std::make_shared<const ModelConfig>(std::move(text));
}

}  // namespace

void read_vit_config(const ConfigFields& config, ModelConfig& model) {
  const std::string type = config.text({"model_type"}, "");
  read_vit_like(config, "ViTImageProcessor", model);
  if (type == "vit_mae") model.own_name = "ViT-MAE";
  if (type == "vit_msn") {
    model.own_name = "ViT-MSN";
    model.norm_epsilon = read_epsilon(config, {"layer_norm_eps"}, 1e-6);
  }
  if (type != "ijepa") return;
  model.own_name = "I-JEPA";
  model.picture->class_token = false;
  model.output.reads = OutputConfig::Reads::mean;
}

void read_deit_config(const ConfigFields& config, ModelConfig& model) {
  read_vit_like(config, "DeiTImageProcessor", model);
  model.picture->distillation_token = true;
  if (model.architecture.ends_with("WithTeacher")) model.output.reads = OutputConfig::Reads::first_two;
}

void read_dinov2_config(const ConfigFields& config, ModelConfig& model) {
  constexpr double widest = 1000;
  PictureInput& picture = read_picture_tower(config, {.epsilon = 1e-6}, 14, model);
  picture.processor = "BitImageProcessor";
  model.qkv_bias = config.flag("qkv_bias", true);
  const double wide = static_cast<double>(model.d_model) * config.above_zero({"mlp_ratio"}, 4, widest);
  model.encoder.d_ff = static_cast<Index>(wide);
  model.gated = config.flag("use_swiglu_ffn", false);
  if (model.gated) {
    model.encoder.d_ff = (static_cast<Index>(static_cast<double>(model.encoder.d_ff) * 2 / 3) + 7) / 8 * 8;
    model.activation = Activation::silu;
  }
  if (config.text({"model_type"}, "") == "dinov2_with_registers") {
    picture.registers = config.whole({"num_register_tokens"}, 4, 0, 1 << 10);
    picture.antialiased_positions = true;
  }
  model.output.reads = OutputConfig::Reads::first_and_mean;
}

// Siméoni et al. 2025.
void read_dinov3_config(const ConfigFields& config, ModelConfig& model) {
  PictureInput& picture = read_picture_tower(config, {384, 12, 6, 1536, 1e-5}, 16, model);
  picture.processor = "DINOv3ViTImageProcessor";
  picture.registers = config.whole({"num_register_tokens"}, 0, 0, 1 << 10);
  picture.positions = false;
  model.position_kind = PositionKind::rotary;
  constexpr Index axes = 2;
  if (model.head_dim % (2 * axes) != 0)
    throw input_error("{}: {} dimensions of a head are rotated; expected a multiple of {}", config.file(),
                      model.head_dim, 2 * axes);
  Rope& rope = model.rope.emplace();
  constexpr double largest = 1e15;
  rope.theta = config.above_zero({"rope_theta"}, 100, largest);
  rope.dimensions = model.head_dim;
  rope.of_patches = true;
  model.query_bias = config.flag("query_bias", true);
  model.key_bias = config.flag("key_bias", false);
  model.value_bias = config.flag("value_bias", true);
  model.output_bias = config.flag("proj_bias", true);
  model.mlp_bias = config.flag("mlp_bias", true);
  model.gated = config.flag("use_gated_mlp", false);
}

// Bao et al. 2022.
void read_beit_config(const ConfigFields& config, ModelConfig& model) {
  PictureInput& picture = read_picture_tower(config, {}, 16, model);
  picture.processor = "BeitImageProcessor";
  picture.positions = config.flag("use_absolute_position_embeddings", false);
  model.key_bias = false;
  constexpr double largest = 1e6;
  config.above_zero({"layer_scale_init_value"}, 0.1, largest);  // 0: no layer scale
  model.relative_bias_of_layers = config.flag("use_relative_position_bias", false);
  const bool shared = config.flag("use_shared_relative_position_bias", false);
  model.relative_bias_of_all = shared && model.relative_bias_of_layers;
  constexpr Index of_class = 3;
  if (shared || model.relative_bias_of_layers)
    model.relative_buckets = (2 * picture.rows() - 1) * (2 * picture.columns() - 1) + of_class;
  model.last_norm = !config.flag("use_mean_pooling", true);
  if (!model.last_norm) model.output.reads = OutputConfig::Reads::mean;
}

void read_clip_text_config(const ConfigFields& config, ModelConfig& model) {
  read_vocabulary(config, 49408, model);
  read_tower(config, {512, 12, 8, 2048, 1e-5, "quick_gelu"}, model);
  model.positions = read_positions(config, {"max_position_embeddings"}, 77);
  model.causal = true;
  model.picture_projection = read_width(config, {"projection_dim"}, 512);
  model.bos_token = 49406;
  model.eos_tokens = {49407};
  read_tokens(config, model);
}

void read_clip_config(const ConfigFields& config, ModelConfig& model) {
  read_towers(
      config,
      [&](const ConfigFields& tower, ModelConfig& picture) {
        read_picture_tower(tower, {.epsilon = 1e-5, .activation = "quick_gelu"}, 32, picture);
        picture.picture->patch_bias = false;
        picture.picture->processor = "CLIPImageProcessor";
        const Index own = read_width(tower, {"projection_dim"}, 512);
        picture.picture_projection = read_width(config, {"projection_dim"}, own);
        picture.output.reads = OutputConfig::Reads::mean;
        picture.output.before_last_norm = true;
      },
      read_clip_text_config, ModelFamily::clip_text, model);
}

void read_siglip_text_config(const ConfigFields& config, ModelConfig& model) {
  if (config.text({"model_type"}, "") == "siglip2_text_model") model.own_name = TR("SigLIP 2's text model");
  read_vocabulary(config, 32000, model);
  read_tower(config, {.epsilon = 1e-6, .activation = "gelu_pytorch_tanh"}, model);
  model.positions = read_positions(config, {"max_position_embeddings"}, 64);
  model.pad_token = 1;
  model.padded_text = true;
  model.picture_projection = read_width(config, {"projection_size"}, model.d_model);
  read_tokens(config, model);
}

// Tschannen et al. 2025: pictures in their own proportions (NaFlex).
void read_siglip2_config(const ConfigFields& config, ModelConfig& model) {
  read_towers(
      config,
      [&](const ConfigFields& tower, ModelConfig& picture) {
        PictureInput& input =
            read_picture_tower(tower, {.epsilon = 1e-6, .activation = "gelu_pytorch_tanh"}, 16, picture);
        constexpr Index most = 1 << 16;
        const Index patches = tower.whole({"num_patches"}, 256, 1, most),
                    side = std::lround(std::sqrt(static_cast<double>(patches)));
        if (side * side != patches)
          throw tower.wrong("{}: {} is {}; expected the square of a number", "num_patches");
        input.height = side * input.patch_height;
        input.width = side * input.patch_width;
        input.class_token = false;
        input.channels_last = input.antialiased_positions = input.linear_positions = true;
        input.own_proportions = true;
        input.processor = "Siglip2ImageProcessor";
        picture.picture_projection = picture.d_model;
        picture.output.reads = OutputConfig::Reads::mean;
      },
      read_siglip_text_config, ModelFamily::siglip_text, model);
}

void read_siglip_config(const ConfigFields& config, ModelConfig& model) {
  read_towers(
      config,
      [&](const ConfigFields& tower, ModelConfig& picture) {
        read_picture_tower(tower, {.epsilon = 1e-6, .activation = "gelu_pytorch_tanh"}, 16, picture);
        picture.picture->class_token = false;
        picture.picture->processor = "SiglipImageProcessor";
        picture.picture_projection = picture.d_model;
        picture.output.reads = OutputConfig::Reads::mean;
      },
      read_siglip_text_config, ModelFamily::siglip_text, model);
}

}  // namespace headscope
