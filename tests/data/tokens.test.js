// How texts are divided into tokens, and composed again without some of them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TextComposer } from '../../js/data/tokens.js';
import { tokenize } from '../support/tokenize.js';
import { dice } from '../support/dice.js';

const wordsOf = (text, options) => tokenize(text, options).tokens.map(({ start, end }) => text.slice(start, end));

/** The text without some of its features, named by their words. */
const without = (text, gone, options = {}) => {
  const tokenized = tokenize(text, options);
  const mask = Uint8Array.from(tokenized.features, ({ name }) => (gone.includes(name) ? 0 : 1));
  return new TextComposer(tokenized, options.mask).composeAll(mask, 1)[0];
};

const TEXTS = {
  english: "It's a moving tale of love — isn't it?  (Mostly.)\n\tYes!",
  german: 'Schöne Grüße, „Straßenbahn“-Fahrer: 3,5 Mio. Übergänge.',
  arabic: 'هذا فيلم جميل جداً، أنصح به!',
  chinese: '我非常喜欢这部电影。你呢？',
  japanese: 'この映画が大好きです。もう一度見たい！',
  thai: 'ฉันรักหนังเรื่องนี้มาก กำลังใจดี',
  hindi: 'यह फ़िल्म बहुत अच्छी है।',
  emoji: '😀👍🏽 nice 👨‍👩‍👧‍👦 1️⃣ 🇩🇪🇫🇷 ❤️‍🔥 ok e\u0301te\u0301 🏴󠁧󠁢󠁳󠁣󠁴󠁿',
};

for (const [language, text] of Object.entries(TEXTS))
  for (const tokens of ['intl', 'simple'])
    for (const unit of ['word', 'position', 'sentence', 'line'])
      test(`${language} by ${unit}, ${tokens}: spans cut no grapheme and put the text back together`, () => {
        const tokenized = tokenize(text, { tokens, unit });
        const graphemes = new Set([text.length]);
        for (const { index } of new Intl.Segmenter('en').segment(text)) graphemes.add(index);
        let from = 0;
        for (const { start, end, feature } of tokenized.tokens) {
          assert.ok(start >= from && end > start, `${start} to ${end} after ${from}`);
          assert.ok(graphemes.has(start) && graphemes.has(end), JSON.stringify(text.slice(start, end)));
          assert.ok(tokenized.features[feature].occurrences.some((one) => one.start === start && one.end === end));
          from = end;
        }
        const all = new Uint8Array(tokenized.features.length).fill(1);
        assert.equal(new TextComposer(tokenized).composeAll(all, 1)[0], text);
        assert.equal(new TextComposer(tokenized, '[MASK]').composeAll(all, 1)[0], text);
        if (unit === 'word') assert.ok(tokenized.tokens.length >= 3);
      });

test('words are found as readers see them', () => {
  assert.deepEqual(wordsOf("It's a 3.5-star tale"), ["It's", 'a', '3.5', 'star', 'tale']);
  assert.deepEqual(wordsOf("It's a 3.5-star tale", { tokens: 'simple' }), ["It's", 'a', '3.5-star', 'tale']);
  assert.deepEqual(wordsOf('我喜欢电影', { tokens: 'simple' }), ['我', '喜', '欢', '电', '影']);
  assert.deepEqual(wordsOf('good 👍🏽 👨‍👩‍👧 day'), ['good', '👍🏽', '👨‍👩‍👧', 'day']);
  assert.deepEqual(wordsOf('Hello. How are you?\n\nFine!', { unit: 'sentence' }), ['Hello.', 'How are you?', 'Fine!']);
  assert.deepEqual(wordsOf('Hello. How are you?\n\nFine!', { unit: 'sentence', tokens: 'simple' }), [
    'Hello.',
    'How are you?',
    'Fine!',
  ]);
  assert.deepEqual(wordsOf(' one\n\n two \r\nthree', { unit: 'line' }), ['one', 'two', 'three']);
});

test('a word is one feature with all its occurrences, a position is one occurrence, and case can be ignored', () => {
  const text = 'The cat saw the other cat';
  assert.deepEqual(
    tokenize(text).features.map(({ name, occurrences }) => [name, occurrences.length]),
    [
      ['The', 1],
      ['cat', 2],
      ['saw', 1],
      ['the', 1],
      ['other', 1],
    ],
  );
  assert.deepEqual(tokenize(text).features[1].occurrences, [
    { start: 4, end: 7 },
    { start: 22, end: 25 },
  ]);
  assert.equal(tokenize(text, { caseSensitive: false }).features.length, 4);
  assert.equal(tokenize(text, { unit: 'position' }).features.length, 6);
});

test('the simple rules tell numbers from sentence ends, and are fast on long rows of dots', () => {
  const by = (text) => wordsOf(text, { unit: 'sentence', tokens: 'simple' });
  assert.deepEqual(by('Pi is 3.14 or so. "Really?" Yes... no'), ['Pi is 3.14 or so.', '"Really?"', 'Yes...', 'no']);
  assert.deepEqual(by('你好。「很好！」再见'), ['你好。', '「很好！」', '再见']);
  assert.equal(by(`${'.'.repeat(100000)}a`).length, 1);
  assert.deepEqual(wordsOf('❤︎ ok 👨‍ x', { tokens: 'simple' }), ['❤︎', 'ok', '👨‍', 'x']);
});

test("the caller's own tokens need no Intl.Segmenter", (t) => {
  const { Segmenter } = Intl;
  t.after(() => (Intl.Segmenter = Segmenter));
  delete Intl.Segmenter;
  assert.deepEqual(wordsOf('a b c', { tokens: ['a', 'c'] }), ['a', 'c']);
  assert.throws(() => tokenize('a b c'), /this engine has no Intl.Segmenter; set tokens to 'simple', or pass spans/);
});

test('positions of the same word have different names', () => {
  const names = (text, unit) => tokenize(text, { unit }).features.map(({ name }) => name);
  assert.deepEqual(names('ha ha no', 'position'), ['ha (1)', 'ha (2)', 'no']);
  assert.deepEqual(names('Was it? No. Was it?', 'sentence'), ['Was it? (1)', 'No.', 'Was it? (2)']);
});

test('removal tidies the space and the full stop only', () => {
  assert.equal(without('a good, bad film', ['bad']), 'a good, film');
  assert.equal(without('It was bad.', ['bad']), 'It was.');
  assert.equal(without('bad film', ['bad']), 'film');
  assert.equal(without('film bad', ['bad']), 'film');
  assert.equal(without('a bad  bad film', ['bad']), 'a film');
  assert.equal(without('one bad\ntwo', ['bad']), 'one\ntwo');
  assert.equal(without('one\nbad two', ['bad']), 'one\ntwo');
  assert.equal(without('(bad) film', ['bad']), '() film');
  assert.equal(without('我很喜欢', ['很'], { tokens: 'simple' }), '我喜欢');
  assert.equal(without('bad', ['bad']), '');
  assert.equal(without('a bad film', ['bad'], { mask: '[MASK]' }), 'a [MASK] film');
});

test('tokens can be spans, pairs, words, or a function that returns them', () => {
  const text = 'New York is big';
  const expected = ['New York', 'big'];
  for (const tokens of [
    [
      { start: 0, end: 8 },
      { start: 12, end: 15 },
    ],
    [
      [0, 8],
      [12, 15],
    ],
    expected,
    () => expected,
  ])
    assert.deepEqual(wordsOf(text, { tokens }), expected);
});

test('bad texts and tokens are errors that name them', () => {
  const cases = [
    [5, {}, TypeError, /must be a string, not 5/],
    ['', {}, RangeError, /not be empty/],
    [' \n… —!', {}, RangeError, /no words: " \\n… —!"/],
    ['?!', { unit: 'sentence' }, RangeError, /no sentences/],
    ['half \ud83d done', {}, RangeError, /lone surrogate at offset 5/],
    ['a b', { tokens: 'bert' }, RangeError, /tokens must be one of intl, simple, not "bert"/],
    ['a b', { tokens: () => 7 }, TypeError, /array of spans, .* not 7/],
    ['a b', { tokens: [[0, 9]] }, RangeError, /token 0 must be a span within offsets 0 to 3, not 0 to 9/],
    ['a b', { tokens: [[2, 3], [0, 1]] }, RangeError, /token 1 must be a span within offsets 3/], // prettier-ignore
    ['a b', { tokens: [{ start: 1 }] }, RangeError, /token 0 must be a span/],
    ['a b', { tokens: new Array(1) }, RangeError, /token 0 must be a span .* not undefined to undefined/],
    ['a b', { tokens: ['c'] }, RangeError, /token 0, "c", is not in the text after offset 0/],
    ['a b', { tokens: [] }, RangeError, /no words/],
    ['👨‍👩‍👧 b', { tokens: [[0, 2]] }, RangeError, /token 0 splits a character at offset 2/],
    ['a b', { unit: 'syllable' }, RangeError, /unit must be one of word, position, sentence, line/],
    ['a b', { caseSensitive: 1 }, TypeError, /caseSensitive must be true or false/],
  ];
  for (const [text, options, type, message] of cases)
    assert.throws(
      () => tokenize(text, options),
      (error) => error instanceof type && message.test(error.message),
      `${message}`,
    );
});

/** The text without some of its tokens, removed one by one; later tokens move forward. */
function oneByOne(text, tokens, gone) {
  let [now, spans] = [text, tokens.map(({ start, end }, feature) => ({ start, end, feature }))];
  for (const token of gone) {
    const place = spans.findIndex(({ feature }) => feature === token);
    const mask = Uint8Array.from(tokens, (_, feature) => (feature === token ? 0 : 1));
    const [next] = new TextComposer({ text: now, tokens: spans }).composeAll(mask, 1);
    const shift = (by) => (span) => ({ ...span, start: span.start + by, end: span.end + by });
    spans = [...spans.slice(0, place), ...spans.slice(place + 1).map(shift(next.length - now.length))];
    now = next;
    if (spans.length === 0) break;
  }
  return now;
}

test('removing many words at once equals removing them one by one', () => {
  const { below } = dice(1);
  for (const text of [...Object.values(TEXTS), ' one  two,\nthree .four (five) \n six;  seven... eight\n']) {
    const { tokens } = tokenize(text, { unit: 'position' });
    const masks = Array.from({ length: 60 }, (_, i) => Array.from(tokens, () => Number(below(6) > i % 6)));
    const texts = new TextComposer({
      text,
      tokens: tokens.map((token, feature) => ({ ...token, feature })),
    }).composeAll(Uint8Array.from(masks.flat()), masks.length);
    masks.forEach((mask, i) => {
      const gone = mask.flatMap((there, token) => (there ? [] : [token]));
      assert.equal(texts[i], oneByOne(text, tokens, gone), JSON.stringify({ text, gone }));
    });
  }
});
