// Fashion-MNIST: a plain network, explained for the predicted class.

const FILES = { images: 'fmnist-test-images-idx3-ubyte.gz', labels: 'fmnist-test-labels-idx1-ubyte.gz' };

/** The paper's settings, for segments and for pixels; CIFAR10 has the same. */
export const SEGMENT_WIDTHS = Object.freeze([0.43, 0.85, 2.14, 4.27, 6.41]);
export const PIXEL_WIDTHS = Object.freeze([1.4, 2.8, 7, 14, 21]);

/** A game with hundreds of pixels takes longer than one with segments. */
export const PIXEL_STUDY = Object.freeze({
  ...{ samples: [500], dense: false, examples: 6, counts: [2], games: [1], silencings: [0, 0.9] },
});

/** With all segments or thousands of samples, an explanation takes seconds, and there are hundreds of settings. */
const slower = (samples, dense) =>
  dense ? { examples: 3, counts: [2] } : samples > 1000 ? { examples: 4 } : undefined;

export const fashion = {
  key: 'fashion',
  name: 'FMNIST',
  files: Object.values(FILES),
  measureOf: 'accuracy',
  published: 0.87,
  neighbors: 10,
  classes: true,
  features: 5,
  kinds: {
    random: {
      samples: 100,
      widths: SEGMENT_WIDTHS,
      sweep: [50, 100, 200, 300, 400, 500],
      shared: false,
      studyWidth: 0.25,
    },
    latent: {
      ...{ samples: 500, widths: PIXEL_WIDTHS, sweep: [250, 500, 750, 1000], shared: true, slow: true },
      ...{ features: 'all', examples: 200, sweepSize: { examples: 12 }, study: PIXEL_STUDY },
    },
    shap: { samples: 500, widths: [undefined], shared: true, slow: true, examples: 60 },
  },
  sizes: { full: { splits: 1, examples: 1000 }, quick: { splits: 1, examples: 11 } },
  sweep: { splits: 1, examples: 20 },
  study: { splits: 1, examples: 16, samples: [50, 200, 1000, 5000], dense: true, slower },

  async open({ folder, examples }) {
    // Imported here, because only the networks need their runtime.
    const { openPictures } = await import('../subjects/image-subject.js');
    return openPictures(folder, { ...FILES, name: 'fmnist' }, { examples, neighbors: this.neighbors });
  },
};
