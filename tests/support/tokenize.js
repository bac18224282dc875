// Splits a text into tokens at once, without the turns in which the library does it.
import { findSpans, joinPhrases } from '../../js/data/token-rules.js';
import { checkText, checkUnit, placeTokens } from '../../js/data/tokens.js';

/** @param {any} text @param {import('../../js/data/tokens.js').TokenOptions} [options] */
export function tokenize(text, options = {}) {
  const { tokens = 'intl', unit = 'word', locale } = options;
  return placeTokens(text, options, findSpans(checkText(text), tokens, checkUnit(unit), locale), joinPhrases);
}
