// Games whose equilibrium is known in closed form.

/** Returns the median of the targets and the grid -k gamma, -(k-2) gamma, …, k gamma, by sorting. */
export function restPoint(targets, gamma) {
  const k = targets.length;
  const grid = Array.from({ length: k + 1 }, (_, i) => (2 * i - k) * gamma);
  return [...targets, ...grid].sort((a, b) => a - b)[k];
}

/** Builds a game with independent features: player i wants targets[i][c], with the curvature curvatures[i][c]. */
export function independentGame(targets, curvatures, gamma) {
  const featureCount = targets[0].length;
  const grams = curvatures.map((curvature) => {
    const gram = new Array(featureCount * featureCount).fill(0);
    curvature.forEach((value, c) => (gram[c * featureCount + c] = value));
    return gram;
  });
  return { grams, targets: targets.map((target, i) => target.map((value, c) => value * curvatures[i][c])), gamma };
}
