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
 * @param {readonly (readonly { feature: number, size: number }[])[]} rows  the features of each row, with sizes of at least 0
 * @param {number} most  the most rows; fewer are chosen if they cover everything
 * @returns {Representative[]}  in the order of the choice; of equal rows, the first one wins
 */
export function pickRepresentatives(rows, most) {
  /** @type {Map<number, number>} */
  const importance = new Map();
  for (const row of rows)
    for (const { feature, size } of row) importance.set(feature, (importance.get(feature) ?? 0) + size);
  let total = 0;
  for (const [feature, sum] of importance) {
    importance.set(feature, Math.sqrt(sum));
    total += Math.sqrt(sum);
  }
  /** @type {Representative[]} */
  const chosen = [];
  while (chosen.length < most) {
    let [best, gain] = [-1, 0];
    rows.forEach((row, i) => {
      let added = 0;
      for (const { feature, size } of row) if (size > 0) added += importance.get(feature) ?? 0;
      if (added > gain) [best, gain] = [i, added];
    });
    if (best < 0) break;
    const covers = rows[best].flatMap(({ feature, size }) => (size > 0 && importance.get(feature) ? [feature] : []));
    // What is covered adds nothing any more.
    for (const feature of covers) importance.set(feature, 0);
    chosen.push({ index: best, covers: covers.sort((a, b) => a - b), gain: gain / total });
  }
  return chosen;
}
