// CIFAR10: a residual network, explained for the predicted class.
import { PIXEL_STUDY, PIXEL_WIDTHS, SEGMENT_WIDTHS } from './fashion.js';

const FILES = { images: 'cifar10-test-images-idx4-ubyte.gz', labels: 'cifar10-test-labels-idx1-ubyte.gz' };

const slower = (samples, dense) => (dense ? { examples: 2, counts: [2] } : undefined);

export const cifar = {
  key: 'cifar',
  name: 'CIFAR10',
  files: Object.values(FILES),
  measureOf: 'accuracy',
  published: 0.95,
  neighbors: 10,
  // Images of a class are not aligned, so the paper has no CAC here.
  classes: false,
  features: 5,
  kinds: {
    random: { samples: 100, widths: SEGMENT_WIDTHS, sweep: [50, 100, 200], shared: false, studyWidth: 0.25 },
    latent: {
      ...{ samples: 500, widths: PIXEL_WIDTHS, sweep: [250, 500], shared: true, slow: true },
      ...{
        features: 'all',
        examples: 100,
        sweepSize: { examples: 6 },
        study: { ...PIXEL_STUDY, silencings: [0] },
      },
    },
    shap: { samples: 500, widths: [undefined], shared: true, slow: true, examples: 20 },
  },
  sizes: { full: { splits: 1, examples: 500 }, quick: { splits: 1, examples: 3 } },
  sweep: { splits: 1, examples: 10 },
  study: { splits: 1, examples: 6, samples: [50, 200], dense: true, slower },

  async open({ folder, examples }) {
    // Imported here, because only the networks need their runtime.
    const { openPictures } = await import('../subjects/image-subject.js');
    return openPictures(folder, { ...FILES, name: 'cifar10' }, { examples, neighbors: this.neighbors });
  },
};
