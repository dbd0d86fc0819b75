#!/usr/bin/python3
"""core/io/codebooks.cpp: the codebooks of ggml's quantizations of one to three bits, from python3-gguf."""

import gguf.quants as quants

NAMES = ["IQ2_XXS", "IQ2_XS", "IQ2_S", "IQ3_XXS", "IQ3_S", "IQ1_S"]

print("""#include "core/io/codebooks.h"

// Made by tests/data/gguf/make_codebooks.py from ggml's tables, Copyright 2023-2026 The ggml authors, MIT.

namespace headscope {

// clang-format off""")
for name in NAMES:
    kind = getattr(quants, name)
    kind.init_grid()
    rows = kind.grid.reshape(kind.grid_shape)
    width = 16 // rows.shape[1]
    levels = list(kind.grid_map)
    numbers = [sum(levels.index(value) << width * i for i, value in enumerate(row)) for row in rows]
    print(f"\nconst std::array<std::uint16_t, {len(numbers)}> {name.lower()}_codebook{{{{")
    for at in range(0, len(numbers), 16):
        print(",".join(f"0x{number:04x}" for number in numbers[at:at + 16]) + ",")
    print("}};")
print("""
// clang-format on

}  // namespace headscope""")
