#!/usr/bin/python3
"""Asserts what must hold of the grammar: assets/training/translator/check_grammar.py [COUNT], 200,000 pairs by default."""
import collections
import random
import sys

import grammar

INSIDE = {
    "The animal didn't cross the street because it was tired": "动物没有穿过街道，因为它很累",
    "The animal didn't cross the street because it was too tired": "动物没有穿过街道，因为它太累了",
    "The animal didn't cross the street because it was too wide": "动物没有穿过街道，因为街道太宽了",
    "The cat sat on the mat": "猫坐在垫子上",
    "The cat sat on the mat because it was tired": "猫坐在垫子上，因为它很累",
    "I bought a cheap cat": "我买了一只便宜的猫",
    "The boy bought a cat": "男孩买了一只猫",
    "The boy bought a cheap cat and a mat": "男孩买了一只便宜的猫和一张垫子",
    "The ball didn't fit in the box because it was too big": "球放不进箱子，因为球太大了",
    "The ball didn't fit in the box because it was too small": "球放不进箱子，因为箱子太小了",
    "The boy sat on the bank": "男孩坐在河岸上",
    "The woman works in the bank every day": "女人每天在银行里工作",
    "Where is the cat?": "猫在哪里？",
    "The book in the box on the table is old": "桌子上的箱子里的书很旧",
    "The man is old": "男人很老",
    "Tom is a doctor": "汤姆是一位医生",
    "The boy has a cat": "男孩有一只猫",
    "She went to the bank": "她去了银行",
    "I love you": "我爱你",
    "The girl bought an apple and ate it": "女孩买了一个苹果，然后吃了那个苹果",
    "The boy wore a hat": "男孩戴着一顶帽子",
    "The girl wore a dress": "女孩穿着一条连衣裙",
    "The girl plays the violin every day": "女孩每天拉小提琴",
}


def check(count):
    rng = random.Random(7)
    templates, translations, words = collections.Counter(), {}, set()
    relations, lists, sources, targets = collections.Counter(), collections.Counter(), set(), set()
    for _ in range(count):
        pair = grammar.generate(rng)
        templates[pair.template] += 1
        sources.update(pair.en)
        targets.update(pair.zh)
        assert len(pair.zh) == len(pair.alignment), pair.english
        for places in pair.alignment:
            assert places and all(0 <= place < len(pair.en) for place in places), (pair.english, pair.chinese)
        for name, place, goals in pair.relations:
            assert name in grammar.RELATIONS
            assert 0 <= place < len(pair.en) and goals and all(0 <= goal < len(pair.en) for goal in goals)
            assert place not in goals, (pair.english, name)
            relations[name] += 1
        known = translations.setdefault(pair.english, pair.chinese)
        assert known == pair.chinese, f"{pair.english}: {known} or {pair.chinese}"
        slots = [word for word in pair.en if word in grammar.SLOTS]
        assert slots == grammar.SLOTS[:len(slots)], pair.english
        assert set(slots) == {word for word in pair.zh if word in grammar.SLOTS}, (pair.english, pair.chinese)
        lists[pair.zh.count("、") + 2 if "、" in pair.zh else 2 if "和" in pair.zh else 1] += 1
    missing = set(grammar.TEMPLATES) - set(templates)
    assert not missing, f"never drawn: {missing}"
    assert set(relations) == set(grammar.RELATIONS)
    assert all(lists[length] > 0 for length in range(1, 7)), lists
    known, _, _ = grammar.vocabulary()
    assert sources | targets <= set(known), (sources | targets) - set(known)
    for sentence, chinese in INSIDE.items():
        pair = grammar.pair_of(sentence)
        assert pair is not None, f"not inside: {sentence}"
        assert pair.chinese == chinese, f"{sentence}: {pair.chinese}"
    assert "skateboard" not in sources
    held = sum(grammar.held_out(grammar.words_of(sentence)) for sentence in translations)
    print(f"{count} pairs, {len(translations)} different, {held} of them held out; {len(templates)} templates; "
          f"{len(sources)} English and {len(targets)} Chinese tokens; relations {dict(relations)}; lists {dict(sorted(lists.items()))}")


if __name__ == "__main__":
    check(int(sys.argv[1]) if len(sys.argv) > 1 else 200000)
