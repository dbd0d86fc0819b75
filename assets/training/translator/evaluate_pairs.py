"""The sentences that the evaluation asks: held out, none twice."""
import random

import grammar

SEED = 2026


def held_out_pairs(count, seed=SEED, template=None):
    """Different sentences, none of which can have been trained on."""
    rng, pairs, seen = random.Random(seed), [], set()
    while len(pairs) < count:
        pair = grammar.generate(rng, template)
        if grammar.held_out(pair.en) and pair.english not in seen:
            seen.add(pair.english)
            pairs.append(pair)
    return pairs
