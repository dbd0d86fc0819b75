#version 330 core
// One triangle that covers the picture; there is no vertex buffer.
void main() {
  vec2 corner = vec2((gl_VertexID & 1) * 4 - 1, (gl_VertexID & 2) * 2 - 1);
  gl_Position = vec4(corner, 0.0, 1.0);
}
