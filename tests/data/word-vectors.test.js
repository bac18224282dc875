// Word vectors: every file format, every source, bad files, and nearest words.
import assert from 'node:assert/strict';
import { createReadStream, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';

import { LinexError, loadWordVectors } from 'linex';

import { Scope } from '../../js/core/memory.js';
import { dice } from '../support/dice.js';

const vectors = JSON.parse(readFileSync(new URL('../vectors/words.json', import.meta.url), 'utf8'));
const model = new URL('../paper/models/reviews-words.bin', import.meta.url);
const bytesOf = (format) => new Uint8Array(Buffer.from(vectors.files[format], 'base64'));
const FORMATS = ['word2vec', 'word2vec-binary', 'glove'];

/** The vectors of a small file by word, as plain data. */
const contents = (loaded) => Object.fromEntries(loaded.words.map((word) => [word, [...loaded.vector(word)]]));
const expected = Object.fromEntries(vectors.files.words.map((word, i) => [word, vectors.files.values[i]]));
async function* chunked(...chunks) {
  yield* chunks;
}
const utf8 = (text) => new TextEncoder().encode(text);
/** A binary file made by hand, with one vector per word. */
const binary = (header, entries, after = '') =>
  Buffer.concat([
    Buffer.from(header),
    ...entries.flatMap(([word, values]) => [
      Buffer.from(word),
      Buffer.from(' '),
      Buffer.from(Float32Array.from(values).buffer),
      Buffer.from(after),
    ]),
  ]);
const refuses = (source, message, options) =>
  assert.rejects(loadWordVectors(source, options), (error) => {
    assert.ok(error instanceof LinexError, String(error));
    assert.equal(error.code, 'file');
    assert.match(error.message, message);
    return true;
  });

test('files written by gensim are read to the last bit in every format', async () => {
  for (const format of FORMATS) {
    const loaded = await loadWordVectors(bytesOf(format));
    assert.equal(loaded.format, format);
    assert.equal(loaded.size, 6);
    assert.equal(loaded.dimensions, 5);
    assert.deepEqual(loaded.words, vectors.files.words);
    assert.deepEqual(contents(loaded), expected);
    assert.deepEqual(contents(await loadWordVectors(bytesOf(format), { format })), expected);
  }
  const fasttext = await loadWordVectors(bytesOf('word2vec'), { format: 'fasttext' });
  assert.equal(fasttext.format, 'fasttext');
  assert.deepEqual(contents(fasttext), expected);
});

test('chunks can end anywhere', async () => {
  for (const format of FORMATS) {
    const bytes = bytesOf(format);
    for (let cut = 0; cut <= bytes.length; cut++)
      assert.deepEqual(
        contents(await loadWordVectors(chunked(bytes.subarray(0, cut), bytes.subarray(cut)))),
        expected,
        `${format} cut at ${cut}`,
      );
    const single = Array.from(bytes, (byte) => Uint8Array.of(byte));
    assert.deepEqual(contents(await loadWordVectors(chunked(...single))), expected, `${format}, byte by byte`);
  }
});

test('a long file gives the same vectors for any chunk size', async () => {
  // Longer than the head that decides the format, so that records cross chunk borders.
  const { below } = dice(1);
  const { words } = await loadWordVectors(createReadStream(model));
  const bytes = readFileSync(model);
  for (let round = 0; round < 3; round++) {
    const pieces = [];
    for (let at = 0, size; at < bytes.length; at += size)
      pieces.push(bytes.subarray(at, at + (size = 1 + below(30000))));
    const loaded = await loadWordVectors(chunked(...pieces));
    assert.deepEqual(loaded.words, words);
    const last = Buffer.from(loaded.vector(words.at(-1)).buffer);
    assert.deepEqual(last, bytes.subarray(-128));
  }
});

test('a file can come from any kind of source', async () => {
  const bytes = bytesOf('word2vec');
  const stream = () => new Blob([bytes]).stream();
  const padded = new Uint8Array(bytes.length + 7);
  padded.set(bytes, 3);
  const sources = {
    text: new TextDecoder().decode(bytes),
    'array buffer': bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length),
    'part of a buffer': padded.subarray(3, 3 + bytes.length),
    'data view': new DataView(padded.buffer, 3, bytes.length),
    blob: new Blob([bytes]),
    stream: stream(),
    response: new Response(stream()),
    promise: Promise.resolve(new Response(stream())),
    gzip: new Blob([gzipSync(bytes)]).stream().pipeThrough(new DecompressionStream('gzip')),
    iterable: chunked(bytes),
  };
  for (const [name, source] of Object.entries(sources))
    assert.deepEqual(contents(await loadWordVectors(source)), expected, name);
  assert.equal((await loadWordVectors(createReadStream(model))).size, 8967);
});

test('a long text is read in pieces that end between characters', async () => {
  const words = Array.from({ length: 30000 }, (_, i) => `🎬${i}`);
  for (const pad of ['', 'x']) {
    const text = `${pad}z 1 2\n${words.map((word, i) => `${word} ${i} -0.5`).join('\n')}`;
    const loaded = await loadWordVectors(text);
    assert.deepEqual(loaded.words.slice(1), words);
    assert.deepEqual([...loaded.vector('🎬29999')], [29999, -0.5]);
  }
});

test('numbers are parsed as Number() parses them', async () => {
  const { uniform, below } = dice(5);
  const some = ['0', '-0', '+1.5', '.5', '5.', '1e-3', '-2.5E+2', '1e-50', '0.1000000000000000055511151231257827'];
  const drawn = Array.from({ length: 3000 }, () =>
    ((uniform() - 0.5) * 10 ** (below(12) - 6)).toPrecision(1 + below(20)),
  );
  const all = [...some, ...drawn];
  const loaded = await loadWordVectors(all.map((number, i) => `w${i} ${number} 1`).join('\n'));
  all.forEach((number, i) => assert.equal(loaded.vector(`w${i}`)[0], Math.fround(Number(number)), number));
});

test('carriage returns, tabs, trailing blanks, blank lines and a byte order mark are accepted', async () => {
  const same = { a: [1, 2], b: [3, 4] };
  for (const text of [
    'a 1 2\r\nb 3 4\r\n',
    '2 2\r\na 1 2 \r\nb 3 4 \r\n\r\n',
    '2 2 \na 1 2  \nb 3 4\t\n  \n\n',
    'a\t1\t2\nb\t3\t4',
    'a  1   2\n b 3 4',
    '\uFEFF2 2\na 1 2\nb 3 4',
  ])
    assert.deepEqual(contents(await loadWordVectors(utf8(text))), same, JSON.stringify(text));
});

test('a word can contain spaces of any kind, or be a number', async () => {
  const text = '. . . 0.1 0.2\nat name@domain.com 1 2\n1\u00a0000 3 4\nat 5 6 7\n42 8 9\n\u3000 1 1\n';
  assert.deepEqual((await loadWordVectors(text)).words, [
    '. . .',
    'at name@domain.com',
    '1\u00a0000',
    'at 5',
    '42',
    '\u3000',
  ]);
  const first = await loadWordVectors('7 0.1 0.2\nof 0.3 0.4\n');
  assert.equal(first.format, 'glove');
  assert.deepEqual(first.words, ['7', 'of']);
  const whole = await loadWordVectors('7 1 2\n8 3 4\n');
  assert.deepEqual(contents(whole), { 7: [1, 2], 8: [3, 4] });
  assert.deepEqual((await loadWordVectors('at 5 1 2\nof 3 4\nto 5 6\n')).words, ['at 5', 'of', 'to']);
});

test('a header that could be a word with one number is a header, unless the format is GloVe', async () => {
  assert.equal((await loadWordVectors('2 1\na 1\nb 2\n')).format, 'word2vec');
  const glove = await loadWordVectors('2 1\na 1\nb 2\n', { format: 'glove' });
  assert.deepEqual(contents(glove), { 2: [1], a: [1], b: [2] });
});

test('binary vectors can end with or without a line break, and contain bytes that look like text', async () => {
  const entries = [
    ['naïve', [1.5, -2]],
    ['日', [0.25, 1e-20]],
  ];
  for (const after of ['', '\n', '\r\n'])
    assert.deepEqual(contents(await loadWordVectors(binary('2 2\n', entries, after))), {
      naïve: [1.5, -2],
      日: [0.25, Math.fround(1e-20)],
    });
  // Line breaks, spaces and digits as bytes of the numbers.
  const sly = new Float32Array(Uint8Array.from([32, 10, 32, 10, 48, 49, 32, 0]).buffer);
  const loaded = await loadWordVectors(
    binary('2 2\n', [
      ['a', sly],
      ['b', sly],
    ]),
  );
  assert.equal(loaded.format, 'word2vec-binary');
  assert.deepEqual(contents(loaded), { a: [...sly], b: [...sly] });
});

test('the first vector of a repeated word counts, and the repeats are counted', async () => {
  const loaded = await loadWordVectors('4 1\na 1\nb 2\na 3\na 4\n');
  assert.deepEqual(contents(loaded), { a: [1], b: [2] });
  assert.equal(loaded.duplicates, 2);
});

test('maxWords takes the first words and reads no further than needed', async () => {
  let [given, closed] = [0, false];
  async function* endless() {
    try {
      for (;;) {
        given++;
        yield utf8(Array.from({ length: 1000 }, (_, i) => `w${given}-${i} 1 2 3\n`).join(''));
      }
    } finally {
      closed = true;
    }
  }
  const loaded = await loadWordVectors(endless(), { maxWords: 2500 });
  assert.equal(loaded.size, 2500);
  assert.equal(loaded.words.at(-1), 'w3-499');
  assert.ok(closed);
  assert.ok(given < 12, `${given} chunks were read`);
  // Errors in the part that is not read do not matter.
  assert.equal((await loadWordVectors('9 1\na 1\nb 2\nc x\n', { maxWords: 2 })).size, 2);
  assert.equal((await loadWordVectors('a 1\nb 2\n', { maxWords: 10 })).size, 2);
});

test('a bad text file is refused with the line and what was expected', async () => {
  await refuses('3 3\na 1 2 3\nb 1 2\nc 1 2 3\n', /^line 3 must be a word and 3 numbers, but it has 2$/);
  await refuses('2 3\n a 1 2\nb 1 2 3', /^line 2 must be a word and 3 numbers, but it has 2$/);
  await refuses(
    '2 2\na 1 2\nb 1 2 3\n',
    /^line 3 must be a word and 2 numbers, but it has more: the word would be "b 1"/,
  );
  await refuses(
    'a 1.5 2.5\nb 0.5 2.5 3.5\n',
    /^line 2 must be a word and 2 numbers, but it has more: the word would be "b 0\.5"/,
  );
  await refuses('a 1 2\nb 1 2\nc 1\n', /^line 3 must be a word and 2 numbers, but it has 1$/);
  await refuses('2 2\na 1 2\nb 1 two\n', /^line 3 must be a word and 2 numbers, but "two" is not a finite number$/);
  for (const value of ['nan', 'inf', '-Infinity', '0x10', '1e39', '1,5', '--1', '1e', '.'])
    await refuses(
      `2 2\na 1 2\nb ${value} 2\n`,
      /^line 3 must be a word and 2 numbers, but ".*" is not a finite number$/,
    );
  await refuses('3 1\na 1\nb 2\n', /^expected 3 words by the header, got 2: the file ends after line 3$/);
  await refuses('2 1\n', /^expected 2 words by the header, got 0: the file ends after line 1$/);
  await refuses('1 1\na 1\nb 2\n', /^expected 1 word by the header, got more; set maxWords to 1/);
  await refuses('5 0\na\n', /must have 1 to 65536 dimensions, not 0/);
  await refuses('5 70000\na\n', /must have 1 to 65536 dimensions, not 70000/);
  await refuses('0 5\n', /must have at least 1 word, not 0/);
  await refuses('once upon a time\n', /^line 1 must be a header or a word and its numbers, not "once/);
  await refuses('chapter 1\nonce upon a time\nthere was\n', /^line 2 must be a word and 1 number, but "time" is not/);
  await refuses('', /is empty/);
  await refuses('a 1 2\nb 1 2\n', /^line 1 of a word2vec file must be a header .*, not "a 1 2"/, {
    format: 'word2vec',
  });
  await refuses(
    '3 2\na 1 2\nb 1 2\nc 1 2',
    /line 1 must be a word and 2 numbers, but it has 1; it looks like a header/,
    {
      format: 'glove',
    },
  );
});

test('a bad binary file is refused with the word and what was expected', async () => {
  const entries = [
    ['one', [1, 2, 3]],
    ['two', [4, 5, 6]],
  ];
  const good = binary('2 3\n', entries);
  await refuses(good.subarray(0, -1), /^word 2, "two", must have 12 bytes of numbers, not 11/);
  await refuses(good.subarray(0, -13), /^the file ends within word 2/);
  await refuses(binary('3 3\n', entries), /^expected 3 words by the header, got 2: the file ends after word 2$/);
  await refuses(binary('1 3\n', entries), /^expected 1 word by the header, got more; set maxWords to 1/);
  await refuses(
    binary('2 3\n', [['one', [1, NaN, 3]], entries[1]]),
    /^word 1, "one", must have finite numbers, not NaN as number 2/,
  );
  await refuses(
    binary('2 3\n', [['one', [1, 2, Infinity]], entries[1]]),
    /^word 1, "one", must have finite numbers, not Infinity as number 3/,
  );
  await refuses(binary('2 3\n', [entries[0], ['', [1, 2, 3]]]), /^word 2 is empty/);
  await refuses(
    Buffer.concat([binary('2 1\n', [['one', [1]]]), Buffer.alloc(9000, 65)]),
    /^word 2 must end within 4096 bytes/,
  );
  // Every truncation of the file is refused.
  for (let length = 0; length < good.length; length++) await refuses(good.subarray(0, length), /./);
});

test('text that is not UTF-8 is refused', async () => {
  const latin1 = Buffer.from('2 1\ncaf\xe9 1\nb 2\n', 'latin1');
  await refuses(latin1, /^the word of line 2 is not UTF-8/);
  await refuses(Buffer.from('caf\xe9 1 2\nb 2 3\n', 'latin1'), /^the word of line 1 is not UTF-8/);
  await refuses(
    Buffer.concat([binary('2 1\n', [['one', [1]]]), Buffer.from([0xff, 0x20, 0, 0, 0, 0])]),
    /^word 2 is not UTF-8/,
  );
  await refuses(Buffer.from('\uFEFFa 1', 'utf16le'), /UTF-16/);
});

test('files of other kinds are named in the error', async () => {
  await refuses(gzipSync(bytesOf('glove')), /gzip-compressed; decompress it first.*DecompressionStream/);
  await refuses(Buffer.from('PK\x03\x04anything'), /zip archive/);
  await refuses(Buffer.from([0xba, 0x16, 0x4f, 0x2f, 12, 0, 0, 0]), /a fastText model; use the \.vec file/);
  await refuses('<!DOCTYPE html><html></html>', /it is a web page/);
  await refuses(new Response('no', { status: 404 }), /could not load the file: status 404/);
  await refuses('x'.repeat(3e6), /^line 1 must be a header/);
  await refuses(`a 1\n${'x'.repeat(3e6)}`, /^line 2 must end within 1048576 bytes/);
});

test('a bad call is refused before anything is read', async () => {
  const bad = [
    [5, {}, TypeError, /not 5/],
    [null, {}, TypeError, /not null/],
    [[1, 2], {}, TypeError, /not Array/],
    ['a 1', { format: 'word3vec' }, RangeError, /format must be one of auto, word2vec/],
    ['a 1', { maxWords: 0 }, RangeError, /maxWords/],
    ['a 1', { signal: 1 }, TypeError, /AbortSignal/],
    ['a 1', { first: 1 }, TypeError, /no option "first"/],
    [chunked('a 1'), {}, TypeError, /must yield Uint8Arrays/],
  ];
  for (const [source, options, type, message] of bad)
    await assert.rejects(loadWordVectors(source, options), (error) => {
      assert.ok(error instanceof type && message.test(error.message), String(error));
      return true;
    });
  const used = new Response('a 1');
  await used.text();
  await assert.rejects(loadWordVectors(used), /was already read/);
});

test('loading can be stopped, even while the source hangs, and the source is closed', async () => {
  const stop = new AbortController();
  let canceled = false;
  const stream = new ReadableStream({
    start: (controller) => controller.enqueue(utf8('a 1 2\n')),
    cancel: () => void (canceled = true),
  });
  const loading = loadWordVectors(stream, { signal: stop.signal });
  setTimeout(() => stop.abort(new Error('enough')), 20);
  await assert.rejects(loading, /enough/);
  assert.ok(canceled);
  await assert.rejects(loadWordVectors('a 1', { signal: AbortSignal.abort() }), { name: 'AbortError' });
});

test('an error of the source rejects the loading unchanged', async () => {
  async function* broken() {
    yield utf8('a 1 2\n');
    throw new Error('the line went dead');
  }
  await assert.rejects(loadWordVectors(broken()), /the line went dead/);
});

test('nearest words equal those of numpy and gensim', async () => {
  const loaded = await loadWordVectors(createReadStream(model));
  const check = (actual, wanted) => {
    assert.deepEqual(
      actual.map(({ word }) => word),
      wanted.map(([word]) => word),
    );
    actual.forEach(({ similarity }, i) => assert.ok(Math.abs(similarity - wanted[i][1]) < 1e-14));
  };
  const words = Object.keys(vectors.nearest);
  assert.equal(words.length, 12);
  for (const wanted of [...Object.values(vectors.nearest), vectors.middle.near]) assert.equal(wanted.length, 10);
  for (const word of words) check(loaded.nearest(word), vectors.nearest[word]);
  assert.deepEqual(
    loaded.nearestEach(words, 10),
    words.map((word) => loaded.nearest(word, 10)),
  );
  const [one, other] = vectors.middle.of.map((word) => loaded.vector(word));
  check(loaded.nearest(one.map((value, i) => value + other[i])), vectors.middle.near);
});

test('nearestEach equals nearest for each word, and returns at most all other words', async () => {
  const { normal } = dice(2);
  const text = Array.from({ length: 150 }, (_, i) => `w${i} ${normal()} ${normal()} ${normal()}`).join('\n');
  const loaded = await loadWordVectors(text);
  const all = loaded.nearestEach(loaded.words, 1000);
  all.forEach((near, i) => {
    assert.equal(near.length, 149);
    assert.equal(new Set(near.map(({ word }) => word)).size, 149);
    assert.ok(near.every(({ word }) => word !== `w${i}`));
    assert.deepEqual(near.slice(0, 3), loaded.nearest(`w${i}`, 3));
  });
});

test('words in the same direction are equally near and keep the order of the file', async () => {
  const loaded = await loadWordVectors('a 1 1\nb 2 2\nc -1 -1\nnil 0 0\nd 4 4\ne 1 -1\n');
  assert.deepEqual(loaded.nearest('b', 9), [
    { word: 'a', similarity: 1 },
    { word: 'd', similarity: 1 },
    { word: 'e', similarity: 0 },
    { word: 'c', similarity: -1 },
  ]);
  assert.deepEqual(loaded.nearest('nil'), []);
  assert.deepEqual(loaded.nearest([0, 0]), []);
  assert.deepEqual(loaded.nearest([5, 5], 1), [{ word: 'a', similarity: 1 }]);
});

test('loaded vectors cannot be changed, and vector() returns a copy', async () => {
  const loaded = await loadWordVectors('a 1 2\nb 3 4\n');
  const copy = loaded.vector('a');
  copy[0] = 99;
  assert.deepEqual([...loaded.vector('a')], [1, 2]);
  assert.throws(() => void (loaded.size = 5), TypeError);
  assert.throws(() => loaded.words.push('c'), TypeError);
  assert.ok(loaded.has('a') && !loaded.has('c') && !loaded.has('toString'));
});

test('an unknown word or a vector of the wrong length is refused by name', async () => {
  const loaded = await loadWordVectors('a 1 2\nb 3 4\n');
  assert.throws(() => loaded.nearest('c'), { name: 'RangeError', message: 'there is no vector for the word "c"' });
  assert.throws(() => loaded.vector('c'), RangeError);
  assert.throws(() => loaded.nearest([1]), /must have 2 numbers, not 1/);
  assert.throws(() => loaded.nearest([1, NaN]), /vector\[1\] must be a number at least -3.4e\+38 .* not NaN/);
  assert.throws(() => loaded.nearest([1, 1e300]), /vector\[1\] must be a number .* not 1e\+300/);
  assert.throws(() => loaded.nearest(7), TypeError);
  assert.throws(() => loaded.nearest('a', 0), /count must be a whole number from 1/);
  assert.throws(() => loaded.nearestEach('a'), TypeError);
});

test('a search leaves nothing in memory, also if it fails', async (t) => {
  const cores = new Set();
  const { allocate } = Scope.prototype;
  t.mock.method(Scope.prototype, 'allocate', function (bytes) {
    cores.add(this.core);
    return allocate.call(this, bytes);
  });
  const loaded = await loadWordVectors('a 1 2\nb 3 4\nc 5 7\n');
  const [core] = cores;
  assert.equal(cores.size, 1);
  loaded.nearest('a');
  const live = core.linex_wasm_live_bytes();
  for (let i = 0; i < 100; i++) {
    loaded.nearest('a', 3);
    loaded.nearestEach(['a', 'c'], 1);
    loaded.nearest([1, 5]);
    assert.throws(() => loaded.nearestEach(['a', 'x']));
  }
  assert.equal(core.linex_wasm_live_bytes(), live);
});
