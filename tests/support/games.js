// Games whose equilibrium is known in closed form.

/** The median of the targets and of the grid -k gamma, -(k-2) gamma, …, k gamma, by sorting. */
export function restPoint(targets, gamma) {
  const k = targets.length;
  const grid = Array.from({ length: k + 1 }, (_, i) => (2 * i - k) * gamma);
  return [...targets, ...grid].sort((a, b) => a - b)[k];
}

/** A game of independent features: player i wants targets[i][c], and cares by curvature[i][c]. */
export function independentGame(targets, curvatures, gamma) {
  const width = targets[0].length;
  const grams = curvatures.map((curvature) => {
    const gram = new Array(width * width).fill(0);
    curvature.forEach((value, c) => (gram[c * width + c] = value));
    return gram;
  });
  return { grams, targets: targets.map((wish, i) => wish.map((value, c) => value * curvatures[i][c])), gamma };
}
