#!/usr/bin/python3
"""A probabilistic grammar of English–Chinese sentence pairs, with what belongs together in them.

    assets/training/translator/grammar.py [--count 10] [--template NAME] [--seed 1]      prints samples of every template

`generate(random.Random)` gives a Pair: the tokens of both languages, the gold alignment (for each Chinese token the
positions of the English ones that it comes from), and relations (name, position, positions of what it belongs to).
The Chinese of a sentence is a function of the English: the same English never has two translations.

A pronoun for a person or an animal comes out as a pronoun (它很累); one for a thing as that thing again (街道太宽了), so
that a translation says what the pronoun was taken for.

A word that the models have not learnt becomes a slot: ⟨1⟩ ⟨2⟩ ⟨3⟩, numbered as they come in English, the same token on both
sides, with 个 as its measure word; after a determiner it is a noun, without one a name.
"""
import argparse
import random
import sys
import zlib

from lexicon import (COMFORTS, NOBODYS, NOT_SAID, NOT_WHY, REASONS, ACTIONS, ADJECTIVES, ALL_THINGS, ANIMATE, BANK, BAT, COMPARATIVES, GOODS, GROUPS, MEN, NAMES, NOUNS,
                     POSTURES, PREPOSITIONS, VERBS, Adjective, Noun)

SLOTS = ["⟨1⟩", "⟨2⟩", "⟨3⟩"]
RELATIONS = ["pronoun-antecedent", "verb-subject", "determiner-noun", "preposition-object", "verb-object",
             "modifier-noun"]


class Word:
    """A token of the English sentence; what is made of it in Chinese points back to it."""
    __slots__ = ("text", "at")

    def __init__(self, text):
        self.text, self.at = text, -1


class Part:
    """A noun phrase or a pronoun: both languages, and what the rest of the sentence must know of it."""

    def __init__(self, en, zh, heads, kind, plural=False, pronoun=None, again=None, slot=False, third=None,
                 noun=None):
        self.en, self.zh, self.heads, self.kind, self.plural = en, zh, heads, kind, plural
        self.pronoun = pronoun  # English subject form that refers to it: it, he, she, they
        self.again = again or []  # Chinese texts by which a thing is mentioned again
        self.slot, self.noun = slot, noun
        self.third = (not plural) if third is None else third  # the verb takes -s


class Pair:
    def __init__(self, template, en, zh, alignment, relations):
        self.template, self.en, self.zh, self.alignment, self.relations = template, en, zh, alignment, relations

    @property
    def english(self):
        return spelled(self.en)

    @property
    def chinese(self):
        return "".join(self.zh)


def spelled(tokens):
    """English as people write it."""
    text = ""
    for token in tokens:
        word = "I" if token == "i" else token.capitalize() if token in NAMES else token
        text += word if not text or token in ",.?" else " " + word
    return text[0].upper() + text[1:]


def held_out(en):
    """Whether a sentence is kept from training: one in twenty, by a hash of its words."""
    return zlib.crc32(" ".join(word for word in en if word not in ".?").encode()) % 20 == 0


def rows_of(text, kind):
    for row in text.split(","):
        one, many, zh, measure = row.split()
        yield Noun(one, None if many == "-" else many, zh, None if measure == "-" else measure, kind)


BY_KIND = {kind: list(rows_of(text, kind)) for kind, text in NOUNS.items()}
BY_WORD = {noun.one: noun for nouns in BY_KIND.values() for noun in nouns}
ALL_ADJECTIVES = [Adjective(*row[:5], frozenset(row[5].split())) for row in ADJECTIVES]
ADJECTIVES_OF = {}
for adjective_ in ALL_ADJECTIVES:
    for kind_ in adjective_.kinds:
        ADJECTIVES_OF.setdefault(kind_, []).append(adjective_)


def fits(adjective, noun):
    """Adjectives go with classes, or with groups of nouns."""
    return adjective.en not in NOT_SAID.get(noun.one, ()) and (
        noun.kind in adjective.kinds or any(noun.one in GROUPS.get(kind, ()) for kind in adjective.kinds))


ADJECTIVES_OF_NOUN = {noun.one: [a for a in ALL_ADJECTIVES if fits(a, noun)] for noun in BY_WORD.values()}
SIZES = ("big", "small", "new", "old")


def said_of(part):
    """The adjectives that a noun phrase can have as its predicate."""
    if part.slot:
        return PLAIN
    if part.noun is not None and part.noun.one in ADJECTIVES_OF_NOUN:
        return ADJECTIVES_OF_NOUN[part.noun.one]
    return ADJECTIVES_OF.get(part.kind, PLAIN)


# What may be said of a word that nobody knows: senses that don't depend on what it is.
PLAIN = [a for a in (ADJECTIVES_OF["furniture"] + ADJECTIVES_OF["thing"]) if a.en in
         ("big", "small", "new", "cheap", "expensive", "red", "black", "white", "green", "blue", "beautiful", "broken")]
PLAIN = list({a.en: a for a in PLAIN}.values())

NOUNS_OF = {}


def nouns_of(kinds):
    """Of names of classes, of groups, or of single nouns."""
    if kinds not in NOUNS_OF:
        result = []
        for kind in kinds.split():
            if kind in BY_KIND:
                result += BY_KIND[kind]
            else:
                result += [BY_WORD[word] for word in GROUPS.get(kind, [kind])]
        NOUNS_OF[kinds] = list(dict.fromkeys(result))
    return NOUNS_OF[kinds]


DETERMINERS = {"the": "", "this": "这", "that": "那", "my": "我的", "your": "你的", "his": "他的", "her": "她的", "our": "我们的",
               "their": "他们的", "these": "这些", "those": "那些", "two": "两", "three": "三", "four": "四", "some": "一些",
               "many": "很多"}
POSSESSIVE = ["my", "your", "his", "her", "our", "their"]
PRONOUNS = {"i": ("我", "me"), "you": ("你", "you"), "he": ("他", "him"), "she": ("她", "her"), "we": ("我们", "us"),
            "they": ("他们", "them"), "it": ("它", "it")}
OBJECT_FORM = {subject: row[1] for subject, row in PRONOUNS.items()}


class Builder:
    def __init__(self, rng):
        self.rng, self.relations, self.slots = rng, [], 0

    def chance(self, p):
        return self.rng.random() < p

    def pick(self, items):
        return items[int(self.rng.random() * len(items))]

    def relate(self, name, word, targets):
        self.relations.append((name, word, list(targets)))

    # ---------------------------------------------------------------------------------------- noun phrases

    def noun_phrase(self, kinds, definite=False, adjective=0.25, slot=0.05, plural=0.2, generic=False, noun=None,
                    only=None, avoid=(), role=None):
        """`only`: the determiners to choose among. `role`: the class of a slot."""
        if noun is None and self.slots < 3 and self.chance(slot):
            return self.slot_phrase(definite, adjective, plural, only, role or kinds.split()[0])
        if noun is None:
            noun = self.pick(nouns_of(kinds))
            while noun.one in avoid:
                noun = self.pick(nouns_of(kinds))
        many = bool(noun.many) and self.chance(plural)
        counted = noun.measure is not None
        if only:
            determiner = self.pick(only)
            many = many and determiner in ("the", *POSSESSIVE)
        elif generic and noun.many and self.chance(0.5):
            determiner, many = "", True
        elif many:
            determiner = self.pick(["the", "the", "these", "those", self.pick(POSSESSIVE)] if definite else
                                   ["the", "the", "two", "three", "four", "some", "many", "these", "those",
                                    self.pick(POSSESSIVE)])
        elif not counted:
            determiner = self.pick(["the", "the", "this", self.pick(POSSESSIVE)] if definite or generic else
                                   ["the", "some", "some", self.pick(POSSESSIVE)])
        else:
            determiner = self.pick(["the"] * 5 + ["this", "that", self.pick(POSSESSIVE)] + ([] if definite or generic else ["a"] * 4))
        if determiner in ("a", "this", "that") and not counted:
            determiner = "the"
        if determiner in POSSESSIVE and noun.one in NOBODYS:
            determiner = "the"
        if noun.kind in MEN.split() and noun.many is None and determiner == "a":
            determiner = "the"
        chosen = []
        if self.chance(adjective):
            chosen = self.adjectives_before(noun)
        return self.phrase(determiner, chosen, Word(noun.many if many else noun.one), noun, many)

    def adjectives_before(self, noun):
        """One, or a size and a colour: the small black cat, 黑色的小猫."""
        usable = [a for a in ADJECTIVES_OF_NOUN.get(noun.one, ()) if a.before != "-" and a.before[0] != noun.zh[0]]
        if not usable:
            return []
        one = self.pick(usable)
        if one.predicate == "是" and self.chance(0.3):
            sizes = [a for a in usable if a.en in SIZES and not a.particle]
            if sizes:
                return [self.pick(sizes), one]
        return [one]

    def slot_phrase(self, definite, adjective, plural, only, role):
        self.slots += 1
        many = not only and self.chance(plural)
        if many:
            determiner = self.pick(["these", "those"] if definite else ["these", "those", "two", "three", "some"])
        else:
            determiner = self.pick(only or (["the"] * 4 + ["this", "that", "my"] + ([] if definite else ["a"] * 4)))
        chosen = [self.pick(PLAIN)] if role not in ANIMATE.split() and self.chance(adjective) else []
        word = Word(None)
        return self.phrase(determiner, chosen, word, Noun(word, word, word, "个", role), many, slot=True)

    def phrase(self, determiner, chosen, head, noun, many, slot=False):
        en, zh = [], []
        if determiner:
            word = Word(determiner)
            en.append(word)
            self.relate("determiner-noun", word, [head])
            text = DETERMINERS.get(determiner)
            if determiner == "a":
                zh += [("一", [word]), (noun.measure, [head])]
            elif determiner in ("two", "three", "four"):
                zh += [(text, [word]), (noun.measure, [head])]
            elif determiner in ("this", "that"):
                zh += [(text, [word]), (noun.measure, [head])]
            elif determiner == "the" and many:
                zh.append(("那些", [word]))
            elif text:
                zh.append((text, [word]))
        words = [Word(one.en) for one in chosen]
        for word in words:
            en.append(word)
            self.relate("modifier-noun", word, [head])
        # What takes 的 comes before what does not.
        for one, word in sorted(zip(chosen, words), key=lambda pair: not pair[0].particle):
            zh.append((one.before, [word]))
            if one.particle:
                zh.append((one.particle, [word]))
        zh.append((noun.zh, [head]))
        en.append(head)
        # Mentioned again: what was known stays bare, what was pointed at is pointed at, what was new is "that one".
        if many or noun.measure is None or determiner == "the":
            again = [noun.zh]
        else:
            again = ["这" if determiner == "this" else "那", noun.measure, noun.zh]
        pronoun = "they" if many else {"man": "he", "woman": "she"}.get(noun.kind, "it")
        if noun.kind == "person" and not many:
            pronoun = self.pick(["he", "she"])
        return Part(en, zh, [head], noun.kind, many, pronoun, again, slot, noun=noun)

    def name(self, slot=0.2):
        if self.slots < 3 and self.chance(slot):
            self.slots += 1
            word = Word(None)
            return Part([word], [(word, [word])], [word], "person", False, self.pick(["he", "she"]), slot=True)
        text = self.pick(list(NAMES))
        zh, gender = NAMES[text]
        word = Word(text)
        return Part([word], [(zh, [word])], [word], "man" if gender == "m" else "woman", False,
                    "he" if gender == "m" else "she")

    def free_pronoun(self, forms="i you he she we they it"):
        text = self.pick(forms.split())
        word = Word(text)
        kind = "animal" if text == "it" else "person"
        return Part([word], [(PRONOUNS[text][0], [word])], [word], kind, text in ("we", "they"), None,
                    third=text in ("he", "she", "it"))

    def free_object(self):
        text = self.pick(list(PRONOUNS))
        word = Word(PRONOUNS[text][1])
        return Part([word], [(PRONOUNS[text][0], [word])], [word], "person", False, None)

    def subject(self, kinds, definite=False, pronoun=0.12, name=0.12, slot=0.04, avoid=()):
        people = any(kind in MEN.split() for kind in kinds.split())
        if people and self.chance(pronoun):
            return self.free_pronoun("i you he she we they" if "animal" not in kinds else "i you he she we they it")
        if people and self.chance(name):
            return self.name()
        only = None
        if not definite and self.chance(0.12):
            only = ["a"]
        return self.noun_phrase(kinds, definite=True, adjective=0.2, slot=slot, only=only, avoid=avoid)

    def listed(self, parts, oxford=None):
        """a, b and c; 甲、乙和丙."""
        if len(parts) == 1:
            return parts[0]
        en, zh = [], []
        comma_before_and = len(parts) > 2 and self.chance(0.25)
        for i, part in enumerate(parts):
            if i + 1 == len(parts):
                word = Word("and")
                en += ([Word(",")] if comma_before_and else []) + [word]
                zh.append(("和", [word]))
            elif i > 0:
                word = Word(",")
                en.append(word)
                zh.append(("、", [word]))
            en, zh = en + part.en, zh + part.zh
        heads = [head for part in parts for head in part.heads]
        kinds = {part.kind for part in parts}
        kind = (kinds.pop() if len(kinds) == 1 else
                "person" if all(k in MEN.split() for k in kinds) else "mixed")
        return Part(en, zh, heads, kind, True, "they")

    # ------------------------------------------------------------------------------------------- predicates

    def degree(self, adjective):
        return self.pick(["", "", "", "very", "too"]) if adjective.predicate == "很" else ""

    def is_adjective(self, subject_heads, third, plural, adjective, past, negative=False, degree="", me=False):
        """was (too) wide; 太宽了. The subject's own words are not in it."""
        form = (("was" if third or me else "were") if past else ("am" if me else "is" if third else "are"))
        en, no = self.negated(form, negative)
        be = en[0]
        if subject_heads:
            self.relate("verb-subject", be, subject_heads)
        word = Word(adjective.en)
        zh = []
        if adjective.predicate == "是":
            zh += ([("不", no)] if negative else []) + [("是", [be]), (adjective.zh, [word]), ("的", [word])]
        elif adjective.predicate == "了":
            zh += [("没", no), (adjective.zh, [word])] if negative else [(adjective.zh, [word]), ("了", [be, word])]
        elif negative:
            zh += [("不", no), (adjective.zh, [word])]
        elif degree == "too":
            more = Word("too")
            en.append(more)
            zh += [("太", [more]), (adjective.zh, [word]), ("了", [more])]
        elif degree == "very":
            more = Word("very")
            en.append(more)
            zh += [("非常", [more]), (adjective.zh, [word])]
        else:
            zh += [("很", [be]), (adjective.zh, [word])]
        return en + [word], zh

    def negated(self, form, negative):
        """The words of an auxiliary, and those that negate."""
        if not negative:
            return [Word(form)], []
        contracted = {"will": "won't", "can": "can't", "am": None}.get(form, form + "n't")
        if contracted is None or self.chance(0.2):
            words = [Word("cannot")] if form == "can" and self.chance(0.5) else [Word(form), Word("not")]
            return words, words[-1:]
        word = Word(contracted)
        return [word], [word]

    def tense_of(self, verb):
        if "s" in verb.marks:
            return self.pick(["past", "present", "present", "not past", "not present"])
        tenses = ["past"] * 4 + ["not past"] * 2 + ["will", "will not", "can", "cannot", "want", "must"]
        if "p" in verb.marks:
            tenses += ["is doing", "was doing"]
        if "d" in verb.marks:
            tenses += ["every day", "often", "never", "not present"]
        return self.pick(tenses)

    def do(self, subject, verb, tense):
        """The verb group before its object, and words that follow the object: (en, zh, en_after)."""
        heads, state = subject.heads, "s" in verb.marks
        zh_verb, after = verb.zh, []
        third, me = subject.third, len(subject.en) == 1 and subject.en[0].text == "i"
        if tense == "past":
            word = Word(verb.past)
            en, zh = [word], [(zh_verb, [word])]
            if not state and "n" not in verb.marks:
                zh.append(("了", [word]))
        elif tense in ("present", "every day", "often", "never"):
            word = Word(verb.s if third else verb.base)
            en, zh = [word], [(zh_verb, [word])]
            if tense == "every day":
                every, day = Word("every"), Word("day")
                after = [every, day]
                zh = [("每天", [every, day])] + zh
            elif tense == "often":
                often = Word("often")
                en, zh = [often] + en, [("经常", [often])] + zh
            elif tense == "never":
                never = Word("never")
                en, zh = [never] + en, [("从不", [never])] + zh
        elif tense in ("not past", "not present"):
            form = "did" if tense == "not past" else "does" if third else "do"
            aux, no = self.negated(form, True)
            word = Word(verb.base)
            en = aux + [word]
            zh = [("没有" if tense == "not past" and not state else "没" if zh_verb == "有" else "不", no), (zh_verb, [word])]
        elif tense in ("is doing", "was doing"):
            past = tense == "was doing"
            be = Word(("was" if third or me else "were") if past else ("am" if me else "is" if third else "are"))
            word = Word(verb.ing)
            en, zh = [be, word], [("正在", [be, word]), (zh_verb, [word])]
        elif tense in ("will", "will not", "can", "cannot", "must"):
            form = {"will not": "will", "cannot": "can"}.get(tense, tense)
            aux, no = self.negated(form, tense in ("will not", "cannot"))
            word = Word(verb.base)
            en = aux + [word]
            zh_aux = {"will": "会", "can": "能", "must": "必须"}[form]
            zh = ([("不", no)] if no else []) + [(zh_aux, aux[:1]), (zh_verb, [word])]
        else:  # want
            want, word = Word(self.pick(["wanted", "wants" if third else "want"])), Word(verb.base)
            en, zh = [want, Word("to"), word], [("想", [want]), (zh_verb, [word])]
        self.relate("verb-subject", word, heads)
        return en, zh, after, word

    def object_for(self, verb, tense, avoid=(), plural=0.2):
        if any(kind in ANIMATE.split() for kind in verb.objects.split()) and self.chance(0.15):
            return self.free_object()
        if MEN in verb.objects and self.chance(0.12):
            return self.name()
        generic = "s" in verb.marks and verb.base in ("like", "hate")
        definite = tense in ("not past", "not present", "will not", "cannot", "never")
        # A word of more than one sense, by its object: no unknown ones there.
        slot = 0 if verb.base in ("visit",) else 0.06
        return self.noun_phrase(verb.objects, definite=definite, generic=generic, slot=slot, plural=plural, avoid=avoid)

    def clause(self, verb=None, tense=None, subject=None, time=0.0):
        """Subject, verb, object. Gives the two languages and the three parts."""
        verb = verb or self.pick(VERBS)
        tense = tense or self.tense_of(verb)
        subject = subject or self.subject(verb.subjects, slot=0.04)
        goal = self.object_for(verb, tense, avoid=[head.text for head in subject.heads if head.text])
        en, zh, after, word = self.do(subject, verb, tense)
        self.relate("verb-object", word, goal.heads)
        before, ahead = [], []
        if self.chance(time):
            when = {"past": ("yesterday", "昨天"), "not past": ("yesterday", "昨天"), "will": ("tomorrow", "明天"),
                    "will not": ("tomorrow", "明天"), "can": ("today", "今天"), "must": ("today", "今天")}.get(tense)
            if when and "s" not in verb.marks:
                at = Word(when[0])
                if self.chance(0.35):
                    ahead = [at]
                    return ahead + subject.en + en + goal.en + after, [(when[1], [at])] + subject.zh + zh + goal.zh, (subject, verb, goal)
                after, before = [at], [(when[1], [at])]
        return (subject.en + en + goal.en + after, subject.zh + before + zh + goal.zh, (subject, verb, goal))

    # --------------------------------------------------------------------------------------------- places

    def place(self, prepositions="on in under behind near beside", kinds=None, slot=0.05, plural=0.02, adjective=0.2, avoid=()):
        """(preposition, noun phrase, 上): the preposition's place word is not aligned elsewhere."""
        preposition = self.pick(prepositions.split())
        kinds = kinds or {"on": "furniture street road bridge square", "in": "place container field",
                          "under": "table bed tree bridge desk chair", "behind": "furniture tree door box machine house",
                          "near": "place way tree", "beside": "furniture tree window door box lamp river"}[preposition]
        part = self.noun_phrase(kinds, definite=self.chance(0.8), slot=slot, plural=plural, adjective=adjective,
                                avoid=avoid, role="thing")
        word = Word(preposition)
        self.relate("preposition-object", word, part.heads)
        return word, part, PREPOSITIONS[preposition]

    def in_place(self, place, at="在"):
        word, part, where = place
        return [word] + part.en, ([(at, [word])] if at else []) + part.zh + [(where, [word])]

    # ------------------------------------------------------------------------------------ pronouns and reasons

    def pronoun_for(self, part, as_object=False):
        """A pronoun that means `part`, in both languages."""
        word = Word(OBJECT_FORM[part.pronoun] if as_object else part.pronoun)
        self.relate("pronoun-antecedent", word, part.heads)
        if part.kind in ANIMATE.split() or part.pronoun in ("he", "she"):
            zh = {"it": "它", "he": "他", "she": "她"}.get(part.pronoun)
            if part.pronoun == "they":
                zh = {"animal": "它们", "woman": "她们"}.get(part.kind, "他们")
            return word, [(zh, [word] + part.heads)]
        return word, [(text, [word] + part.heads) for text in part.again]

    def reason(self, meant, other, past=True, only=None):
        """because it was too wide, said of `meant` and of nothing else; None where it can't be said."""
        known = [a for a in (said_of(meant) if not meant.slot else ADJECTIVES_OF.get(meant.kind, ()) ) if a.en in REASONS]
        excluded = {a.en for part in other for a in ADJECTIVES_OF.get(part.kind, ())
                    if part.pronoun == meant.pronoun or part.pronoun is None}
        if meant.slot:
            known = [a for a in known if a.en in ("tired", "hungry", "thirsty", "sick", "afraid", "sleepy", "wide", "narrow",
                                                  "dangerous", "delicious", "sweet", "sour", "fresh", "interesting",
                                                  "boring", "expensive", "cheap")]
        known = [a for a in known if a.en not in excluded and (only is None or a.en in only or meant.kind in ANIMATE.split())
                 and not (meant.kind in ANIMATE.split() and a.en in NOT_WHY)]
        if not known or meant.pronoun is None or meant.kind == "mixed":
            return None
        # Plural unknown words: nobody knows whether they are people.
        if meant.slot and meant.plural and meant.kind in ANIMATE.split():
            return None
        adjective = self.pick(known)
        because = Word("because")
        pronoun, zh_pronoun = self.pronoun_for(meant)
        en, zh = self.is_adjective([pronoun], not meant.plural, meant.plural, adjective, past,
                                   degree=self.pick(["", "", "too", "very"]) if adjective.predicate == "很" else "")
        return [because, pronoun] + en, [("，", [because]), ("因为", [because])] + zh_pronoun + zh

    # ---------------------------------------------------------------------------------------------- templates

    def transitive(self):
        en, zh, _ = self.clause(time=0.2)
        return en, zh

    def posture_parts(self, tense=None, subject=None):
        verb = self.pick(POSTURES)
        where = {"on": ("on on on under beside in", None), "stand": ("on under behind near beside in", "place"),
                 "hide": ("under behind in", None), "in": ("in in near under", None), "live": ("in in near", "place")}[verb.objects]
        preposition = self.pick(where[0].split())
        kinds = {"on": "furniture" if verb.base != "stand" else "street road bridge square bench",
                 "in": "garden park room house" if verb.objects == "on" else "place"}.get(preposition)
        if verb.base == "live":
            kinds = "house village city hotel" if preposition == "in" else "park river school station"
        subject = subject or self.subject(verb.subjects)
        if preposition == "in" and (subject.kind != "animal" or verb.base == "stand" or subject.plural):
            kinds = "place" if verb.base != "live" else kinds
        place = self.place(preposition, kinds)
        tense = tense or self.pick(["past"] * 4 + ["not past", "every day", "is doing", "was doing", "will", "want"])
        if verb.base in ("stay", "live", "hide") and tense in ("every day", "is doing"):
            tense = "past"
        state = verb._replace(marks="s" if tense == "past" else "")
        en, zh, after, _ = self.do(subject, state, tense)
        if tense in ("is doing", "was doing"):
            zh = zh[1:]  # 猫坐在垫子上, whatever the aspect
        en_place, zh_place = self.in_place(place)
        return subject, place, subject.en + en + en_place + after, subject.zh + zh + zh_place

    def posture(self):
        return self.posture_parts()[2:]

    def posture_reason(self):
        subject, place, en, zh = self.posture_parts("past")
        meant, other = (subject, place[1]) if self.chance(0.75) else (place[1], subject)
        reason = self.reason(meant, [other], only=COMFORTS)
        return None if reason is None else (en + reason[0], zh + reason[1])

    def action(self):
        verb = self.pick(ACTIONS)
        subject = self.subject("man woman" if verb.base == "run" and verb.subjects == MEN else verb.subjects,
                               slot=0 if verb.base in ("run", "play", "work") else 0.05)
        # It has no legs of its own: what "it" does is what an animal does.
        if len(subject.en) == 1 and subject.en[0].text == "it" and verb.base == "run":
            return None
        if verb.base == "run" and subject.kind == "animal" and verb.subjects == MEN:
            return None
        if verb.subjects != "animal" and verb.base == "run" and subject.slot and subject.en[0].text is not None:
            return None
        with_place = self.chance(0.7) or verb.objects.find("了") < 0
        tense = self.pick(["past"] * 4 + ["every day", "is doing", "was doing", "will", "want", "often", "can"])
        if with_place:
            kinds = {"swim": "river"}.get(verb.base)
            place = self.place("in" if not kinds else "in", kinds or "place field")
            plain = verb._replace(marks="s" if tense == "past" else "")
            en, zh, after, _ = self.do(subject, plain, tense)
            en_place, zh_place = self.in_place(place)
            # Adverbs come before the place; 正在 is "in the middle of" and "in" in one.
            if tense in ("is doing", "was doing"):
                en_all = en + en_place
                zh_all = zh[:1] + zh_place[1:] + zh[1:]
                return subject.en + en_all + after, subject.zh + zh_all
            return subject.en + en + en_place + after, subject.zh + zh[:-1] + zh_place + zh[-1:]
        plain = verb._replace(marks="s")
        en, zh, after, word = self.do(subject, plain, tense)
        if tense == "past":
            zh = [(text, [word]) for text in verb.objects.split()]
        return subject.en + en + after, subject.zh + zh

    def cross_reason(self):
        """The animal didn't cross the street because it was tired: the subject, or the object."""
        subject = self.subject("animal animal animal man woman person", definite=True, pronoun=0, slot=0.08)
        goal = self.noun_phrase("way", definite=True, slot=0.08, plural=0.1, role="way", adjective=0.1)
        verb = next(v for v in VERBS if v.base == "cross")
        return self.with_reason(subject, verb, goal, self.pick(["not past"] * 3 + ["past"]))

    def reason_object(self):
        choices = ["eat", "buy", "read", "drink", "sell", "like", "need", "carry", "push", "wash", "open", "help", "visit",
                   "cross", "follow", "steal", "repair", "clean", "chase"]
        base = self.pick(choices)
        verb = self.pick([v for v in VERBS if v.base == base])
        subject = self.subject(verb.subjects, definite=True, pronoun=0, slot=0.06)
        role = {"eat": "food", "buy": "thing", "read": "text", "cross": "way"}.get(base)
        goal = self.noun_phrase(verb.objects, definite=True, slot=0.06 if role else 0, role=role,
                                plural=0.15, adjective=0.15, avoid=[h.text for h in subject.heads if h.text])
        return self.with_reason(subject, verb, goal, self.pick(["past", "not past"]))

    def with_reason(self, subject, verb, goal, tense):
        en, zh, after, word = self.do(subject, verb, tense)
        self.relate("verb-object", word, goal.heads)
        meant, other = (subject, goal) if self.chance(0.5) else (goal, subject)
        reason = self.reason(meant, [other], only=COMFORTS if verb.base == "cross" else None)
        if reason is None:
            return None
        return subject.en + en + goal.en + reason[0], subject.zh + zh + goal.zh + reason[1]

    def liked_it(self):
        """The boy bought the cat because he liked it: two pronouns, two antecedents."""
        verb = self.pick([v for v in VERBS if v.base in ("buy", "read", "help", "follow", "feed", "steal", "invite", "chase", "sell", "draw", "visit", "wash")])
        subject = self.subject(verb.subjects.replace("fox_monkey", ""), definite=True, pronoun=0, slot=0.05)
        goal = self.noun_phrase(verb.objects, slot=0 if verb.base == "visit" else 0.05, role="thing", plural=0.2, adjective=0.15)
        if subject.pronoun == goal.pronoun or (subject.slot and subject.plural) or (goal.slot and goal.plural):
            return None
        people = goal.kind in MEN.split()
        base = self.pick(["like", "love", "miss", "know", "hate", "need"] if people and subject.kind in MEN.split() else
                         ["like", "hate"] if subject.kind == "animal" else ["like", "want", "need", "hate"])
        feeling = next(v for v in VERBS if v.base == base)
        en, zh, after, word = self.do(subject, verb, "past")
        self.relate("verb-object", word, goal.heads)
        because = Word("because")
        first, zh_first = self.pronoun_for(subject)
        second, zh_second = self.pronoun_for(goal, as_object=True)
        negative = self.chance(0.25)
        stand_in = Part([first], [], [first], subject.kind, subject.plural)
        en_feel, zh_feel, _, felt = self.do(stand_in, feeling, "not past" if negative else "past")
        self.relate("verb-object", felt, [second])
        return (subject.en + en + goal.en + [because, first] + en_feel + [second],
                subject.zh + zh + goal.zh + [("，", [because]), ("因为", [because])] + zh_first + zh_feel + zh_second)

    def then_it(self):
        """The girl bought an apple and ate it; 然后吃了那个苹果."""
        pairs = [("buy", "eat", "food"), ("buy", "read", "text"), ("buy", "drink", "drink"), ("meet", "help", MEN),
                 ("find", "sell", "accessory camera phone"), ("find", "feed", "animal"), ("wash", "eat", "food"),
                 ("buy", "repair", "furniture vehicle instrument"), ("see", "invite", MEN), ("find", "open", "container"),
                 ("see", "follow", ANIMATE), ("write", "read", "text"), ("buy", "wash", "garment"), ("meet", "thank", MEN),
                 ("see", "buy", GOODS), ("find", "lose", "text accessory"), ("cook", "eat", "egg tomato")]
        one, two, kinds = self.pick(pairs)
        first = next(v for v in VERBS if v.base == one)
        second = next(v for v in VERBS if v.base == two)
        subject = self.subject(MEN, slot=0.05)
        goal = self.noun_phrase(kinds, slot=0.06 if kinds not in (MEN, ANIMATE, "animal") else 0, role=kinds.split()[0], plural=0.2,
                                avoid=[h.text for h in subject.heads if h.text])
        if goal.slot and goal.plural and goal.kind in ANIMATE.split():
            return None
        en, zh, _, word = self.do(subject, first, "past")
        self.relate("verb-object", word, goal.heads)
        conj = Word("and")
        pronoun, zh_pronoun = self.pronoun_for(goal, as_object=True)
        en2, zh2, _, word2 = self.do(subject, second, "past")
        self.relate("verb-object", word2, [pronoun])
        return (subject.en + en + goal.en + [conj] + en2 + [pronoun],
                subject.zh + zh + goal.zh + [("，", [conj]), ("然后", [conj])] + zh2 + zh_pronoun)

    def many_objects(self):
        """Up to six of them: no length is made up that wasn't seen."""
        verb = self.pick([v for v in VERBS if v.base in ("buy", "sell", "see", "eat", "like", "find", "want", "need", "wash", "draw", "know", "invite", "read")])
        tense = self.pick(["past", "past", "past", self.tense_of(verb)])
        if tense in ("not past", "not present", "never", "cannot", "will not"):
            tense = "past"
        subject = self.subject(verb.subjects)
        count, parts, used = self.pick([1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6]), [], [h.text for h in subject.heads if h.text]
        kinds = verb.objects if not self.chance(0.5) else self.pick(verb.objects.split())
        for _ in range(count):
            generic = verb.base in ("like",)
            part = self.noun_phrase(kinds if len(nouns_of(kinds)) > 9 else verb.objects, generic=generic, slot=0.05,
                                    adjective=0.15 if count > 3 else 0.3, role="thing",
                                    avoid=used if len(nouns_of(verb.objects)) > 12 else ())
            used.append(part.heads[0].text)
            parts.append(part)
        goal = self.listed(parts)
        en, zh, after, word = self.do(subject, verb, tense)
        self.relate("verb-object", word, goal.heads)
        return subject.en + en + goal.en + after, subject.zh + zh + goal.zh

    def many_subjects(self):
        kinds = self.pick([MEN, MEN, "animal"])
        count, used, parts = self.pick([2, 2, 2, 3, 3, 4, 5, 6]), [], []
        for _ in range(count):
            while True:
                part = (self.name() if kinds == MEN and self.chance(0.4) else
                        self.noun_phrase(kinds, definite=True, adjective=0.12, slot=0, plural=0.12))
                if part.heads[0].text is None or part.heads[0].text not in used:
                    break
            used.append(part.heads[0].text)
            parts.append(part)
        subject = self.listed(parts)
        choice = self.rng.random()
        if choice < 0.4:
            verb = self.pick([v for v in VERBS if kinds.split()[0] in v.subjects.split()])
            en, zh, _ = self.clause(verb, "past" if "s" not in verb.marks else None, subject)
            self.rng.random()  # keeps the order of draws by which the weights were trained from their seed
            return en, zh
        _, place, en, zh = self.posture_parts("past", subject) if choice < 0.8 or kinds == "animal" else (None, None) + self.both_are(subject)
        if place and self.chance(0.5):
            reason = self.reason(subject, [place[1]])
            if reason:
                return en + reason[0], zh + reason[1]
        return en, zh

    def both_are(self, subject):
        self.rng.random()  # as in many_subjects
        adjective = self.pick([a for a in ADJECTIVES_OF["woman"] if a.en in
                               ("tired", "hungry", "thirsty", "happy", "sad", "angry", "clever", "kind", "brave", "old",
                                "young", "busy")])
        en, zh = self.is_adjective(subject.heads, False, True, adjective, self.chance(0.5), degree=self.degree(adjective))
        return subject.en + en, subject.zh + zh

    def two_clauses(self):
        """The boy read a book and the girl cooked an egg; but, too."""
        link, zh_link = self.pick([("and", "，"), ("and", "，"), ("but", "，但是"), ("but", "，但是")])
        count = self.pick([2, 2, 2, 3]) if link == "and" else 2
        en, zh = [], []
        for i in range(count):
            verb = self.pick([v for v in VERBS if "s" not in v.marks])
            tense = "past" if link != "but" else ["past", "not past"][i]
            e, z, _ = self.clause(verb, tense)
            if i + 1 == count:
                word = Word(link)
                en += ([Word(",")] if link in ("but", "so") and self.chance(0.6) else []) + [word]
                zh += [("，", [word])] + ([(zh_link[1:], [word])] if len(zh_link) > 1 else [])
            elif i > 0:
                word = Word(",")
                en.append(word)
                zh.append(("，", [word]))
            en, zh = en + e, zh + z
        return en, zh

    def adjective_so(self):
        """The animal was tired, so it didn't cross the street."""
        subject = self.subject("animal man woman person", definite=True, pronoun=0, slot=0.06)
        if subject.slot and subject.plural:
            return None
        adjective = self.pick([a for a in ADJECTIVES_OF[subject.kind] if a.en in ("tired", "hungry", "thirsty", "sick", "afraid", "sleepy", "lazy", "angry")])
        wanted = {"hungry": ["eat"], "thirsty": ["drink"]}.get(adjective.en)
        verb = self.pick([v for v in VERBS if v.base in (wanted or ["cross", "cross", "follow", "chase", "push"]) and subject.kind in v.subjects.split()])
        link, zh_link = self.pick([("so", "所以"), ("but", "但是")])
        tense = "past" if bool(wanted) == (link == "so") else "not past"
        en, zh = self.is_adjective(subject.heads, subject.third, subject.plural, adjective, True, degree=self.pick(["", "", "very"]) if adjective.predicate == "很" else "")
        en, zh = subject.en + en, subject.zh + zh
        word = Word(link)
        pronoun, zh_pronoun = self.pronoun_for(subject)
        stand_in = Part([pronoun], zh_pronoun, [pronoun], subject.kind, subject.plural)
        goal = self.noun_phrase(verb.objects, definite=True, adjective=0.1, slot=0.04, plural=0.1, role="thing",
                                avoid=[h.text for h in subject.heads if h.text])
        en2, zh2, _, done = self.do(stand_in, verb, tense)
        self.relate("verb-object", done, goal.heads)
        comma = [Word(",")] if self.chance(0.7) else []
        return (en + comma + [word, pronoun] + en2 + goal.en,
                zh + [("，", comma or [word]), (zh_link, [word])] + zh_pronoun + zh2 + goal.zh)

    def wide_but(self):
        """The street was wide, but the animal crossed it."""
        kinds, verbs = self.pick([("way", "cross"), ("food", "eat"), ("text", "read"), ("drink", "drink"), ("way", "cross")])
        goal = self.noun_phrase(kinds, only=["the", "this", "that"], adjective=0, slot=0.06 if kinds in ("way", "food", "text") else 0,
                                plural=0.12, role=kinds)
        if goal.slot and goal.plural:
            return None
        adjective = self.pick([a for a in (ADJECTIVES_OF_NOUN[goal.noun.one] if not goal.slot else ADJECTIVES_OF[kinds]) if a.en in
                               ("wide", "narrow", "dangerous", "delicious", "sweet", "sour", "interesting", "boring", "hot", "cold", "long", "fresh")] or ADJECTIVES_OF["way"][-1:])
        verb = next(v for v in VERBS if v.base == verbs)
        subject = self.subject("man woman person" if kinds == "text" else ANIMATE, slot=0.03)
        if subject.pronoun is None:
            return None
        inviting = adjective.en in ("narrow", "delicious", "sweet", "interesting", "fresh")
        link, zh_link = self.pick([("so", "所以"), ("but", "但是")])
        tense = "past" if inviting == (link == "so") else "not past"
        en, zh = self.is_adjective(goal.heads, goal.third, goal.plural, adjective, True, degree=self.pick(["", "very"]))
        word = Word(link)
        pronoun, zh_pronoun = self.pronoun_for(goal, as_object=True)
        en2, zh2, _, done = self.do(subject, verb, tense)
        self.relate("verb-object", done, [pronoun])
        comma = [Word(",")] if self.chance(0.7) else []
        return (goal.en + en + comma + [word] + subject.en + en2 + [pronoun],
                goal.zh + zh + [("，", comma or [word]), (zh_link, [word])] + subject.zh + zh2 + zh_pronoun)

    def fit(self):
        """The ball didn't fit in the box because it was too big: the ball; too small: the box."""
        inner = self.noun_phrase("text garment accessory food ball toy camera clock computer umbrella picture gift lamp", definite=True,
                                 adjective=0.15, slot=0.1, plural=0.1, role="thing")
        outer = self.noun_phrase("container", definite=True, adjective=0.1, slot=0.08 if not inner.slot else 0, plural=0, role="thing")
        big = self.chance(0.5)
        aux, no = self.negated("did", True)
        word, preposition, because = Word("fit"), Word("in"), Word("because")
        self.relate("verb-subject", word, inner.heads)
        self.relate("preposition-object", preposition, outer.heads)
        meant = inner if big else outer
        if meant.pronoun is None:
            return None
        pronoun, zh_pronoun = self.pronoun_for(meant)
        adjective = next(a for a in ADJECTIVES_OF["container"] if a.en == ("big" if big else "small"))
        en, zh = self.is_adjective([pronoun], not meant.plural, meant.plural, adjective, True, degree="too")
        return (inner.en + aux + [word, preposition] + outer.en + [because, pronoun] + en,
                inner.zh + [("放", [word]), ("不", no), ("进", [preposition])] + outer.zh +
                [("，", [because]), ("因为", [because])] + zh_pronoun + zh)

    def bank(self):
        """河岸 or 银行: decided by what happens there."""
        river = self.chance(0.5)
        noun = BANK["way"] if river else BANK["place"]
        part = self.noun_phrase("", noun=noun, plural=0, adjective=0, only=["the", "the", "the", "this", "that"])
        if river:
            choice = self.pick(["sit", "sit", "swim", "is", "of"])
            if choice == "is":
                text, zh_text = self.pick([("muddy", "泥泞"), ("steep", "陡"), ("green", None), ("wet", "湿")])
                word = Word(text)
                be = Word(self.pick(["was", "is"]))
                self.relate("verb-subject", be, part.heads)
                zh = [("很", [be]), (zh_text, [word])] if zh_text else [("是", [be]), ("绿色", [word]), ("的", [word])]
                return part.en + [be, word], part.zh + zh
            subject = self.subject(ANIMATE, slot=0.03)
            if choice == "swim":
                word, to = Word("swam"), Word("to")
                self.relate("verb-subject", word, subject.heads)
                self.relate("preposition-object", to, part.heads)
                return (subject.en + [word, to] + part.en, subject.zh + [("游", [word]), ("到", [to])] + part.zh)
            base = self.pick(["sit", "lie", "sleep", "stand"])
            verb = next(v for v in POSTURES if v.base == base)
            en, zh, _, _ = self.do(subject, verb._replace(marks="s"), "past")
            on = Word("on")
            self.relate("preposition-object", on, part.heads)
            if choice == "of":
                of, the, stream = Word("of"), Word("the"), Word("river")
                self.relate("preposition-object", of, [stream])
                self.relate("determiner-noun", the, [stream])
                if part.en[0].text != "the":
                    return None
                return (subject.en + en + [on] + part.en + [of, the, stream],
                        subject.zh + zh + [("在", [on]), ("河岸", part.heads + [stream]), ("上", [on])])
            return (subject.en + en + [on] + part.en, subject.zh + zh + [("在", [on])] + part.zh + [("上", [on])])
        choice = self.pick(["work", "money", "go", "is"])
        if choice == "is":
            text, zh_text = self.pick([("rich", "富有"), ("closed", None), ("famous", "有名")])
            word, be = Word(text), Word(self.pick(["was", "is"]))
            self.relate("verb-subject", be, part.heads)
            zh = [("很", [be]), (zh_text, [word])] if zh_text else [("关门", [word]), ("了", [be, word])]
            return part.en + [be, word], part.zh + zh
        subject = self.subject(MEN, slot=0.05)
        if choice == "work":
            verb = self.pick([v for v in ACTIONS if v.base in ["work", "wait"]])
            tense = self.pick(["past", "every day", "will", "want"])
            en, zh, after, _ = self.do(subject, verb._replace(marks="s"), tense)
            place = (Word(self.pick(["in", "at"])), part, "里")
            self.relate("preposition-object", place[0], part.heads)
            en_place, zh_place = self.in_place(place)
            return subject.en + en + en_place + after, subject.zh + zh[:-1] + zh_place + zh[-1:]
        if choice == "money":
            money = Word("money")
            word, preposition, zh_verb = self.pick([("borrowed", "from", "借"), ("put", "in", "存"), ("took", "from", "取")])
            word, preposition = Word(word), Word(preposition)
            self.relate("verb-subject", word, subject.heads)
            self.relate("verb-object", word, [money])
            self.relate("preposition-object", preposition, part.heads)
            if preposition.text == "from":
                return (subject.en + [word, money, preposition] + part.en,
                        subject.zh + [("从", [preposition])] + part.zh + [(zh_verb, [word]), ("了", [word]), ("钱", [money])])
            return (subject.en + [word, money, preposition] + part.en,
                    subject.zh + [("把", [word]), ("钱", [money]), (zh_verb, [word]), ("在", [preposition])] + part.zh + [("里", [preposition])])
        word, to = Word("went"), Word("to")
        self.relate("verb-subject", word, subject.heads)
        self.relate("preposition-object", to, part.heads)
        return subject.en + [word, to] + part.en, subject.zh + [("去", [word]), ("了", [word])] + part.zh

    def bat(self):
        """蝙蝠 or 球棒: decided by what it does, or what is done with it."""
        animal = self.chance(0.5)
        part = self.noun_phrase("", noun=BAT["animal" if animal else "thing"], plural=0.15, adjective=0,
                                only=["the", "the", "this", "that", "my"] if not animal else ["the", "the", "this", "that"])
        if animal:
            choice = self.pick(["posture", "adjective", "verb"])
            if choice == "posture":
                base = self.pick(["sleep", "hide"])
                verb = next(v for v in POSTURES if v.base == base)
                place = self.place("in under behind near", None, slot=0)
                en, zh, _, _ = self.do(part, verb._replace(marks="s"), "past")
                en_place, zh_place = self.in_place(place)
                if self.chance(0.4):
                    reason = self.reason(part, [place[1]])
                    if reason:
                        en_place, zh_place = en_place + reason[0], zh_place + reason[1]
                return part.en + en + en_place, part.zh + zh + zh_place
            if choice == "adjective":
                adjective = self.pick([a for a in ADJECTIVES_OF["animal"] if a.en in ("tired", "hungry", "sick", "afraid", "sleepy", "angry", "thirsty")])
                en, zh = self.is_adjective(part.heads, part.third, part.plural, adjective, self.chance(0.6),
                                           degree=self.degree(adjective))
                return part.en + en, part.zh + zh
            verb = self.pick([v for v in VERBS if v.base in ("eat", "follow", "drink")])
            en, zh, _ = self.clause(verb, self.pick(["past", "not past", "is doing"]), part)
            return en, zh
        choice = self.pick(["hit", "hit", "broken", "buy", "hold"])
        if choice == "broken":
            adjective = self.pick([a for a in ADJECTIVES_OF["furniture"] if a.en in ("broken", "cheap", "expensive", "new")])
            en, zh = self.is_adjective(part.heads, part.third, part.plural, adjective, self.chance(0.6))
            if adjective.en == "cheap":
                return None
            return part.en + en, part.zh + zh
        subject = self.subject(MEN, slot=0.04)
        if choice == "hit":
            word, preposition = Word("hit"), Word("with")
            goal = self.noun_phrase("ball stone window door", definite=True, slot=0, plural=0.1, adjective=0.15)
            self.relate("verb-subject", word, subject.heads)
            self.relate("verb-object", word, goal.heads)
            self.relate("preposition-object", preposition, part.heads)
            return (subject.en + [word] + goal.en + [preposition] + part.en,
                    subject.zh + [("用", [preposition])] + part.zh + [("打", [word]), ("了", [word])] + goal.zh)
        base = "repair" if choice == "buy" else "lose"
        verb = next(v for v in VERBS if v.base == base)
        en, zh, _, word = self.do(subject, verb, self.pick(["past", "not past", "will"]))
        self.relate("verb-object", word, part.heads)
        return subject.en + en + part.en, subject.zh + zh + part.zh

    def play(self):
        """弹, 拉, 吹, 踢, 打, 玩: decided by what is played."""
        rows = {"piano": "弹", "guitar": "弹", "violin": "拉", "cello": "拉", "flute": "吹", "trumpet": "吹", "game": "玩", "toy": "玩",
                "football": "踢", "basketball": "打", "chess": "下"}
        games = {"football": "足球", "basketball": "篮球", "chess": "棋"}
        what = self.pick(list(rows))
        subject = self.subject(MEN, slot=0.05)
        plain = next(v for v in ACTIONS if v.base == "play")
        tense = self.pick(["past", "past", "past", "every day", "often", "is doing", "was doing", "can", "cannot", "want", "will", "not past", "never", "not present"])
        verb = plain._replace(zh=rows[what], marks="")
        en, zh, after, word = self.do(subject, verb, tense)
        if what in games:
            goal = Word(what)
            goal = Part([goal], [(games[what], [goal])], [goal], "thing")
        elif what == "toy":
            goal = self.noun_phrase("", noun=BY_WORD[what], definite=True, plural=0.3, adjective=0.2)
            preposition = Word("with")
            self.relate("preposition-object", preposition, goal.heads)
            return subject.en + en + [preposition] + goal.en + after, subject.zh + zh + goal.zh
        else:
            goal = self.noun_phrase("", noun=BY_WORD[what], definite=tense != "past", adjective=0.2, plural=0)
        self.relate("verb-object", word, goal.heads)
        return subject.en + en + goal.en + after, subject.zh + zh + goal.zh

    def wear(self):
        """穿 or 戴: decided by what is worn, all of a list being of one kind."""
        kind = self.pick(["garment", "accessory"])
        subject = self.subject(MEN, slot=0.04)
        tense = self.pick(["past", "past", "is doing", "was doing", "every day", "will", "want", "not past", "often", "never", "must"])
        verb = WEAR._replace(zh="穿" if kind == "garment" else "戴", marks="")
        en, zh, after, word = self.do(subject, verb, tense)
        if tense in ("past", "is doing", "was doing"):
            # Having it on, not putting it on: 穿着.
            zh = [(verb.zh, [word]), ("着", [word])]
        count = self.pick([1, 1, 1, 2])
        parts, used = [], []
        for _ in range(count):
            parts.append(self.noun_phrase(kind, definite=tense in ("not past", "never", "every day"), slot=0, plural=0, adjective=0.35, avoid=used))
            used.append(parts[-1].heads[0].text)
        goal = self.listed(parts)
        self.relate("verb-object", word, goal.heads)
        return subject.en + en + goal.en + after, subject.zh + zh + goal.zh

    def machines(self):
        """run, work, leave: what they mean depends on who does it."""
        choice = self.pick(["work", "work", "run river", "run shop", "leave place", "leave train", "leave thing"])
        if choice == "work":
            subject = self.noun_phrase("machine computer clock", definite=True, slot=0, plural=0.15)
            verb = self.pick([v for v in ACTIONS if v.base in ["work", "run"]])._replace(zh="运转", marks="s")
            tense = self.pick(["past", "not past", "not present", "is doing", "was doing", "will", "will not", "every day", "can", "cannot"])
            en, zh, after, word = self.do(subject, verb, tense)
            if tense == "past":
                zh = zh + [("了", [word])]
            elif tense == "not past":
                zh = [("没有", zh[0][1])] + zh[1:]
            return subject.en + en + after, subject.zh + zh
        if choice == "run river":
            subject = self.noun_phrase("river", only=["the", "this", "that"], slot=0, plural=0)
            word, through = Word(self.pick(["runs", "ran"])), Word("through")
            goal = self.noun_phrase("city village park field garden", definite=True, slot=0.05, plural=0.1)
            self.relate("verb-subject", word, subject.heads)
            self.relate("preposition-object", through, goal.heads)
            return subject.en + [word, through] + goal.en, subject.zh + [("流", [word]), ("过", [through])] + goal.zh
        if choice == "run shop":
            subject = self.subject(MEN, slot=0.05)
            goal = self.noun_phrase("shop hotel museum school hospital market", slot=0, plural=0.1)
            verb = next(v for v in ACTIONS if v.base == "run")._replace(zh="经营", marks="s")
            en, zh, after, word = self.do(subject, verb, self.pick(["past", "present", "present", "want", "will"]))
            self.relate("verb-object", word, goal.heads)
            return subject.en + en + goal.en, subject.zh + zh + goal.zh
        word = Word("left")
        if choice == "leave train":
            subject = self.noun_phrase("train bus ship taxi truck", definite=True, slot=0, plural=0.1)
            self.relate("verb-subject", word, subject.heads)
            if self.chance(0.4):
                at = Word("yesterday")
                return subject.en + [word, at], subject.zh + [("昨天", [at]), ("开走", [word]), ("了", [word])]
            goal = self.noun_phrase("station city village", definite=True, slot=0.03, plural=0)
            self.relate("verb-object", word, goal.heads)
            return subject.en + [word] + goal.en, subject.zh + [("驶离", [word]), ("了", [word])] + goal.zh
        subject = self.subject(MEN, slot=0 if choice == "leave place" else 0.04)
        if subject.slot and len(subject.en) > 1:
            return None
        self.relate("verb-subject", word, subject.heads)
        if choice == "leave place":
            goal = self.noun_phrase("place", definite=True, slot=0, plural=0)
            self.relate("verb-object", word, goal.heads)
            return subject.en + [word] + goal.en, subject.zh + [("离开", [word]), ("了", [word])] + goal.zh
        goal = self.noun_phrase("text accessory garment key phone umbrella camera pen", definite=True, slot=0.06, role="thing")
        place = self.place("on in under", slot=0.03)
        self.relate("verb-object", word, goal.heads)
        en_place, zh_place = self.in_place(place)
        return (subject.en + [word] + goal.en + en_place,
                subject.zh + [("把", [word])] + goal.zh + [("留", [word])] + zh_place)

    def where(self):
        """Where is the cat? Where did the boy put the book?"""
        where = Word("where")
        choice = self.pick(["is", "is", "put", "posture", "buy"])
        if choice == "is":
            subject = self.subject(ANIMATE + " text accessory thing container", definite=True, slot=0.08, pronoun=0.06)
            me = subject.en[0].text == "i"
            be = Word(self.pick([("am" if me else "is" if subject.third else "are"), ("was" if me or subject.third else "were")]))
            self.relate("verb-subject", be, subject.heads)
            return [where, be] + subject.en, subject.zh + [("在", [be]), ("哪里", [where])], "?"
        subject = self.subject(ANIMATE if choice == "posture" else MEN, definite=True, slot=0.06)
        did = Word("did")
        if choice == "posture":
            verb = self.pick([v for v in POSTURES if v.base in ("sit", "sleep", "hide", "stay", "live", "lie")])
            if verb.base == "live" and (subject.kind == "animal"):
                return None
            word = Word(verb.base)
            self.relate("verb-subject", word, subject.heads)
            return [where, did] + subject.en + [word], subject.zh + [(verb.zh, [word]), ("在", [where]), ("哪里", [where])], "?"
        if choice == "buy":
            verb = self.pick([v for v in VERBS if v.base in ["buy", "see", "find", "meet", "read", "lose"]])
            word = Word(verb.base)
            goal = self.noun_phrase(verb.objects, definite=True, slot=0.08, role="thing")
            self.relate("verb-subject", word, subject.heads)
            self.relate("verb-object", word, goal.heads)
            return ([where, did] + subject.en + [word] + goal.en,
                    subject.zh + [("在", [where]), ("哪里", [where]), (verb.zh, [word]), ("了", [did, word])] + goal.zh, "?")
        word = Word("put")
        goal = self.noun_phrase("text accessory garment thing container food", definite=True, slot=0.08)
        self.relate("verb-subject", word, subject.heads)
        self.relate("verb-object", word, goal.heads)
        return ([where, did] + subject.en + [word] + goal.en,
                subject.zh + [("把", [word])] + goal.zh + [("放", [word]), ("在", [where]), ("哪里", [where]), ("了", [did])], "?")

    def question(self):
        """Did the cat eat the fish? Who bought it? What did the boy buy?"""
        choice = self.pick(["did", "is", "who", "what"])
        if choice == "is":
            subject = self.subject(ANIMATE + " way food furniture text", definite=True, slot=0.03, name=0.1)
            if subject.slot:
                return None
            adjective = self.pick([a for a in said_of(subject) if a.predicate == "很"])
            me = subject.en[0].text == "i"
            if me:
                return None
            if subject.pronoun is None:
                adjective = self.pick([a for a in ADJECTIVES_OF["person"] if a.en in ("tired", "hungry", "thirsty", "angry", "afraid")])
            be = Word(self.pick([("is" if subject.third else "are"), ("was" if subject.third else "were")]))
            if len(subject.en) == 1 and subject.en[0].text == "you":
                be = Word("are")
            word = Word(adjective.en)
            self.relate("verb-subject", be, subject.heads)
            return [be] + subject.en + [word], subject.zh + [(adjective.zh, [word]), ("吗", [be])], "?"
        verb = self.pick([v for v in VERBS if "s" not in v.marks and "n" not in v.marks])
        if choice == "who":
            who = Word("who")
            if "man" not in verb.subjects:
                return None
            subject = Part([who], [("谁", [who])], [who], "person")
            en, zh, _ = self.clause(verb, self.pick(["past", "past", "will", "can"]), subject)
            return en, zh, "?"
        did, word = Word("did"), Word(verb.base)
        subject = self.subject(verb.subjects, definite=True, slot=0.05)
        self.relate("verb-subject", word, subject.heads)
        if choice == "what":
            what = Word("what")
            if verb.base in ("visit",) or not any(k in GOODS.split() + ["food", "drink", "container"] for k in verb.objects.split()):
                return None
            self.relate("verb-object", word, [what])
            return ([what, did] + subject.en + [word], subject.zh + [(verb.zh, [word]), ("了", [did, word]), ("什么", [what])], "?")
        goal = self.noun_phrase(verb.objects, definite=True, slot=0.05 if verb.base != "visit" else 0, role="thing",
                                avoid=[h.text for h in subject.heads if h.text])
        self.relate("verb-object", word, goal.heads)
        return ([did] + subject.en + [word] + goal.en,
                subject.zh + [(verb.zh, [word]), ("了", [did, word])] + goal.zh + [("吗", [did])], "?")

    def there_is(self):
        """There is a cat on the mat: 垫子上有一只猫."""
        there, count = Word("there"), self.pick([1, 1, 1, 2, 3])
        parts, used = [], []
        kinds = self.pick(["animal", "text accessory thing", "food", "furniture", MEN, "container", "animal food text"])
        preposition = self.pick(["on", "in", "under", "behind", "near", "beside"])
        for i in range(count):
            only = ["a", "a", "two", "three", "some", "many"] if i > 0 or count == 1 else ["a"]
            noun = self.pick(nouns_of(kinds))
            while noun.one in used or (noun.many is None):
                noun = self.pick(nouns_of(kinds))
            used.append(noun.one)
            determiner = self.pick(only)
            if self.slots < 3 and self.chance(0.06):
                self.slots += 1
                word = Word(None)
                noun = Noun(word, word, word, "个", "thing")
                many = determiner != "a"
                parts.append(self.phrase(determiner, [], word, noun, many, slot=True))
                continue
            many = determiner != "a"
            chosen = self.adjectives_before(noun) if self.chance(0.25) else []
            parts.append(self.phrase(determiner, chosen, Word(noun.many if many else noun.one), noun, many))
        part = self.listed(parts)
        place = self.place(preposition, None if preposition != "in" or kinds not in ("furniture", MEN) else "place",
                           slot=0.06, avoid=used)
        be = Word(self.pick(["is", "was"]) if not parts[0].plural else self.pick(["are", "were"]))
        self.relate("verb-subject", be, part.heads)
        en_place, zh_place = self.in_place(place, at=None)
        return [there, be] + part.en + en_place, zh_place + [("有", [there, be])] + part.zh

    def located(self):
        """The cat is on the mat."""
        subject = self.subject(ANIMATE + " text accessory food ball key phone toy cup", definite=True, slot=0.06, name=0.08)
        place = self.place(slot=0.06, avoid=[h.text for h in subject.heads if h.text])
        if place[1].en[0].text == "a":
            return None
        me = subject.en[0].text == "i"
        past, negative = self.chance(0.4), self.chance(0.25)
        form = ("was" if subject.third or me else "were") if past else ("am" if me else "is" if subject.third else "are")
        if len(subject.en) == 1 and subject.en[0].text == "you":
            form = "were" if past else "are"
        en, no = self.negated(form, negative)
        self.relate("verb-subject", en[0], subject.heads)
        en_place, zh_place = self.in_place(place, at=None)
        return (subject.en + en + en_place,
                subject.zh + ([("不", no)] if negative else []) + [("在", [en[0], place[0]])] + zh_place)

    def between(self):
        subject = self.subject(ANIMATE, definite=True, slot=0.04)
        kinds = self.pick(["furniture", "tree house river bridge road", "container", "school hospital park museum station"])
        one = self.noun_phrase(kinds, definite=True, slot=0.05, plural=0, adjective=0.15, role="thing")
        two = self.noun_phrase(kinds, definite=True, slot=0.05, plural=0, adjective=0.15, role="thing", avoid=[one.heads[0].text])
        between, conj = Word("between"), Word("and")
        verb = self.pick([v for v in POSTURES if v.base in ("sit", "stand", "lie", "sleep")])
        en, zh, _, _ = self.do(subject, verb._replace(marks="s"), "past")
        self.relate("preposition-object", between, one.heads + two.heads)
        return (subject.en + en + [between] + one.en + [conj] + two.en,
                subject.zh + zh + [("在", [between])] + one.zh + [("和", [conj])] + two.zh + [("之间", [between])])

    def nested(self):
        """The book in the box on the table: 桌子上的箱子里的书, from the outside in."""
        chains = [("in", "container"), ("on", "table desk bed chair sofa bench carpet"), ("in", "kitchen room office garden house"),
                  ("near", "park river school station")]
        first = self.pick([0, 0, 0, 1, 1, 2])
        used = [i for i in range(first, 4) if i == first or self.chance(0.65)][:self.pick([1, 2, 2, 3])]
        kinds = "text accessory food key phone toy" if used[0] == 0 else "animal text accessory container" if used[0] == 1 else "furniture animal"
        core = self.noun_phrase(kinds, definite=True, slot=0.08, adjective=0.2, plural=0.15, only=["the", "the", "this", "my"], role="thing")
        if core.slot and core.plural:
            return None
        en, zh_places, before = core.en, [], core
        for index in used:
            preposition, place_kinds = chains[index]
            word, part, where = self.place(preposition, place_kinds, slot=0.04, plural=0, avoid=[core.heads[0].text])
            en = en + [word] + part.en
            zh_places = part.zh + [(where, [word]), ("的", [word])] + zh_places
        zh = zh_places + core.zh
        if self.chance(0.5):
            subject = self.subject("man woman person", slot=0.03)
            verb = self.pick([v for v in VERBS if v.base in ("see", "find", "like")])
            if verb.base == "find" and core.kind == "furniture":
                return None
            en_verb, zh_verb, _, word = self.do(subject, verb, self.pick(["past", "past", "will", "not past"]) if verb.base != "like" else "present")
            self.relate("verb-object", word, core.heads)
            return subject.en + en_verb + en, subject.zh + zh_verb + zh
        adjective = self.pick(said_of(core))
        en_is, zh_is = self.is_adjective(core.heads, core.third, core.plural, adjective, self.chance(0.5), degree=self.degree(adjective))
        return en + en_is, zh + zh_is

    def relative(self):
        """The boy who bought the cat is tired; the cat that the boy bought was cheap; I saw the boy who …"""
        verb = self.pick([v for v in VERBS if "s" not in v.marks and v.base not in ("cross", "drive", "draw")])
        if self.chance(0.5):
            core = self.noun_phrase(verb.subjects, only=["the", "the", "that"], slot=0.03, adjective=0.1, plural=0.15)
            if core.kind not in ANIMATE.split():
                return None
            goal = self.noun_phrase(verb.objects, definite=False, slot=0.04 if verb.base != "visit" else 0, adjective=0.2,
                                    avoid=[h.text for h in core.heads if h.text])
            who, word = Word("that" if core.kind == "animal" or self.chance(0.2) else "who"), Word(verb.past)
            self.relate("verb-subject", word, core.heads)
            self.relate("verb-object", word, goal.heads)
            tail = [word] + goal.en
            zh_verb = [(verb.zh, [word])] + ([] if "n" in verb.marks else [("了", [word])]) + goal.zh
        else:
            core = self.noun_phrase(verb.objects, only=["the", "the", "that"], slot=0.05 if verb.base != "visit" else 0, adjective=0.1, plural=0.15)
            goal = self.subject(verb.subjects, definite=True, slot=0.03, avoid=[h.text for h in core.heads if h.text])
            who, word = Word("that"), Word(verb.past)
            self.relate("verb-subject", word, goal.heads)
            self.relate("verb-object", word, core.heads)
            tail = goal.en + [word]
            zh_verb = goal.zh + [(verb.zh, [word])]
        # 那个 and the like come before the description; adjectives and the noun after it.
        start = 0
        if core.en[0].text == "that":
            start = 2 if not core.plural else 0
        elif core.plural:
            start = 1
        zh = core.zh[:start] + zh_verb + [("的", [who])] + core.zh[start:]
        # 那只买了鱼的猫; without a pointing word, 买了鱼的猫.
        if core.plural and core.en[0].text == "that":
            return None
        en = core.en[:] + [who] + tail
        if self.chance(0.35):
            subject = self.subject("man woman person", slot=0, avoid=[h.text for part in (core, goal) for h in part.heads if h.text])
            saw = self.pick([v for v in VERBS if v.base in ("see", "like")])
            en_saw, zh_saw, _, did = self.do(subject, saw, "past")
            self.relate("verb-object", did, core.heads)
            return subject.en + en_saw + en, subject.zh + zh_saw + zh
        if core.slot:
            adjective = self.pick([a for a in PLAIN if a.en in ("cheap", "expensive", "new", "beautiful")])
            if core.kind in ANIMATE.split():
                return None
        else:
            adjective = self.pick(said_of(core))
        en_is, zh_is = self.is_adjective(core.heads, core.third, core.plural, adjective, self.chance(0.6), degree=self.degree(adjective))
        return en + en_is, zh + zh_is

    def put(self):
        """The girl put the book on the table: 把书放在桌子上."""
        subject = self.subject(MEN, slot=0.05)
        count = self.pick([1, 1, 1, 2, 3])
        parts, used = [], []
        for _ in range(count):
            parts.append(self.noun_phrase("text accessory garment thing container food", definite=True, slot=0.06, adjective=0.2,
                                          avoid=used + GROUPS["door"] + GROUPS["plant"]))
            used.append(parts[-1].heads[0].text)
        goal = self.listed(parts)
        verb, zh_verb = self.pick([(("put", "put"), "放"), (("hide", "hid"), "藏")])
        tense = self.pick(["past", "past", "past", "will", "want", "did not"])
        place = self.place("on in under behind beside", None, slot=0.05, avoid=used)
        act = PUT._replace(base=verb[0], past=verb[1], zh=zh_verb)
        en, zh, _, word = self.do(subject, act, {"did not": "not past"}.get(tense, tense))
        self.relate("verb-object", word, goal.heads)
        en_place, zh_place = self.in_place(place)
        before = zh[:-1] if tense != "past" else []
        return (subject.en + en + goal.en + en_place,
                subject.zh + before + [("把", [word])] + goal.zh + [(zh_verb, [word])] + zh_place)

    def give(self):
        """The teacher gave the student a book; bought the boy a book; bought a book for the boy."""
        subject = self.subject(MEN, slot=0.05)
        taken = [h.text for h in subject.heads if h.text]
        person = (self.free_object() if self.chance(0.2) else self.name() if self.chance(0.25) else
                  self.noun_phrase(MEN, definite=True, slot=0, adjective=0.15, plural=0.15, avoid=taken))
        goal = self.noun_phrase("text accessory garment food thing", slot=0.08, only=None, adjective=0.25,
                                avoid=GROUPS["door"] + GROUPS["plant"])
        choice = self.pick(["give", "give to", "buy for", "show", "send to"])
        if choice in ("give", "give to", "send to", "show"):
            base, past, zh_verb = {"g": ("give", "gave", "给"), "s": ("show", "showed", "给"), "S": ("send", "sent", "寄给")}[
                "S" if choice == "send to" else "s" if choice == "show" else "g"]
            if choice == "show":
                word = Word(past)
                self.relate("verb-subject", word, subject.heads)
                self.relate("verb-object", word, goal.heads)
                return (subject.en + [word] + person.en + goal.en,
                        subject.zh + [("给", [word])] + person.zh + [("看", [word]), ("了", [word])] + goal.zh)
            tense = self.pick(["past", "past", "past", "will", "want", "not past"])
            if tense == "not past" and goal.en[0].text == "a":
                tense = "past"
            verb = PUT._replace(base=base, past=past, zh=zh_verb)
            en, zh, _, word = self.do(subject, verb, tense)
            self.relate("verb-object", word, goal.heads)
            if goal.en[0].text not in ("a", "two", "three", "four", "some", "many"):
                # What is known is handed over by 把.
                ahead = zh[:[text for text, _ in zh].index(zh_verb)]
                zh = ahead + [("把", [word])] + goal.zh + [(zh_verb, [word])] + ([("了", [word])] if tense == "past" else [])
                goal = Part(goal.en, [], goal.heads, goal.kind)
            if choice == "give":
                return subject.en + en + person.en + goal.en, subject.zh + zh + person.zh + goal.zh
            to = Word("to")
            self.relate("preposition-object", to, person.heads)
            return subject.en + en + goal.en + [to] + person.en, subject.zh + zh + person.zh + goal.zh
        word, preposition = Word(self.pick(["bought", "made"])), Word("for")
        if word.text == "made":
            goal = self.noun_phrase("cake sandwich cookie toy", slot=0.05, plural=0.2, adjective=0.15)
        self.relate("verb-subject", word, subject.heads)
        self.relate("verb-object", word, goal.heads)
        self.relate("preposition-object", preposition, person.heads)
        return (subject.en + [word] + goal.en + [preposition] + person.en,
                subject.zh + [("给", [preposition])] + person.zh + [("买" if word.text == "bought" else "做", [word]), ("了", [word])] + goal.zh)

    def compare(self):
        """The dog is bigger than the cat: 狗比猫大."""
        text = self.pick(list(COMPARATIVES))
        zh_text, kinds = COMPARATIVES[text]
        kind = self.pick(kinds.split())
        one = self.noun_phrase(kind, definite=True, slot=0.05, adjective=0.1, plural=0.1)
        two = self.noun_phrase(kind, definite=True, slot=0.05, adjective=0.1, plural=0.1, avoid=[one.heads[0].text])
        be, word, than = Word("is" if not one.plural else "are"), Word(text), Word("than")
        if self.chance(0.3):
            be = Word("was" if not one.plural else "were")
        self.relate("verb-subject", be, one.heads)
        self.relate("preposition-object", than, two.heads)
        if self.chance(0.2):
            much = Word("much")
            return (one.en + [be, much, word, than] + two.en, one.zh + [("比", [than])] + two.zh + [(zh_text, [word]), ("得", [much]), ("多", [much])])
        return one.en + [be, word, than] + two.en, one.zh + [("比", [than])] + two.zh + [(zh_text, [word])]

    def adjective(self):
        """The chair is old: 旧; the man is old: 老."""
        subject = self.subject(ANIMATE + " way food furniture text garment accessory vehicle container place drink", definite=True,
                               slot=0.04, name=0.1)
        known = said_of(subject)
        if subject.slot or subject.pronoun is None:
            known = ([a for a in ADJECTIVES_OF["person"] if a.en in ("tired", "hungry", "happy", "sad", "angry", "old", "young", "sick", "busy", "thirsty", "sleepy", "afraid")]
                     if len(subject.en) == 1 else PLAIN)
        if len(subject.en) == 1 and subject.en[0].text == "it":
            known = [a for a in ADJECTIVES_OF["animal"] if a.en in ("tired", "hungry", "sick", "afraid", "sleepy", "thirsty", "big", "small", "cheap")]
        adjective = self.pick(known)
        me = len(subject.en) == 1 and subject.en[0].text == "i"
        negative = self.chance(0.2)
        en, zh = self.is_adjective(subject.heads, subject.third, subject.plural, adjective, self.chance(0.5), negative,
                                   "" if negative else self.degree(adjective), me)
        if me and en[0].text == "were":
            en[0].text = "was"
        return subject.en + en, subject.zh + zh

    def identity(self):
        """Tom is a doctor; this is a book; they are my friends."""
        of_thing = self.chance(0.45)
        negative, past = self.chance(0.2), self.chance(0.15)
        if of_thing:
            word = Word(self.pick(["this", "that", "it"]))
            subject = Part([word], [({"this": "这", "that": "那", "it": "它"}[word.text], [word])], [word], "thing")
            kinds = "animal furniture food text garment accessory instrument vehicle thing place"
        else:
            subject = self.free_pronoun("i you he she we they") if self.chance(0.5) else self.name()
            kinds = "person"
        many = subject.plural
        me, you = ([subject.en[0].text == text for text in ("i", "you")])
        noun = self.pick(nouns_of(kinds))
        form = (("was" if subject.third or me else "were") if past else ("am" if me else "is" if subject.third else "are"))
        en, no = self.negated(form, negative)
        self.relate("verb-subject", en[0], subject.heads)
        if many:
            goal = self.phrase(self.pick(["", "", self.pick(POSSESSIVE)]) if noun.one not in NOBODYS else "", [], Word(noun.many), noun, True)
        elif of_thing and self.slots < 3 and self.chance(0.12):
            self.slots += 1
            slot = Word(None)
            goal = self.phrase(self.pick(["a", "a", "my", "your"]), [self.pick(PLAIN)] if self.chance(0.3) else [], slot,
                               Noun(slot, slot, slot, "个", "thing"), False, slot=True)
        else:
            determiner = self.pick(["a", "a", "a", self.pick(POSSESSIVE)]) if noun.one not in NOBODYS else "a"
            goal = self.phrase(determiner, self.adjectives_before(noun) if self.chance(0.35) else [], Word(noun.one), noun, False)
        return (subject.en + en + goal.en, subject.zh + ([("不", no)] if negative else []) + [("是", en[:1])] + goal.zh)

    def go(self):
        """The boy went to the park; 去, 走到, 跑到."""
        forms, zh_verb, kinds = self.pick([("go goes went going", "去", "place"), ("go goes went going", "去", "place"),
                                           ("walk walks walked walking", "走 到", "place river bridge tree door window table"),
                                           ("run runs ran running", "跑 到", "tree door window river house bridge")])
        base, third, past, ing = forms.split()
        verb = PUT._replace(base=base, s=third, past=past, ing=ing, zh=zh_verb, marks="" if base == "go" else "s")
        subject = self.subject(MEN if base == "go" else ANIMATE, slot=0.04)
        tense = self.pick(["past", "past", "past", "will", "want", "not past"] + (["every day", "often", "never", "can"] if base == "go" else []))
        if base != "go":
            verb = verb._replace(marks="s" if tense == "past" else "")
        en, zh, after, word = self.do(subject, verb, tense)
        to = Word("to")
        goal = self.noun_phrase(kinds, definite=True, slot=0.07, adjective=0.2, plural=0.05)
        self.relate("preposition-object", to, goal.heads)
        # 走到: the second half is the preposition's.
        zh = [piece for text, sources in zh for piece in
              ([(text, sources)] if " " not in text else [(text.split()[0], sources), (text.split()[1], [to])])]
        # To a tree means to its place.
        beside = [("旁边", [to])] if base != "go" and not goal.slot and goal.kind != "place" else []
        before = []
        if tense == "past" and base == "go" and self.chance(0.3):
            at = Word("yesterday")
            after, before = [at], [("昨天", [at])]
        return subject.en + en + [to] + goal.en + after, subject.zh + before + zh + goal.zh + beside

    def weather(self):
        """It rained, so the boy stayed in the house; an it that means nothing."""
        it = Word("it")
        if self.chance(0.5):
            word = Word(self.pick(["rained", "snowed"]))
            self.relate("verb-subject", word, [it])
            zh = [("下雨" if word.text == "rained" else "下雪", [word]), ("了", [word])]
            link = Word("so")
            subject, _, en, zh2 = self.posture_parts("past")
            comma = [Word(",")] if self.chance(0.7) else []
            return [it, word] + comma + [link] + en, zh + [("，", comma or [link]), ("所以", [link])] + zh2
        link, zh_link = self.pick([("because", "因为")])
        subject, _, en, zh = self.posture_parts("past")
        be, because = Word("was"), Word(link)
        word = Word(self.pick(["raining", "snowing"]))
        self.relate("verb-subject", word, [it])
        return en + [because, it, be, word], zh + [("，", [because]), (zh_link, [because]), ("正在", [be, word]), ("下雨" if word.text == "raining" else "下雪", [word])]

    def when_if(self):
        """When the boy opened the door, the cat was sleeping on the mat; if the girl buys a cat, she will feed it."""
        if self.chance(0.5):
            when = Word("when")
            verb = self.pick([v for v in VERBS if v.base in ("open", "see", "find", "close", "meet", "break", "read", "eat")])
            subject = self.subject(verb.subjects, slot=0.03)
            goal = self.noun_phrase(verb.objects, definite=True, slot=0.04, adjective=0.15, plural=0.1, avoid=[h.text for h in subject.heads if h.text])
            en, zh, _, word = self.do(subject, verb, "past")
            self.relate("verb-object", word, goal.heads)
            comma = [Word(",")] if self.chance(0.8) else []
            _, _, en2, zh2 = self.posture_parts("past")
            # 当男孩打开门时: no 了.
            zh = [item for item in zh if item[0] != "了"]
            if not comma:
                return None
            return ([when] + subject.en + en + goal.en + comma + en2,
                    [("当", [when])] + subject.zh + zh + goal.zh + [("时", [when]), ("，", comma)] + zh2)
        word_if, comma = Word("if"), Word(",")
        verb, then, kinds = self.pick([("buy", "read", "text"), ("buy", "eat", "food"), ("find", "feed", "animal"), ("meet", "help", MEN),
                                       ("buy", "wash", "garment"), ("see", "invite", MEN), ("find", "sell", "accessory"), ("buy", "repair", "vehicle")])
        verb, then = (next(v for v in VERBS if v.base == base) for base in (verb, then))
        subject = self.subject(MEN, definite=True, pronoun=0, slot=0.05)
        goal = self.noun_phrase(kinds, slot=0.05 if kinds not in (MEN, "animal") else 0, adjective=0.15, plural=0.15,
                                avoid=[h.text for h in subject.heads if h.text])
        if subject.pronoun == goal.pronoun or (subject.slot and subject.plural):
            return None
        en, zh, _, word = self.do(subject, verb, "present")
        self.relate("verb-object", word, goal.heads)
        first, zh_first = self.pronoun_for(subject)
        second, zh_second = self.pronoun_for(goal, as_object=True)
        stand_in = Part([first], [], [first], subject.kind, subject.plural)
        en2, zh2, _, word2 = self.do(stand_in, then, "will")
        self.relate("verb-object", word2, [second])
        return ([word_if] + subject.en + en + goal.en + [comma, first] + en2 + [second],
                [("如果", [word_if])] + subject.zh + zh + goal.zh + [("，", [comma])] + zh_first + zh2 + zh_second)


WEAR = VERBS[0]._replace(base="wear", s="wears", past="wore", ing="wearing", zh="穿", marks="")
PUT = VERBS[0]._replace(base="put", s="puts", past="put", ing="putting", zh="放", marks="")

# How often each is tried.
TEMPLATES = {"transitive": 10, "posture": 5, "posture_reason": 8, "action": 5, "cross_reason": 8, "reason_object": 10,
             "liked_it": 6, "then_it": 5, "many_objects": 9, "many_subjects": 8, "two_clauses": 4, "adjective_so": 4,
             "wide_but": 4, "fit": 4, "bank": 5, "bat": 4, "play": 4, "wear": 4, "machines": 5, "where": 5, "question": 5,
             "there_is": 5, "located": 4, "between": 2, "nested": 7, "relative": 8, "put": 4, "give": 5, "compare": 3,
             "adjective": 6, "weather": 2, "when_if": 5,
             "identity": 4, "go": 3}
DRAWN = [name for name, weight in TEMPLATES.items() for _ in range(weight)]
LONGEST = 40  # tokens of either language


def generate(rng, template=None):
    """A Pair of one template, or of any."""
    chosen = template or DRAWN[int(rng.random() * len(DRAWN))]
    while True:
        builder = Builder(rng)
        made = getattr(builder, chosen)()
        if made is not None:
            pair = finish(chosen, builder, *made)
            if len(pair.en) <= LONGEST and len(pair.zh) <= LONGEST:
                return pair


class Led(Builder):
    """Draws what a given sentence contains, wherever there is a choice."""

    def __init__(self, rng, words):
        super().__init__(rng)
        self.words = set(words)

    def pick(self, items):
        fitting = [item for item in items if self.contains(item)]
        return super().pick(fitting if fitting and self.chance(0.97) else items)

    def contains(self, item):
        if isinstance(item, Noun):
            return item.one in self.words or item.many in self.words
        if isinstance(item, Adjective):
            return item.en in self.words
        if hasattr(item, "base"):
            return bool({item.base, item.s, item.past, item.ing} & self.words)
        return isinstance(item, str) and item in self.words


def words_of(sentence):
    """The tokens of English text, as the models' tokenizer makes them."""
    for mark in ".,?":
        sentence = sentence.replace(mark, f" {mark} ")
    return sentence.lower().replace("’", "'").split()


def pair_of(sentence, tries=200000):
    """The Pair of a sentence, or None where the grammar doesn't seem to have it: it is looked for, not parsed."""
    words = words_of(sentence)
    bare = [word for word in words if word not in ".?"]
    rng = random.Random(1)
    for _ in range(tries):
        template = DRAWN[int(rng.random() * len(DRAWN))]
        builder = Led(rng, bare)
        made = getattr(builder, template)()
        if made is None:
            continue
        en = [word.text for word in made[0]]
        if len(en) != len(bare) or any(a != b and not (a == "a" and b == "an") for a, b in zip(en, bare)):
            continue
        while True:
            pair = finish(template, builder, *made)
            if len(pair.en) == len(words):
                return pair
            made = (made[0], made[1], *made[2:])
    return None


def finish(template, builder, en, zh, ending="."):
    slots = 0
    for i, word in enumerate(en):
        word.at = i
        if word.text is None:
            word.text = SLOTS[slots]
            slots += 1
    for i, word in enumerate(en):
        if word.text == "a" and i + 1 < len(en):
            following = en[i + 1].text
            if following[0] in "aeiou" or (following in SLOTS and builder.chance(0.3)):
                word.text = "an"
    words = [word.text for word in en]
    tokens = [text if isinstance(text, str) else text.text for text, _ in zh]
    alignment = [sorted({word.at for word in sources}) for _, sources in zh]
    if builder.chance(0.55 if ending == "." else 0.8):
        alignment.append([len(words)])
        words.append(ending)
        tokens.append({".": "。", "?": "？"}[ending])
    relations = [(name, word.at, sorted({target.at for target in targets})) for name, word, targets in builder.relations
                 if word.at >= 0 and all(target.at >= 0 for target in targets)]
    return Pair(template, words, tokens, alignment, relations)


SPECIAL = ["</s>", "<unk>", *SLOTS]


def vocabulary():
    """All tokens, English and Chinese: found by drawing, since templates have words of their own; and each apart."""
    if not VOCABULARY:
        rng, english, chinese = random.Random(3), set(), set()
        for _ in range(150000):
            pair = generate(rng)
            english.update(pair.en)
            chinese.update(pair.zh)
        english, chinese = sorted(english - set(SPECIAL)), sorted(chinese - set(SPECIAL))
        VOCABULARY.append((SPECIAL + english + [word for word in chinese if word not in english] + ["<pad>"], english, chinese))
    return VOCABULARY[0]


VOCABULARY = []


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--template", choices=list(TEMPLATES))
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    for template in [options.template] if options.template else TEMPLATES:
        print(f"-- {template}")
        for _ in range(options.count):
            pair = generate(rng, template)
            print(f"{pair.english}\n    {' '.join(pair.zh)}")


if __name__ == "__main__":
    sys.exit(main())
