#version 330 core
// A picture at its place in the window, pixel by pixel. Its rows run from the top.
uniform sampler2D picture;
uniform ivec2 corner;  // of the window: the picture's upper left pixel
out vec4 color;

void main() {
  ivec2 pixel = ivec2(int(gl_FragCoord.x) - corner.x, corner.y - int(gl_FragCoord.y));
  color = vec4(texelFetch(picture, pixel, 0).rgb, 1.0);
}
