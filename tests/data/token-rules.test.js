// Segmenting in pieces: the same segments as Intl.Segmenter finds in the whole text, in time proportional to its length.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explainText } from 'linex';
import { segmentsOf } from '../../js/data/token-rules.js';
import { tokenize } from '../support/tokenize.js';
import { dice } from '../support/dice.js';

/** What texts are thrown together from. */
const PARTS = {
  latin: ["It's", 'a', "isn't", '3.14', '1,234,567.89', 'U.S.A.', 'e.g.', 'Mr.', 'can’t', 'e\u0301te\u0301', 'foo_bar'],
  signs: ['x:y', 'über', 'Ⅳ', 'C++', 'a.b', '10:30', '$5', '50%', '#tag', '@user', 'me@x.org', 'http://a.b/c?d=e'],
  chinese: [
    '我',
    '喜欢',
    '电影',
    '研究生命起源',
    '北京大学生',
    '。',
    '，',
    '、',
    '！',
    '？',
    '；',
    '：',
    '「',
    '」',
    '2024年',
  ],
  japanese: ['この', '映画', 'が', '大好き', 'です', 'カタカナ', 'コーヒー', 'ｶﾞ', 'ﾊﾟ', '。', '、', 'ー', '々'],
  korean: ['안녕하세요', '세계', '각', 'ᄀ', 'ᅡ', 'ᆨ'],
  thai: ['ภาษาไทย', 'เป็น', 'กำลังใจ', 'ๆ', 'ำ', '๑๒๓'],
  southeast: ['ខ្ញុំ', 'ស្រឡាញ់', 'မြန်မာ', 'ဘာသာ', 'ພາສາ', 'ລາວ'],
  arabic: ['هذا', 'جميل', 'جداً', '،', '؟', '١٢٣', 'ـ', '\u0640\u064B'],
  hebrew: ['שלום', 'צה"ל', "צ'ק", '"'],
  hindi: ['यह', 'फ़िल्म', 'क्षत्रिय', '।', '१२'],
  greek: ['Αθήνα', ';', '·', 'ς', 'Это', 'т.е.', 'Ა', 'ა'],
  emoji: ['😀', '👍🏽', '👨‍👩‍👧‍👦', '1️⃣', '🇩🇪', '🇫🇷', '🇩', '❤️‍🔥', '🏴󠁧󠁢󠁳󠁣󠁴󠁿', '©', '™️'],
  marks: ['\u0301', '\u200D', '\uFE0F', '\u200C', '\u00AD', '\u2060', '\u0308a', '\u200Da', '\u0E33', '\uFF9E'],
  space: [
    ' ',
    '  ',
    '\t',
    '\n',
    '\r\n',
    '\r',
    '\n\n',
    '\u00A0',
    '\u3000',
    '\u2003',
    '\u2028',
    '\u2029',
    '\u0085',
    '\f',
  ],
  stops: ['.', ',', ';', ':', '!', '?', '...', '…', '-', '—', "'", '"', '(', ')', '”', '’', '_', '·', '/'],
  gaps: ['. ', '! ', '? ', ', ', '; ', ': ', '.) ', '." ', '?! ', '。 '],
};
const GRANULARITIES = ['word', 'sentence', 'grapheme'];
const LOCALES = ['en', 'de', 'zh', 'ja', 'th', 'ar', 'fi', 'sv', 'el', 'ko', 'he', 'my'];

const spansOfWhole = (text, granularity, locale) =>
  [...new Intl.Segmenter(locale, { granularity }).segment(text)].map(({ index, segment }) => ({
    start: index,
    end: index + segment.length,
  }));

test('a text that is cut wherever it is safe has the segments of the whole text', () => {
  const { uniform: random, pick } = dice(12);
  const kinds = Object.keys(PARTS);
  const everywhere = { whole: 0, piece: 0, reach: 1e6, margin: 0 };
  let pieces = 0;
  for (let i = 0; i < 3000; i++) {
    const [main, mixed, spaced] = [pick(kinds), random() < 0.3, random() < 0.5];
    let text = '';
    for (let k = 2 + random() * 60; k > 0; k--) {
      const at = random();
      const kind = mixed ? pick(kinds) : at < 0.6 ? main : at < 0.75 ? 'space' : at < 0.9 ? 'gaps' : pick(kinds);
      text += pick(PARTS[kind]) + (spaced && random() < 0.5 ? ' ' : '');
    }
    const locale = pick(LOCALES);
    for (const granularity of GRANULARITIES) {
      const found = [...segmentsOf(text, granularity, locale, everywhere)];
      pieces += found.length;
      assert.deepEqual(found.flat(), spansOfWhole(text, granularity, locale), JSON.stringify([text, granularity]));
    }
  }
  assert.ok(pieces > 50000, `${pieces}`);
});

test('long texts have the segments of the whole text, also if there is no safe place to cut', () => {
  const { pick } = dice(5);
  const lists = [
    ...[PARTS.latin.concat(PARTS.gaps, PARTS.space), PARTS.chinese, PARTS.thai, PARTS.emoji, ['a_'], ['a,']],
    ...[
      PARTS.japanese.filter((part) => !/[。、]/.test(part)),
      PARTS.hindi.concat(' '),
      ['🇩🇪'],
      ['ᄀ', '각'],
      ['letters'],
    ],
  ];
  for (const list of lists) {
    let text = '';
    while (text.length < 6000) text += pick(list);
    for (const granularity of GRANULARITIES)
      assert.deepEqual(
        [...segmentsOf(text, granularity, 'en')].flat(),
        spansOfWhole(text, granularity, 'en'),
        `${list[0]} ${granularity}`,
      );
  }
});

test('a text of 200000 words is explained in seconds, not in minutes', { timeout: 30000 }, async () => {
  const text = 'a '.repeat(2e5);
  const options = { samples: 2, draws: 0 };
  const { tokens } = await explainText(text, (texts) => texts.map(({ length }) => length), options);
  assert.equal(tokens.length, 2e5);
  assert.deepEqual([tokens[199999].start, tokens[199999].end], [399998, 399999]);
});

test('one word of 200000 letters and 100000 equal words by position are no trouble', { timeout: 30000 }, () => {
  const long = `${'x'.repeat(2e5)} ${'of '.repeat(2000)}`;
  assert.equal(tokenize(long).tokens.length, 2001);
  const { features } = tokenize('ha '.repeat(1e5), { unit: 'position', tokens: 'simple' });
  assert.equal(features[99999].name, 'ha (100000)');
});

test('segmenting a long text gives way to the event loop, and can be aborted', { timeout: 30000 }, async () => {
  const stop = new AbortController();
  const text = 'word after word. '.repeat(1e5);
  let asked = 0;
  const explaining = explainText(text, (texts) => (asked++, texts.map(() => 0)), { signal: stop.signal });
  setTimeout(() => stop.abort(new Error('enough')), 20);
  const before = performance.now();
  await assert.rejects(explaining, /^Error: enough$/);
  assert.ok(performance.now() - before < 1000);
  assert.equal(asked, 0);
});
