#include "core/model/config_parts.h"

#include <string>
#include <utility>

namespace headscope {

Index read_width(const ConfigFields& config, ConfigFields::Names names, Index fallback) {
  return config.whole(names, fallback, 1, ConfigLimits::width);
}

Index read_inner_width(const ConfigFields& config, ConfigFields::Names names, Index fallback) {
  return config.whole(names, fallback, 1, ConfigLimits::inner_width);
}

Index read_layers(const ConfigFields& config, ConfigFields::Names names, Index fallback) {
  return config.whole(names, fallback, 1, ConfigLimits::layers);
}

Index read_heads(const ConfigFields& config, ConfigFields::Names names, Index fallback) {
  return config.whole(names, fallback, 1, ConfigLimits::heads);
}

Index read_positions(const ConfigFields& config, ConfigFields::Names names, Index fallback) {
  return config.whole(names, fallback, 1, ConfigLimits::positions);
}

void read_vocabulary(const ConfigFields& config, Index fallback, ModelConfig& model) {
  model.vocabulary = config.whole({"vocab_size"}, fallback, 1, ConfigLimits::vocabulary);
  model.decoder_vocabulary = model.vocabulary;
}

Activation named_activation(const ConfigFields& config, const char* name, const char* text) {
  constexpr std::pair<const char*, Activation> names[] = {{"gelu", Activation::gelu},
                                                          {"gelu_python", Activation::gelu},
                                                          {"gelu_new", Activation::gelu_tanh},
                                                          {"gelu_fast", Activation::gelu_tanh},
                                                          {"gelu_accurate", Activation::gelu_tanh},
                                                          {"gelu_pytorch_tanh", Activation::gelu_tanh},
                                                          {"gelu_python_tanh", Activation::gelu_tanh},
                                                          {"quick_gelu", Activation::quick_gelu},
                                                          {"gelu_10", Activation::gelu_clipped},
                                                          {"relu", Activation::relu},
                                                          {"relu2", Activation::relu_squared},
                                                          {"relu6", Activation::relu6},
                                                          {"leaky_relu", Activation::leaky_relu},
                                                          {"silu", Activation::silu},
                                                          {"swish", Activation::silu},
                                                          {"mish", Activation::mish},
                                                          {"tanh", Activation::tanh},
                                                          {"sigmoid", Activation::sigmoid},
                                                          {"linear", Activation::linear},
                                                          {"laplace", Activation::laplace}};
  for (const auto& [known, value] : names)
    if (std::string(text) == known) return value;
  throw config.wrong("{}: {} is {}; expected one of: {}", name,
                     "gelu, gelu_new, gelu_pytorch_tanh, quick_gelu, relu, silu, tanh …");
}

Activation read_activation(const ConfigFields& config, const char* name, const char* fallback) {
  return named_activation(config, name, config.text({name}, fallback).c_str());
}

void expect_not_set(const ConfigFields& config, const char* name) {
  if (config.flag(name, false)) throw config.wrong("{}: {} is {}; expected false: it is not supported", name);
}

double read_epsilon(const ConfigFields& config, ConfigFields::Names names, double fallback) {
  constexpr double maximum = 1;
  return config.above_zero(names, fallback, maximum);
}

void divide_by_heads(const ConfigFields& config, ConfigFields::Names widths, ConfigFields::Names heads,
                     ModelConfig& model) {
  config.expect_multiple(widths, model.d_model, heads, model.body().heads);
  model.head_dim = model.d_model / model.body().heads;
}

}  // namespace headscope
