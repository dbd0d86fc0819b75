#version 330 core
// A picture in all of the viewport, as two triangles; there is no vertex buffer.
out vec2 place;  // in the picture, from its upper left

void main() {
  const vec2 corners[6] = vec2[](vec2(0, 0), vec2(1, 0), vec2(1, 1), vec2(0, 0), vec2(1, 1), vec2(0, 1));
  place = corners[gl_VertexID];
  gl_Position = vec4(2.0 * place.x - 1.0, 1.0 - 2.0 * place.y, 0.0, 1.0);
}
