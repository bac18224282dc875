// Turns the paper's 27 sentences into a table: the printed words beside ours.

const words = (list, most = Infinity) =>
  list
    .slice(0, most)
    .map(([word, weight]) => `${word} ${weight.toFixed(3)}`)
    .join(', ');

/** @param {object[]} sentences @returns {import('./blocks.js').Block[]} */
export function sentenceTable(sentences) {
  const readings = [...new Set(sentences.map(({ reading }) => reading))];
  const leads = (word, printed) => (printed && word?.toLowerCase() === printed[0][0] ? 'yes' : 'no');
  return readings.map((reading) => ({
    details: `Words, largest weight first: ${reading}`,
    blocks: [
      {
        columns: ['sentence', 'sentiment', 'method', 'ours', 'printed', 'same leading word'],
        rows: sentences
          .filter((one) => one.reading === reading)
          .map((one) => [
            ...[one.text, one.sentiment, one.row, words(one.words)],
            ...[one.printed ? words(one.printed) : '', one.printed ? leads(one.words[0]?.[0], one.printed) : ''],
          ]),
      },
    ],
  }));
}
