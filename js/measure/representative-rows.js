// Chooses few rows that together show what matters in many: the submodular pick of LIME.

/**
 * @typedef {object} Representative
 * @property {number} index  the place of the explanation among those given
 * @property {readonly number[]} covers  the features that it adds, as indices of the summary's features
 * @property {number} gain  the importance that these features add, as a share of the total
 */

/**
 * Chooses rows greedily: each time the row whose features add the most importance. The importance of a feature is the square
 * root of its summed sizes. A row covers the features that it has a size above 0 for. This is Algorithm 2 of Ribeiro, Singh
 * and Guestrin 2016, "Why should I trust you?", KDD. It reaches at least 1 − 1/e of the best possible coverage.
 *
 * @param {readonly (readonly number[])[]} sizes  one array per row: one size of at least 0 per feature
 * @param {number} most  the most rows; fewer are chosen if they cover everything
 * @returns {Representative[]}  in the order of the choice; of equal rows, the first one wins
 */
export function pickRepresentatives(sizes, most) {
  const featureCount = sizes[0].length;
  const importance = new Array(featureCount).fill(0);
  for (const row of sizes) for (let c = 0; c < featureCount; c++) importance[c] += row[c];
  for (let c = 0; c < featureCount; c++) importance[c] = Math.sqrt(importance[c]);
  const total = importance.reduce((sum, value) => sum + value, 0);
  const covered = new Array(featureCount).fill(false);
  /** @type {Representative[]} */
  const chosen = [];
  while (chosen.length < most) {
    let [best, most] = [-1, 0];
    for (let i = 0; i < sizes.length; i++) {
      let gain = 0;
      for (let c = 0; c < featureCount; c++) if (!covered[c] && sizes[i][c] > 0) gain += importance[c];
      if (gain > most) [best, most] = [i, gain];
    }
    if (best < 0) break;
    const covers = [];
    for (let c = 0; c < featureCount; c++)
      if (!covered[c] && sizes[best][c] > 0) {
        covered[c] = true;
        covers.push(c);
      }
    chosen.push({ index: best, covers, gain: most / total });
  }
  return chosen;
}
