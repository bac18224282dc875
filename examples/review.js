// Explains which words make a review sound good or bad, for a word-score model (AFINN, from npm's `sentiment`).
//
//     node examples/review.js ["your own text"]     writes review.html, review.svg and review-bars.svg to build/examples/
import { mkdirSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import Sentiment from 'sentiment';
import { explainText, renderBarsSVG, renderTerminal, renderTextHTML, renderTextSVG } from 'linex';

const REVIEW =
  'A slow start and a silly plot, but what follows is a beautiful, funny film: great music, a lovely cast, ' +
  'and an ending that is sad without ever being boring. I love it!';

const sentiment = new Sentiment();

/** The model: the sum of the words' scores, limited smoothly to the range from -1 to 1. */
const predict = (texts) => texts.map((text) => Math.tanh(sentiment.analyze(text).score / 8));

/**
 * Explains a review, and writes a page and two pictures.
 *
 * @param {string} [text]
 * @param {URL} [folder]  for the files
 */
export async function explainReview(text = REVIEW, folder = new URL('../build/examples/', import.meta.url)) {
  const explanation = await explainText(text, predict, { features: 8 });
  mkdirSync(folder, { recursive: true });
  const page = `<!doctype html>\n<meta charset="utf-8">\n<title>A review</title>\n${renderTextHTML(explanation)}\n`;
  writeFileSync(new URL('review.html', folder), page);
  writeFileSync(new URL('review.svg', folder), renderTextSVG(explanation));
  writeFileSync(new URL('review-bars.svg', folder), renderBarsSVG(explanation));
  return explanation;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  console.log(renderTerminal(await explainReview(process.argv[2]), { color: process.stdout.isTTY }));
  console.log('\nWritten to build/examples: review.html, review.svg, review-bars.svg');
}
