// The tab that explains what a detector finds in a photograph.
import { colorPixels } from './image-pixels.js';
import { ImageTab } from './image-tab.js';
import { element } from './make-element.js';
import { openPhotograph, PHOTOGRAPH_SAMPLES } from './models/photograph-samples.js';

/** The longest side of a photograph, in pixels: the detector uses only 300, and a screen does not show many more. */
const LONGEST_SIDE = 1200;

export class PhotoTab extends ImageTab {
  /** The model is slow: LIME gets the answers that LINEX asked for, and there is no curve. */
  steadiness = { ...this.steadiness, variants: ['linex', 'ours'], curve: false };

  inputs() {
    this.credit = element('p', { class: 'hint' });
    const pick = (sample) => async () => {
      this.state.sample = sample;
      await this.prepare();
      this.change({});
    };
    return [
      element('h2', {}, 'A photograph'),
      element('p', { class: 'hint' }, 'What does the detector see, and where?'),
      element(
        'div',
        { class: 'examples' },
        ...PHOTOGRAPH_SAMPLES.map(({ name }, i) =>
          element('button', { type: 'button', class: 'example', click: pick(i) }, name),
        ),
      ),
      this.credit,
      this.uploadField('Or use your own photo', 'It stays on your machine.'),
    ];
  }

  async prepare() {
    const sample = PHOTOGRAPH_SAMPLES[this.state.sample % PHOTOGRAPH_SAMPLES.length];
    const bitmap = await openPhotograph(sample, new URL('../vendor/photographs/', import.meta.url));
    this.pixels = colorPixels(bitmap, LONGEST_SIDE);
    this.credit.textContent = `${sample.credit}. Getty Open Content, CC0.`;
  }

  useUpload(bitmap, name) {
    this.pixels = colorPixels(bitmap, LONGEST_SIDE);
    this.credit.textContent = name;
  }

  input() {
    const { data, width, height } = this.pixels;
    return { image: { data, width, height } };
  }

  request(settings) {
    const request = super.request(settings);
    const segments = { kind: 'slic', count: 40 };
    return { ...request, options: { ...request.options, segments, hide: 'blur', batchSize: 8 } };
  }
}
