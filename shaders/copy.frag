#version 330 core
// A picture at its place in the window, as large as the viewport. Plain sampling, so that Mesa's software
// renderer knows it for a copy, which it makes faster than by texelFetch.
uniform sampler2D picture;
in vec2 place;
out vec4 color;

void main() {
  color = vec4(texture(picture, place).rgb, 1.0);
}
