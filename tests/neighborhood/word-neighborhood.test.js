// Neighborhoods of texts whose words are replaced by near words.
import assert from 'node:assert/strict';
import { createReadStream } from 'node:fs';
import { test } from 'node:test';

import { explainText, LinexError, loadWordVectors, wordNeighborhood } from 'linex';

import { seededRandom } from '../../js/neighborhood/drawn-samples.js';
import { ready } from '../../js/core/load.js';
import { tokenize } from '../support/tokenize.js';

/** Words on a circle; those with nearer angles, in degrees, are nearer. */
const ANGLES = {
  ...{ film: 0, movie: 1, picture: 2, ',': 0.5, '</s>': 1.5 },
  ...{ good: 40, great: 41, fine: 43, GREAT: 40.5, Good: 40.2 },
  ...{ bad: 80, awful: 81, poor: 83, the: 120, a: 121, this: 122, Paris: 160, London: 161 },
};
const circle = await loadWordVectors(
  Object.entries(ANGLES)
    .map(([word, angle]) => `${word} ${Math.cos((angle * Math.PI) / 180)} ${Math.sin((angle * Math.PI) / 180)}`)
    .join('\n'),
);
const within = (degrees) => 1 - Math.cos((degrees * Math.PI) / 180);
/** A radius of six degrees, within which only words of one kind are near. */
const near = { radius: within(6) };

/** The center as explainText passes it. */
const centerOf = (text, options) => {
  const { tokens, features } = tokenize(text, options);
  return { text, words: features.map(({ name }) => name), tokens };
};
const draw = (text, count, { options = near, unit, seed = 1, vectors = circle } = {}) =>
  wordNeighborhood(vectors, options).sample(centerOf(text, { unit }), count, seededRandom(seed));

test('a sample follows its mask: kept words stay, others are replaced by near words, and the rest of the text stays', () => {
  const text = '  The film, well: “good”... a GOOD film!\n';
  const { tokens, words } = centerOf(text);
  const kinds = [
    ['the', 'a', 'this'],
    ['film', 'movie', 'picture'],
    ['good', 'great', 'fine'],
  ];
  const { samples, masks } = draw(text, 500);
  assert.equal(samples.length, 500);
  assert.equal(masks.length, 500);
  samples.forEach((sample, i) => {
    let [at, from] = [0, 0];
    for (const { start, end, feature } of tokens) {
      const gap = text.slice(from, start);
      assert.equal(sample.slice(at, at + gap.length), gap);
      at += gap.length;
      const [written] = /^[A-Za-z]+/.exec(sample.slice(at));
      const original = text.slice(start, end);
      if (masks[i][feature] === 1) assert.equal(written, original);
      else {
        const kind = kinds.find((all) => all.includes(original.toLowerCase()));
        assert.ok(kind.includes(written.toLowerCase()), `${original} became ${written}`);
        assert.notEqual(written.toLowerCase(), original.toLowerCase());
      }
      [at, from] = [at + written.length, end];
    }
    assert.equal(sample.slice(at), text.slice(from));
    assert.equal(masks[i].length, words.length);
  });
});

test('a word without a vector or without a near word is never replaced', () => {
  const { samples, masks } = draw('zyzzyva film tenet poor', 300, { options: { radius: within(1.2) } });
  // The word nearest to "poor" is two degrees away, and two other words have no vector.
  assert.deepEqual(new Set(samples), new Set(['zyzzyva movie tenet poor']));
  assert.ok(masks.every((mask) => mask.join('') === '1011'));
});

test('punctuation in the vectors does not replace a word', () => {
  const { samples } = draw('film', 400, { options: { radius: within(3), neighbors: 5 } });
  assert.deepEqual(new Set(samples), new Set(['movie', 'picture']));
});

test('the case of the original is kept', () => {
  const seen = (text, options) => [...new Set(draw(text, 200, { options: { ...near, ...options } }).samples)].sort();
  assert.deepEqual(seen('film'), ['movie', 'picture']);
  assert.deepEqual(seen('Film'), ['Movie', 'Picture']);
  assert.deepEqual(seen('FILM'), ['MOVIE', 'PICTURE']);
  assert.deepEqual(seen('fILM'), ['movie', 'picture']);
  assert.deepEqual(seen('A'), ['The', 'This']);
  // The vectors have it capitalized only.
  assert.deepEqual(seen('paris'), ['London']);
  assert.deepEqual(seen('PARIS'), ['LONDON']);
});

test('caseSensitive looks up words as written and inserts words as the vectors have them', () => {
  const options = { ...near, caseSensitive: true };
  assert.deepEqual(new Set(draw('good', 300, { options }).samples), new Set(['Good', 'GREAT', 'great', 'fine']));
  assert.throws(() => draw('Film PARIS', 1, { options }), /no word of the text has a vector: "Film PARIS"/);
});

test('every occurrence of a word gets the same replacement, unless features are positions', () => {
  const { samples, masks } = draw('film Film film', 200);
  // "Film" is another word than "film".
  assert.ok(masks.every(({ length }) => length === 2));
  for (const sample of samples) {
    const [first, , third] = sample.split(' ');
    assert.equal(first, third);
  }
  const apart = draw('film film film', 200, { unit: 'position' });
  assert.ok(apart.masks.every(({ length }) => length === 3));
  assert.ok(apart.samples.some((sample) => new Set(sample.split(' ')).size === 3));
});

test('the number of replaced words, which words, and their replacements are all uniform', () => {
  const text = 'the good film bad';
  const count = 40000;
  const { samples, masks } = draw(text, count);
  const sizes = [0, 0, 0, 0, 0];
  const gone = [0, 0, 0, 0];
  const films = { movie: 0, picture: 0 };
  masks.forEach((mask, i) => {
    sizes[mask.filter((one) => one === 0).length]++;
    mask.forEach((one, feature) => (gone[feature] += 1 - one));
    const film = samples[i].split(' ')[2];
    if (film !== 'film') films[film]++;
  });
  const fair = (counted, trials, share) =>
    assert.ok(Math.abs(counted - trials * share) < 5 * Math.sqrt(trials * share * (1 - share)), `${counted}`);
  assert.equal(sizes[0], 0);
  for (const size of sizes.slice(1)) fair(size, count, 1 / 4);
  // One to four of four words are replaced, so each is with probability (1 + 2 + 3 + 4) / 16.
  for (const each of gone) fair(each, count, 10 / 16);
  fair(films.movie, films.movie + films.picture, 1 / 2);
});

test("replace 'one' replaces no word or one word with equal probability, and each word equally often", () => {
  const { samples, masks } = draw('the good film zyzzyva', 18000, { options: { ...near, replace: 'one' } });
  const gone = [0, 0, 0, 0];
  let none = 0;
  masks.forEach((mask, i) => {
    const place = mask.indexOf(0);
    assert.equal(mask.lastIndexOf(0), place);
    assert.equal(samples[i] === 'the good film zyzzyva', place < 0);
    if (place < 0) none++;
    else gone[place]++;
  });
  assert.ok(Math.abs(none - 9000) < 5 * Math.sqrt(4500), `${none}`);
  assert.equal(gone[3], 0);
  for (const each of gone.slice(0, 3)) assert.ok(Math.abs(each - 3000) < 5 * Math.sqrt(2500), `${each}`);
});

test("with replace 'one' a sum over words gets its exact weights, and copies of the text are one query", async () => {
  const neighborhood = wordNeighborhood(circle, { ...near, replace: 'one' });
  for (const method of ['linex', 'lime'])
    for (let seed = 0; seed < 5; seed++) {
      const { features, queries } = await explainText('the good film, bad Paris', score, {
        ...{ neighborhood, method, seed, features: 'all' },
      });
      const wanted = { the: 0, good: 2, film: 0, bad: -3, Paris: 1 };
      // About a hundred samples replace each word, so a ridge of 1 shrinks a weight by a hundredth.
      for (const { name, weight, interval } of features) {
        assert.ok(Math.abs(weight - wanted[name]) < 0.1, `${method} ${name}: ${weight}, not ${wanted[name]}`);
        assert.ok(interval[0] <= wanted[name] + 0.02 && wanted[name] - 0.02 <= interval[1], `${name}: ${interval}`);
      }
      assert.equal(queries.planned, 1000);
      // At most two near words per word, and the text itself.
      assert.ok(queries.asked <= 11, `${queries.asked}`);
    }
});

test('sentences and lines cannot be replaced by near words, and the error names them', async () => {
  const never = () => assert.fail('the model was asked');
  for (const unit of ['sentence', 'line'])
    await assert.rejects(
      explainText('A good film. A bad film.', never, { neighborhood: wordNeighborhood(circle, near), unit }),
      (error) =>
        error.code === 'neighborhood' &&
        error.message.includes(`unit must be 'word' or 'position' for wordNeighborhood, not "${unit}"`),
    );
});

test('neighbors limits the number of near words to draw from, and radius their distance', () => {
  const seen = (options) => new Set(draw('good', 500, { options }).samples);
  assert.deepEqual(seen({ neighbors: 1 }), new Set(['GREAT']));
  assert.deepEqual(seen({ neighbors: 2 }), new Set(['GREAT', 'fine']));
  assert.deepEqual(seen({ neighbors: 10, radius: within(2) }), new Set(['GREAT']));
  // Within the default radius of a right angle, without the word itself.
  assert.ok(!seen({ neighbors: 100 }).has('Paris'));
  assert.equal(seen({ neighbors: 100, radius: 2 }).has('Paris'), true);
});

test('the same seed gives the same texts, also when asked again, and another seed gives others', () => {
  const neighborhood = wordNeighborhood(circle, near);
  const center = centerOf('the good film');
  const first = neighborhood.sample(center, 50, seededRandom(3));
  assert.deepEqual(neighborhood.sample(center, 50, seededRandom(3)), first);
  assert.deepEqual(wordNeighborhood(circle, near).sample(center, 50, seededRandom(3)), first);
  assert.notDeepEqual(neighborhood.sample(center, 50, seededRandom(4)), first);
});

test('a text without replaceable words is refused before the model is asked', async () => {
  let asked = 0;
  const predict = (texts) => texts.map(() => asked++);
  const explained = (text, options) => explainText(text, predict, { neighborhood: wordNeighborhood(circle, options) });
  const named = (message) => (error) =>
    error instanceof LinexError && error.code === 'neighborhood' && message.test(error.message);
  await assert.rejects(explained('zyzzyva tenet'), named(/no word of the text has a vector: "zyzzyva tenet"/));
  await assert.rejects(
    explained('film good', { radius: 1e-9 }),
    named(/no word of the text has a near word within radius 1e-9: "film good"/),
  );
  assert.equal(asked, 0);
});

test('bad options are refused by name', async () => {
  const bad = [
    [{ radius: 0 }, /radius must be a number above 0 and at most 2, not 0/],
    [{ neighbors: 0 }, /neighbors must be a whole number from 1/],
    [{ replace: 'two' }, /replace must be one of some, one, not "two"/],
    [{ caseSensitive: 1 }, /caseSensitive must be true or false/],
    [{ neighbours: 3 }, /no option "neighbours"; did you mean "neighbors"\?/],
  ];
  for (const [options, message] of bad) assert.throws(() => wordNeighborhood(circle, options), message);
  assert.throws(
    () => wordNeighborhood(Promise.resolve(circle)),
    /takes word vectors from loadWordVectors, not Promise/,
  );
  assert.throws(() => wordNeighborhood(), TypeError);
  await assert.rejects(
    explainText('a film', (texts) => texts.map(() => 1), { distance: 'manhattan' }),
    /distance must be one of cosine, euclidean, not "manhattan"/,
  );
});

/** Good words count 2, bad words −3, "Paris" 1; replacements count 0. */
const score = (texts) =>
  texts.map((text) => (/\bgood\b/.test(text) ? 2 : 0) - (/\bbad\b/.test(text) ? 3 : 0) + (/Paris/.test(text) ? 1 : 0));

test('every method finds the score of each kept word', async () => {
  const neighborhood = wordNeighborhood(circle, near);
  const options = { neighborhood, ridge: 1e-9, features: 'all', samples: 400, draws: 20 };
  for (const method of ['linex', 'lime', 's-lime'])
    for (const distance of ['cosine', 'euclidean']) {
      const explanation = await explainText('the good film, bad Paris zyzzyva', score, {
        ...options,
        method,
        distance,
      });
      const wanted = [0, 2, 0, -3, 1, 0];
      explanation.weights.forEach((weight, i) =>
        assert.ok(Math.abs(weight - wanted[i]) < 1e-6, `${method} ${distance} ${weight}, not ${wanted[i]}`),
      );
      assert.equal(explanation.weights[5], 0);
      assert.equal(explanation.prediction, 0);
    }
});

test('an explanation by near words is the same for the same seed, and its first query is the input', async () => {
  const asked = [];
  const predict = (texts) => {
    asked.push(...texts);
    return score(texts);
  };
  const options = { neighborhood: Promise.resolve(wordNeighborhood(circle, near)), samples: 60, seed: 9 };
  const plain = ({ milliseconds: _, ...rest }) => rest;
  const first = await explainText('the good film', predict, options);
  assert.equal(asked[0], 'the good film');
  assert.equal(new Set(asked).size, asked.length);
  assert.equal(first.queries.planned, 60);
  assert.deepEqual(plain(await explainText('the good film', predict, options)), plain(first));
});

test('the euclidean kernel uses the number of removed words, for masks and for texts', async () => {
  // Three words give eight masks. LIME without a ridge is weighted least squares on them.
  const answer = (kept) => kept[0] + 2 * kept[1] * kept[2];
  const predict = (texts) =>
    texts.map((text) => answer(['good', 'film', 'bad'].map((word) => Number(text.includes(word)))));
  const masks = Array.from({ length: 8 }, (_, i) => [i & 1, (i >> 1) & 1, i >> 2]);
  const all = {
    sample: () => ({
      samples: masks.map((mask) => ['good', 'film', 'bad'].map((w, i) => (mask[i] ? w : 'x')).join(' ')),
      masks,
    }),
  };
  for (const kernelWidth of [0.5, 1.06, 3]) {
    const given = masks.map((mask) => Math.exp((mask.reduce((sum, one) => sum + one, 0) - 3) / (2 * kernelWidth ** 2)));
    const weighted = { sample: () => ({ ...all.sample(), weights: given }) };
    const options = { method: 'lime', ridge: 1e-9, features: 'all', samples: 9, draws: 0 };
    const ours = await explainText('good film bad', predict, {
      ...options,
      neighborhood: all,
      distance: 'euclidean',
      kernelWidth,
    });
    const theirs = await explainText('good film bad', predict, { ...options, neighborhood: weighted });
    ours.weights.forEach((weight, i) => assert.ok(Math.abs(weight - theirs.weights[i]) < 1e-12));
  }
  const masked = { method: 'lime', samples: 500, distance: 'euclidean', features: 'all', draws: 0 };
  const byDefault = await explainText('good film bad', predict, masked);
  const spelled = await explainText('good film bad', predict, { ...masked, kernelWidth: 0.75 * Math.sqrt(3) });
  assert.deepEqual(byDefault.weights, spelled.weights);
});

test('a review is explained with vectors trained on reviews, and no memory leaks', async () => {
  const vectors = await loadWordVectors(
    createReadStream(new URL('../paper/models/reviews-words.bin', import.meta.url)),
  );
  const text = 'A moving tale of love, and a masterpiece; not bad!';
  const liked = /moving|masterpiece|love/gi;
  const predict = (texts) => texts.map((one) => (one.match(liked) ?? []).length / 3);
  const core = await ready();
  const explain = () => explainText(text, predict, { neighborhood: wordNeighborhood(vectors), samples: 300 });
  await explain();
  const live = core.linex_wasm_live_bytes();
  const { features } = await explain();
  assert.equal(core.linex_wasm_live_bytes(), live);
  const leading = features.slice(0, 3).map(({ name }) => name);
  assert.deepEqual(leading.sort(), ['love', 'masterpiece', 'moving']);
  // The defaults of radius and neighbors find near words for each of its words.
  const { masks, samples } = wordNeighborhood(vectors).sample(centerOf(text), 500, seededRandom(1));
  for (let i = 0; i < masks[0].length; i++) assert.ok(masks.some((mask) => mask[i] === 0));
  assert.ok(samples.every((sample) => /^[A-Z0-9].*, .*; .*!$/.test(sample)));
});
