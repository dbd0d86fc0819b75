// Makes tokenizers.json: small tokenizers of every kind with the encodings of Hugging Face's `tokenizers`.
// npm install --ignore-scripts tokenizers@0.23.2 && node make_reference_tokenizers.js CHARSMAP
// CHARSMAP: base64 of the character map of a SentencePiece model that was trained with the rules
//   41>61 FF21>"61 308" 2026>"2E 2E 2E" BD>"31 2044 32" FB01>"66 69" "D A">20 9>20 A>20 "65 301">E9 338F>"6B 67"
// Spans are kept as a checksum, in bytes.
const fs = require('fs');
const {Tokenizer} = require('tokenizers');
const charsmap = fs.readFileSync(process.argv[2], 'utf8').trim();

const texts = [
  "Hello world, don't stop!", '  two  spaces\t\n\nand lines  ', '你好，世界！中文分词 中', 'العربية עברית हिन्दी ไทย',
  'Café cafe\u0301 ÀÉÎ STRASSE straße İ ΑΣ', '👍🏽 👩‍👩‍👧 🇨🇳 🤣', 'x²+½=Ⅷ １２３ 12345 x_1', 'for(i=0;i<10;++i){a+=$^`|~}',
  '<s>a</s> <mask> b [MASK] ab<unk>', 'a\u0323\u0301 \u0301\u0323 ﬁne … ㎏ ｶﾞ が', '\u0000\u0007\u00ad\ufeff\u200b\ufffd\ue000é',
  "I'll WE'VE 'S 'ſ we've", 'ab abc aab aaaa aaabbb', '▁▁a Ġb <0x41> ##ing', '日本語のカタカナー 한국 \u1100\u1161\u11a8',
  'a\u{1c89}\u{10d50}\u{897}a \u{11de0}1 \u{1e5f1}', '', '\r\n\r\n \u2028\u00a0\u3000x\u0085'];
const pairs = [[0, 2], [8, 13], [16, 12]];

const words = texts.join(' ').split(' ').filter(w => w !== '');
const alphabet = [...new Set(texts.join('').replace(/[ \u0000]/g, '') + '▁abcdefghijklmnopqrstuvwxyz0123456789')];
const bytes = [];
for (let b = 0, next = 256; b < 256; ++b)
  bytes.push(String.fromCodePoint((b >= 33 && b <= 126) || (b >= 161 && b <= 172) || b >= 174 ? b : next++));
const inBytes = text => [...new TextEncoder().encode(text)].map(b => bytes[b]).join('');
const byteTokens = bytes.map((_, b) => '<0x' + b.toString(16).toUpperCase().padStart(2, '0') + '>');
const numbered = tokens => Object.fromEntries([...new Set(tokens)].map((token, id) => [token, id]));

// Repeatedly merges the most frequent pair.
function bpe(first, sample, merges, {prefix = '', suffix = '', rest = []} = {}) {
  const tokens = ['<unk>', '<s>', '</s>', ...first];
  if (prefix) tokens.push(...first.map(c => prefix + c));
  if (suffix) tokens.push(...first.map(c => c + suffix), ...(prefix ? first.map(c => prefix + c + suffix) : []));
  const known = new Set(tokens);
  let parts = sample.map(word => [...word].map((c, i, all) => (i ? prefix : '') + c + (i + 1 === all.length ? suffix : '')))
                  .filter(part => part.every(token => known.has(token)));
  const list = [];
  for (let n = 0; n < merges; ++n) {
    const counts = new Map();
    for (const part of parts)
      for (let i = 0; i + 1 < part.length; ++i) {
        const pair = part[i] + ' ' + part[i + 1];
        counts.set(pair, (counts.get(pair) || 0) + 1);
      }
    const best = [...counts].sort((x, y) => y[1] - x[1] || (x[0] < y[0] ? -1 : 1))[0];
    if (!best) break;
    const [a, b] = best[0].split(' ');
    list.push(n % 2 ? [a, b] : a + ' ' + b);
    tokens.push(a + b.slice(prefix.length));
    parts = parts.map(part => {
      const joined = [];
      for (let i = 0; i < part.length; ++i)
        joined.push(part[i] === a && part[i + 1] === b ? a + part[++i].slice(prefix.length) : part[i]);
      return joined;
    });
  }
  // Either all pairs or all strings.
  const pair = m => Array.isArray(m) ? m : m.split(' ');
  return {type: 'BPE', vocab: numbered([...tokens, ...rest]), merges: list.map(m => prefix ? pair(m).join(' ') : pair(m))};
}
const pieces = words.flatMap(w => ['▁' + w, [...w].slice(0, 3).join(''), '▁' + [...w].slice(0, 2).join('')]);
const unigram = rest => [['<unk>', 0], ['<s>', 0], ['</s>', 0],
  ...[...new Set([...alphabet.filter((c, i) => i % 6), ...pieces.filter((p, i) => i % 3)])].map((p, i) => [p, -3 - (i * 37 % 101) / 10]), ...rest];
const models = {
  bytes: bpe(bytes, words.flatMap(w => [inBytes(' ' + w), inBytes(w)]), 90),
  pieces: bpe(alphabet, words.map(w => '▁' + w), 60, {rest: byteTokens}),
  few: bpe([...'abcdeHlowrdt▁'], words.map(w => '▁' + w), 20, {rest: ['<0xE4>', '<0xBD>', '<0xA0>', '<0xC3>', '<0xA9>']}),
  prefixed: bpe([...'abcdefghijklmnopqrstuvwxyzHW'], words, 30, {prefix: '##'}),
  suffixed: bpe([...'abcdefghijklmnopqrstuvwxyzHW'], words, 30, {prefix: '@@', suffix: '</w>'}),
  wordpiece: {type: 'WordPiece', unk_token: '[UNK]', continuing_subword_prefix: '##', max_input_chars_per_word: 9,
    vocab: numbered(['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]', ...alphabet, ...alphabet.filter((c, i) => i % 3).map(c => '##' + c), 'hello', 'stop', 'cafe', 'stras', '##se', '##fe', '12', '##345', 'ca'])},
  words: {type: 'WordLevel', unk_token: '[UNK]', vocab: numbered(['[UNK]', ...alphabet, ...words, ...words.map(w => w.toLowerCase()), ' '])},
  unigram: {type: 'Unigram', unk_id: 0, vocab: unigram([])},
  unigram_bytes: {type: 'Unigram', unk_id: 0, byte_fallback: true, vocab: unigram(byteTokens.map(t => [t, -20]))},
};

const bl = {type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: true};
const metaspace = {type: 'Metaspace', replacement: '▁', prepend_scheme: 'always', split: true};
const split = (pattern, behavior = 'Isolated', invert = false) => ({type: 'Split', pattern, behavior, invert});
const nseq = (...normalizers) => ({type: 'Sequence', normalizers});
const pseq = (...pretokenizers) => ({type: 'Sequence', pretokenizers});
const added = (content, flags = {}) => ({id: 900, content, single_word: false, lstrip: false, rstrip: false, normalized: false, special: true, ...flags});
const item = (text, type_id) => ({[text.length > 1 ? 'SpecialToken' : 'Sequence']: {id: text, type_id}});
const template = (single, pair, tokens) => ({type: 'TemplateProcessing', single, pair,
  special_tokens: Object.fromEntries(Object.entries(tokens).map(([id, ids]) => [id, {id, ids, tokens: ids.map(() => id)}]))});
const bosTemplate = template([item('<s>', 0), item('A', 0)], [item('<s>', 0), item('A', 0), item('<s>', 1), item('B', 1)], {'<s>': [1]});
const eosTemplate = template([item('A', 0), item('</s>', 0)], [item('A', 0), item('</s>', 0), item('B', 0), item('</s>', 0)], {'</s>': [2, 2]});
const bertTemplate = template([item('[CLS]', 0), item('A', 0), item('[SEP]', 0)], [item('[CLS]', 0), item('A', 0), item('[SEP]', 0), item('B', 1), item('[SEP]', 1)], {'[CLS]': [2], '[SEP]': [3]});
const llama3 = n => `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}${n}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+`;
const o200k = "[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]*[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*|\\s+(?!\\S)|\\s+";
const bert = (flags = {}) => ({type: 'BertNormalizer', clean_text: true, handle_chinese_chars: true, strip_accents: null, lowercase: true, ...flags});
const specials = ['<unk>', '<s>', '</s>'].map(c => added(c)), mask = added('<mask>', {lstrip: true});
const bertTokens = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]'].map(c => added(c));
const each = split({Regex: '.'});

const tokenizers = {
  gpt2: {model: 'bytes', pre_tokenizer: bl, post_processor: {...bl, trim_offsets: false}, decoder: bl, added_tokens: [added('<|endoftext|>')]},
  gpt2_prefix: {model: 'bytes', pre_tokenizer: {...bl, add_prefix_space: true}, post_processor: {...bl, add_prefix_space: true}, decoder: bl},
  roberta: {model: 'bytes', pre_tokenizer: bl, decoder: bl, post_processor: {type: 'RobertaProcessing', sep: ['</s>', 2], cls: ['<s>', 1], trim_offsets: true, add_prefix_space: false}, added_tokens: [...specials, mask]},
  llama3: {model: 'bytes', pre_tokenizer: pseq(split({Regex: llama3('{1,3}')}), {...bl, use_regex: false}), decoder: bl, post_processor: {type: 'Sequence', processors: [{...bl, trim_offsets: false}, bosTemplate]}, added_tokens: specials, options: {ignore_merges: true}},
  qwen: {model: 'bytes', normalizer: {type: 'NFC'}, pre_tokenizer: pseq(split({Regex: llama3('')}), {...bl, use_regex: false}), decoder: bl},
  o200k: {model: 'bytes', pre_tokenizer: pseq(split({Regex: o200k}, 'Removed', true), {...bl, use_regex: false}), decoder: bl},
  byte_normalizer: {model: 'bytes', normalizer: {type: 'ByteLevel'}, decoder: bl},
  llama2: {model: 'pieces', normalizer: nseq({type: 'Prepend', prepend: '▁'}, {type: 'Replace', pattern: {String: ' '}, content: '▁'}), post_processor: bosTemplate, added_tokens: specials, options: {unk_token: '<unk>', fuse_unk: true, byte_fallback: true},
    decoder: {type: 'Sequence', decoders: [{type: 'Replace', pattern: {String: '▁'}, content: ' '}, {type: 'ByteFallback'}, {type: 'Fuse'}, {type: 'Strip', content: ' ', start: 1, stop: 0}]}},
  unknown_fused: {model: 'few', pre_tokenizer: {...metaspace, prepend_scheme: 'first', split: false}, options: {unk_token: '<unk>', fuse_unk: true}, decoder: metaspace, added_tokens: specials},
  unknown_single: {model: 'few', pre_tokenizer: {...metaspace, prepend_scheme: 'never'}, options: {unk_token: '<unk>'}, decoder: {...metaspace, prepend_scheme: 'never'}},
  unknown_vanishes: {model: 'few'},
  some_bytes: {model: 'few', options: {unk_token: '<unk>', fuse_unk: true, byte_fallback: true}, decoder: {type: 'ByteFallback'}},
  bpe_prefix: {model: 'prefixed', normalizer: {type: 'Lowercase'}, pre_tokenizer: {type: 'BertPreTokenizer'}, options: {unk_token: '<unk>', continuing_subword_prefix: '##'}, decoder: {type: 'WordPiece', prefix: '##', cleanup: true}},
  bpe_suffix: {model: 'suffixed', pre_tokenizer: {type: 'Whitespace'}, options: {unk_token: '<unk>', continuing_subword_prefix: '@@', end_of_word_suffix: '</w>'}, decoder: {type: 'BPEDecoder', suffix: '</w>'}},
  bert: {model: 'wordpiece', normalizer: bert(), pre_tokenizer: {type: 'BertPreTokenizer'}, post_processor: bertTemplate, decoder: {type: 'WordPiece', prefix: '##', cleanup: true}, added_tokens: bertTokens},
  bert_cased: {model: 'wordpiece', normalizer: bert({lowercase: false, clean_text: false}), pre_tokenizer: {type: 'BertPreTokenizer'}, post_processor: {type: 'BertProcessing', sep: ['[SEP]', 3], cls: ['[CLS]', 2]}, decoder: {type: 'WordPiece', prefix: '##', cleanup: false}, added_tokens: bertTokens},
  bert_accents: {model: 'wordpiece', normalizer: bert({strip_accents: false, handle_chinese_chars: false}), pre_tokenizer: {type: 'BertPreTokenizer'}},
  unigram: {model: 'unigram', normalizer: nseq({type: 'Nmt'}, {type: 'NFKC'}, {type: 'Replace', pattern: {Regex: ' {2,}'}, content: ' '}), pre_tokenizer: pseq({type: 'WhitespaceSplit'}, metaspace), post_processor: eosTemplate, decoder: metaspace, added_tokens: [...specials, added('<extra_id_0>', {rstrip: true})]},
  unigram_first: {model: 'unigram', pre_tokenizer: {...metaspace, prepend_scheme: 'first'}, decoder: metaspace, added_tokens: specials},
  t5: {model: 'unigram_bytes', normalizer: nseq({type: 'Precompiled', precompiled_charsmap: charsmap}, {type: 'Strip', strip_left: false, strip_right: true}, {type: 'Replace', pattern: {Regex: ' {2,}'}, content: '▁'}), pre_tokenizer: metaspace, post_processor: eosTemplate, decoder: metaspace, added_tokens: specials},
  replaced: {model: 'words', normalizer: nseq({type: 'Strip', strip_left: true, strip_right: true}, {type: 'Prepend', prepend: '▁x'}, {type: 'Replace', pattern: {Regex: '[aeiou](?=l)'}, content: 'éé'}, {type: 'Replace', pattern: {String: 'll'}, content: ''}, {type: 'NFD'}, {type: 'StripAccents'}), pre_tokenizer: each},
  digits: {model: 'words', pre_tokenizer: {type: 'Digits', individual_digits: true}},
  digit_runs: {model: 'words', pre_tokenizer: pseq({type: 'Digits', individual_digits: false}, {type: 'Whitespace'})},
  scripts: {model: 'bytes', pre_tokenizer: pseq({type: 'UnicodeScripts'}, {...bl, use_regex: false})},
  delimiter: {model: 'words', pre_tokenizer: {type: 'CharDelimiterSplit', delimiter: 'é'}},
  fixed: {model: 'words', pre_tokenizer: {type: 'FixedLength', length: 3}},
  ctc: {model: 'words', pre_tokenizer: each, decoder: {type: 'CTC', pad_token: 'a', word_delimiter_token: 'b', cleanup: true}},
  added: {model: 'words', normalizer: {type: 'Lowercase'}, pre_tokenizer: {type: 'Whitespace'}, added_tokens: [mask, ...[['ab', {single_word: true}], ['abc', {}], ['STRASSE', {}], ['lines', {lstrip: true, rstrip: true}], [' b', {}], ['中', {single_word: true}], ['two', {rstrip: true}]].map(([c, f]) => added(c, {normalized: true, special: false, ...f}))]},
  added_raw: {model: 'words', pre_tokenizer: {type: 'Whitespace'}, added_tokens: [mask, ...[['ab', {single_word: true}], ['abc', {}], ['STRASSE', {}], ['lines', {lstrip: true, rstrip: true}], [' b', {}], ['aa', {}], ['aaa', {}]].map(([c, f]) => added(c, {special: false, ...f}))]},
  whole: {model: 'words'},
};
for (const name of ['NFC', 'NFD', 'NFKC', 'NFKD', 'Lowercase', 'StripAccents', 'Nmt'])
  tokenizers[name] = {model: 'words', normalizer: {type: name}, pre_tokenizer: name.startsWith('N') ? each : {type: 'WhitespaceSplit'}};
for (const behavior of ['Removed', 'Isolated', 'MergedWithPrevious', 'MergedWithNext', 'Contiguous']) {
  tokenizers['split_' + behavior] = {model: 'words', pre_tokenizer: split({Regex: '\\w+|[^\\w\\s]+'}, behavior)};
  tokenizers['invert_' + behavior] = {model: 'words', pre_tokenizer: split({Regex: '\\s+|b*'}, behavior, true)};
  tokenizers['string_' + behavior] = {model: 'words', pre_tokenizer: pseq({type: 'Punctuation', behavior}, split({String: 'a'}, behavior))};
}

const checksum = numbers => numbers.reduce((sum, n) => (Math.imul(sum, 31) + n) >>> 0, 7);
async function reference(file) {
  const reads = Tokenizer.fromString(JSON.stringify({version: '1.0', truncation: null, padding: null, added_tokens: [], normalizer: null, pre_tokenizer: null, post_processor: null, decoder: null, ...file}));
  const encoded = async (text, pair) => {
    const encoding = await reads.encode(text, pair);
    const ids = encoding.getIds(), sequences = encoding.getSequenceIds();
    const toBytes = (characters, sequence) => sequence == null ? 0 : Buffer.byteLength([...(sequence ? pair : text)].slice(0, characters).join(''));
    const spans = encoding.getOffsets().flatMap(([b, e], i) => [toBytes(b, sequences[i]), toBytes(e, sequences[i])]);
    return [ids, checksum(spans), checksum(encoding.getTypeIds()), await reads.decode(ids, true)];
  };
  const results = [];
  for (const text of texts) {
    const [ids, spans, , decoded] = await encoded(text, null);
    results.push(file.decoder ? [ids, spans, decoded] : [ids, spans]);
  }
  const pairResults = [];
  if (file.post_processor) for (const [a, b] of pairs) pairResults.push((await encoded(texts[a], texts[b])).slice(0, 3));
  return [results, pairResults];
}

(async () => {
  const list = [];
  for (const [name, {model, options, ...file}] of Object.entries(tokenizers)) {
    const [results, pairResults] = await reference({...file, model: {...models[model], ...options}});
    list.push('{"name": ' + JSON.stringify(name) + ', "model": ' + JSON.stringify(model) + ', "options": ' + JSON.stringify(options || {}) + ',\n "file": ' + JSON.stringify(file) + ',\n "texts": ' + JSON.stringify(results) + ',\n "pairs": ' + JSON.stringify(pairResults) + '}');
  }
  const shown = Object.entries(models).map(([name, model]) => JSON.stringify(name) + ': ' + JSON.stringify(model));
  fs.writeFileSync(__dirname + '/tokenizers.json', '{"texts": ' + JSON.stringify(texts) + ',\n"pairs": ' + JSON.stringify(pairs) + ',\n"models": {\n' + shown.join(',\n') + '},\n"tokenizers": [\n' + list.join(',\n') + ']}\n');
})();
