// Explanations that Node, pages and workers must compute with the same bits; all of them import this file unbuilt.
//
// The models use only + - * /, which every engine rounds in the same way.
import {
  densityNeighborhood,
  describeTable,
  explainImage,
  explainRow,
  explainText,
  latentNeighborhood,
} from '../../js/index.js';
import { brightness, scene } from './scene.js';

const cell = (row, column) => ((row * (7 + 4 * column) + column * column) % 23) / 4 - column;
const rows = Array.from({ length: 50 }, (_, i) => [0, 1, 2, 3].map((c) => cell(i, c)));
const squashed = (z) => z / (1 + Math.abs(z));
const scoreRows = (batch) => [...batch].map(([a, b, c, d]) => squashed(0.8 * a - 0.5 * b * c + 0.3 * d));

const scoreTexts = (texts) =>
  texts.map((text) => squashed([...text].reduce((sum, char) => sum + ((char.codePointAt(0) % 7) - 3) / 8, 0)));

export const TEXTS = {
  en: "It isn't a bad film: the well-made opening (3.5 of 5) made me laugh 😀, the end didn't. Bad, bad luck!",
  de: 'Ein überraschend schöner Film, naïve Fußnoten inklusive.',
  ar: 'كان الفيلم رائعا جدا، لكنه طويل.',
  th: 'ฉันรักภาพยนตร์เรื่องนี้มากเพราะตัวละครน่าสนใจ',
  ja: 'この映画はとても面白かったです。東京で見ました。',
};
/** The texts whose words are found without a dictionary, so that all engines agree. */
const SPACED = ['en', 'de', 'ar'];

/** Returns an explanation as JSON without its times. JSON keeps every bit of a number except the sign of zero. */
const write = (explanation) =>
  JSON.stringify(explanation, (key, value) =>
    key === 'milliseconds' ? undefined : Object.is(value, -0) ? 'minus zero' : value,
  );

/** A minimal autoencoder: the code is the mean of the values, and a decoded image has a single shade. */
const shades = {
  encode: ({ data }) => [data.reduce((sum, value) => sum + value, 0) / data.length],
  decode: ({ data, shape: [count] }) => Array.from({ length: count }, (_, i) => new Array(12).fill(squashed(data[i]))),
};
const tiny = { data: Uint8Array.from({ length: 12 }, (_, i) => 20 * i), width: 4, height: 3, channels: 1 };

/** @returns {Promise<Record<string, string>>}  explanations by name */
export async function answers() {
  const table = await describeTable(rows);
  const row = (more) => explainRow(rows[3], scoreRows, { table, samples: 400, features: 3, seed: 42, ...more });
  const text = (locale, more) => explainText(TEXTS[locale], scoreTexts, { samples: 300, seed: 7, locale, ...more });
  const image = (segments) => explainImage(scene(4), brightness, { segments, samples: 60, draws: 20, seed: 3 });
  const found = {
    'row, linex': await row(),
    'row, linex by halves': await row({ environments: 'halves', games: 10, agreement: 0.9 }),
    'row, lime': await row({ method: 'lime' }),
    'row, many samples': await row({ samples: 700 }),
    'text, many masks': await text('en', { samples: 2500 }),
    'row, density': await row({ neighborhood: densityNeighborhood(table) }),
    'image, latent': await explainImage(
      tiny,
      ({ data, shape: [count] }) => [...data.filter((_, i) => i % 12 === 0)].slice(0, count),
      {
        neighborhood: latentNeighborhood(shades),
        unit: 'pixel',
        samples: 60,
      },
    ),
    'row, shap': await explainRow(rows[3], scoreRows, { table, method: 'shap', background: rows.slice(0, 9) }),
    'text, shap in log-odds': await explainText(TEXTS.en, (texts) => scoreTexts(texts).map((z) => (1 + z) / 2.1), {
      ...{ method: 'shap', link: 'logit', tokens: 'simple', samples: 200 },
    }),
  };
  for (const locale of Object.keys(TEXTS)) found[`${locale}, simple`] = await text(locale, { tokens: 'simple' });
  for (const locale of SPACED) found[`${locale}, intl`] = await text(locale, { tokens: 'intl' });
  found['en, sentences'] = await text('en', { unit: 'sentence' });
  for (const kind of ['slic', 'quickshift', 'grid'])
    found[`image, ${kind}`] = await image(kind === 'quickshift' ? kind : { kind, count: 20 });
  return Object.fromEntries(Object.entries(found).map(([name, explanation]) => [name, write(explanation)]));
}

/** Returns the words that the engine's own dictionary finds. */
export async function wordsOf(locale) {
  const { text, tokens } = await explainText(TEXTS[locale], scoreTexts, { samples: 20, locale, tokens: 'intl' });
  return tokens.map(({ start, end }) => text.slice(start, end));
}

/** Explains a text with given words. */
export const explainWords = async (locale, tokens) =>
  write(await explainText(TEXTS[locale], scoreTexts, { samples: 300, seed: 7, tokens }));
