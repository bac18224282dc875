// Fills the numbers of a report into prose. A number stands in a text only by the path of a fact: `{{counts.won}}`.

/** A fact in a text, with an optional way of writing it: `{{path}}`, `{{path:percent}}`, `{{path:2}}` (decimals). */
const FACT = /\{\{([^}:]+)(?::(\w+))?\}\}/g;

const DECIMALS = 3;

/** @param {unknown} value @param {string} [how] @returns {string} */
function written(value, how) {
  if (typeof value !== 'number') return String(value);
  if (how === 'percent') return `${Math.round(100 * value)} %`;
  if (how !== undefined) return value.toFixed(Number(how));
  return Number.isInteger(value) ? String(value) : value.toFixed(DECIMALS);
}

const lookUp = (facts, path) => path.split('.').reduce((place, key) => place?.[key.trim()], facts);

/** A value that a run did not compute. */
class Missing extends Error {}

/**
 * Fills one paragraph.
 *
 * @param {string} text
 * @param {object} facts
 * @returns {string | null}  null if a fact is not there
 */
export function fillParagraph(text, facts) {
  try {
    return text.replace(FACT, (_, path, how) => {
      const value = lookUp(facts, path);
      if (value === undefined || value === null) throw new Missing(path);
      return written(value, how);
    });
  } catch (error) {
    if (error instanceof Missing) return null;
    throw error;
  }
}

/** What stands in the place of paragraphs whose numbers were not computed yet. */
export const NOT_RUN = 'This run has no numbers for this part. `npm run paper` computes them.';

/** Starts a paragraph that is left out if its facts are missing. */
const OPTIONAL = '?? ';

/**
 * Fills a text. Paragraphs whose facts are missing become one sentence that says so; a list loses such items alone.
 *
 * @param {string} text
 * @param {object} facts
 * @returns {string}
 */
export function fill(text, facts) {
  const filled = [];
  for (const paragraph of text.trim().split(/\n{2,}/)) {
    if (paragraph.startsWith(OPTIONAL)) {
      const made = fillParagraph(paragraph.slice(OPTIONAL.length), facts);
      if (made !== null) filled.push(made);
      continue;
    }
    const parts = paragraph.startsWith('- ') ? paragraph.split(/\n(?=- )/) : [paragraph];
    const made = parts.map((part) => fillParagraph(part, facts)).filter((part) => part !== null);
    if (made.length > 0) filled.push(made.join('\n'));
    if (made.length < parts.length && filled.at(-1) !== NOT_RUN) filled.push(NOT_RUN);
  }
  return `${filled.join('\n\n')}\n`;
}

/** Names that hold digits, and are not numbers. */
const NAMES =
  /CIFAR-?10|NeurIPS 2023|panel 19|HC-181|v1\.0|2005|2015|Table \d|Algorithm 1|Theorem 1|R²|word2vec|Word2VecGen|ResNet18/g;
/** What is not prose: code, addresses, comments, front matter, tables and facts. */
const NOT_PROSE = [
  /^---\n[\s\S]*?\n---\n/,
  /```[\s\S]*?```/g,
  /`[^`]*`/g,
  /<!--[\s\S]*?-->/g,
  /^\|.*$/gm,
  /^\d+\. /gm,
  /\]\([^)]*\)/g,
  FACT,
  NAMES,
];
/** Numbers as words. "one" and "two" name players and methods too often; "no" and "none" say nothing about size. */
const WORDS =
  /\b(three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty|forty|fifty|\w+ty-\w+|hundred|thousand|half|third|quarter|twice|dozen)s?\b/gi;

/**
 * Returns the numbers of a text that come from no fact.
 *
 * @param {string} text  before it is filled
 * @returns {string[]}
 */
export function strayNumbers(text) {
  const prose = NOT_PROSE.reduce((rest, pattern) => rest.replace(pattern, ' '), text);
  return [...(prose.match(/\d(?:[\d.,]*\d)?/g) ?? []), ...(prose.match(WORDS) ?? [])];
}
