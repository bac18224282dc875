// Which words make a review sound good or bad? Explains a word-score model (AFINN, from npm's `sentiment`) and draws the
// answer three ways: in the terminal, as a page and as a picture.
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

/** The model: a number in -1 … 1 from the summed scores of the words, as a reader's mood would saturate. */
const predict = (texts) => texts.map((text) => Math.tanh(sentiment.analyze(text).score / 8));

/**
 * @param {string} [text]
 * @param {URL} [folder]  where the pictures go
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
  console.log('\nDrawn in build/examples: review.html, review.svg, review-bars.svg');
}
