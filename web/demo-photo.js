import { element, field, select } from './demo-dom.js';
import { DemoTab } from './demo-tab.js';
import { openPhotograph, PHOTOGRAPH_SAMPLES } from './models/photograph-samples.js';

/** A photograph is kept at this size at most: the detector sees 300 pixels, a screen not many more. */
const LONGEST = 1200;

/**
 * @param {ImageBitmap} bitmap
 * @returns {ImageData}
 */
function pixelsOf(bitmap) {
  const scale = Math.min(1, LONGEST / Math.max(bitmap.width, bitmap.height));
  const [width, height] = [bitmap.width, bitmap.height].map((side) => Math.max(1, Math.round(side * scale)));
  const canvas = element('canvas', { width, height });
  const pen = canvas.getContext('2d', { willReadFrequently: true });
  pen.drawImage(bitmap, 0, 0, width, height);
  return pen.getImageData(0, 0, width, height);
}

export class PhotoTab extends DemoTab {
  picture = 'linex-image';
  #image;

  inputs() {
    this.credit = element('p', { class: 'hint' });
    const samples = PHOTOGRAPH_SAMPLES.map(({ name }, i) => [i, name]);
    const file = element('input', { type: 'file', accept: 'image/*', change: () => this.#upload(file.files[0]) });
    return [
      element('h2', {}, 'A photograph'),
      field(
        'A photograph',
        select(samples, this.state.sample, async (sample) => {
          this.state.sample = Number(sample);
          await this.prepare();
          this.change({});
        }),
      ),
      this.credit,
      field('Or your own', file, 'It stays on your machine.'),
      element(
        'p',
        { class: 'hint' },
        'COCO-SSD, a detector of 80 everyday things: 19 MB, loaded when this tab is opened; about a tenth of a second a question.',
      ),
    ];
  }

  async prepare() {
    const sample = PHOTOGRAPH_SAMPLES[this.state.sample % PHOTOGRAPH_SAMPLES.length];
    this.#image = pixelsOf(await openPhotograph(sample, new URL('../vendor/photographs/', import.meta.url)));
    this.credit.textContent = `${sample.credit}; the Getty’s, CC0.`;
  }

  async #upload(file) {
    if (!file) return;
    try {
      this.#image = pixelsOf(await createImageBitmap(file));
      this.credit.textContent = file.name;
      this.change({});
    } catch {
      this.say(`“${file.name}” cannot be read as a picture.`);
    }
  }

  dress(one) {
    if ('image' in one) one.image = this.#image;
  }

  input() {
    const { data, width, height } = this.#image;
    return { image: { data, width, height } };
  }

  request() {
    const request = super.request();
    const segments = { kind: 'slic', count: 40 };
    return { ...request, options: { ...request.options, segments, hide: 'blur', batchSize: 8 } };
  }

  call() {
    return 'explainImage(image, predict, options)';
  }
}
