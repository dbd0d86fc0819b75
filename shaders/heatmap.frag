#version 330 core
// One head's map. Row 0 of the picture is its top: query 0.
uniform sampler2D values;      // [rows, columns]  PooledMap::values: largest cell of each pixel
uniform isampler2D axes;       // [2, pixels]      which column a pixel shows, and which row; -1: none
uniform sampler2D thresholds;  // [1, 256]         the smallest values that have colour i and colour i + 1
uniform sampler2D colors;      // [1, 256]
uniform float low;             // low end of the colour range, and colours to one of its unit; of its logarithm
uniform float steps;           // to base 2 where it is logarithmic
uniform bool logarithm;
uniform bool one_to_one;       // a cell of `values` for each pixel: axes need not be asked
uniform bool in_window;        // drawn at its place in the window, whose rows run from the bottom,
uniform ivec2 corner;          // where its upper left pixel is this; else a picture by itself
uniform vec3 masked_background;
uniform vec3 masked_line;
uniform int hatch;             // pixels from line to line, and how thick a line is
uniform int hatch_line;
out vec4 color;

// The same as ColorRange::index: the formula gives the colour to within rounding, the thresholds settle it.
int color_index(float value) {
  float above = (logarithm ? log2(max(value, 1e-37)) : value) - low;
  int index = int(clamp(above * steps, 0.0, 255.0));
  vec2 own = texelFetch(thresholds, ivec2(index, 0), 0).rg;
  if (value >= own.r && value < own.g) return index;
  while (index > 0 && value < texelFetch(thresholds, ivec2(index, 0), 0).r) --index;
  while (index < 255 && value >= texelFetch(thresholds, ivec2(index, 0), 0).g) ++index;
  return index;
}

void main() {
  ivec2 pixel = ivec2(gl_FragCoord.xy);
  if (in_window) pixel = ivec2(pixel.x - corner.x, corner.y - pixel.y);
  int column = pixel.x, row = pixel.y;
  if (!one_to_one) {
    column = texelFetch(axes, ivec2(pixel.x, 0), 0).r;
    row = texelFetch(axes, ivec2(pixel.y, 1), 0).r;
  }
  if (column < 0 || row < 0) {
    color = vec4(masked_background, 1.0);  // beyond the map, as where a part of it has not been read
    return;
  }
  float value = texelFetch(values, ivec2(column, row), 0).r;
  if (value < -3.4e38) {  // no cell is shown
    bool line = isinf(value) && (pixel.x + pixel.y) % hatch < hatch_line;  // every one is masked
    color = vec4(line ? masked_line : masked_background, 1.0);
    return;
  }
  color = vec4(texelFetch(colors, ivec2(color_index(value), 0), 0).rgb, 1.0);
}
