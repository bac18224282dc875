// The tab that explains what a detector finds in a photograph.
import { colorPixels } from './image-pixels.js';
import { ImageTab } from './image-tab.js';
import { element, field, select } from './make-element.js';
import { openPhotograph, PHOTOGRAPH_SAMPLES } from './models/photograph-samples.js';

/** The longest side of a photograph, in pixels: the detector uses only 300, and a screen does not show many more. */
const LONGEST_SIDE = 1200;

export class PhotoTab extends ImageTab {
  inputs() {
    this.credit = element('p', { class: 'hint' });
    const samples = PHOTOGRAPH_SAMPLES.map(({ name }, i) => [i, name]);
    return [
      element('h2', {}, 'A photograph'),
      field(
        'Photograph',
        select(samples, this.state.sample, async (sample) => {
          this.state.sample = Number(sample);
          await this.prepare();
          this.change({});
        }),
      ),
      this.credit,
      this.uploadField('Or your own', 'It stays on your machine.'),
      element(
        'p',
        { class: 'hint' },
        'The model is COCO-SSD, which detects 80 kinds of everyday objects. It is 19 MB and is loaded when you open this tab. Each query takes about a tenth of a second.',
      ),
    ];
  }

  async prepare() {
    const sample = PHOTOGRAPH_SAMPLES[this.state.sample % PHOTOGRAPH_SAMPLES.length];
    const bitmap = await openPhotograph(sample, new URL('../vendor/photographs/', import.meta.url));
    this.image = colorPixels(bitmap, LONGEST_SIDE);
    this.credit.textContent = `${sample.credit}. Getty Open Content, CC0.`;
  }

  useUpload(bitmap, name) {
    this.image = colorPixels(bitmap, LONGEST_SIDE);
    this.credit.textContent = name;
  }

  input() {
    const { data, width, height } = this.image;
    return { image: { data, width, height } };
  }

  request() {
    const request = super.request();
    const segments = { kind: 'slic', count: 40 };
    return { ...request, options: { ...request.options, segments, hide: 'blur', batchSize: 8 } };
  }
}
