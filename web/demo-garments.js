import { element, field, select } from './demo-dom.js';
import { DemoTab } from './demo-tab.js';
import { GARMENT_SAMPLES } from './models/garment-samples.js';
import { grayPixels, SketchPad } from './sketch-pad.js';

const SIDE = 28;

export class GarmentsTab extends DemoTab {
  picture = 'linex-image';
  #image;

  inputs() {
    this.#image = GARMENT_SAMPLES[this.state.sample % GARMENT_SAMPLES.length].draw();
    this.pad = new SketchPad(SIDE, (image) => {
      this.#image = image;
      this.typed({});
    });
    this.pad.show(this.#image);
    const samples = GARMENT_SAMPLES.map(({ name }, i) => [i, name]);
    const file = element('input', { type: 'file', accept: 'image/*', change: () => this.#upload(file.files[0]) });
    const units = [['segment', 'superpixels'], ['pixel', 'every pixel (a second or two)']]; // prettier-ignore
    return [
      element('h2', {}, 'A garment'),
      field(
        'A drawing',
        select(samples, this.state.sample, (sample) => this.#pick(Number(sample))),
        'Drawn by this page, in the style of Fashion-MNIST.',
      ),
      field('Or your own picture', file, 'A light garment on black works best.'),
      this.pad.element,
      field(
        'Explain by',
        select(units, this.state.unit, (unit) => this.change({ unit })),
      ),
    ];
  }

  #pick(sample) {
    this.#image = GARMENT_SAMPLES[sample].draw();
    this.pad.show(this.#image);
    this.change({ sample });
  }

  async #upload(file) {
    if (!file) return;
    try {
      this.#image = grayPixels(await createImageBitmap(file), SIDE);
      this.pad.show(this.#image);
      this.change({});
    } catch {
      this.say(`“${file.name}” cannot be read as a picture.`);
    }
  }

  dress(one) {
    if ('image' in one) one.image = this.#image;
  }

  input() {
    return { image: this.#image };
  }

  request() {
    const request = super.request();
    // The ground of the pictures is black: that is what nothing looks like here.
    return {
      ...request,
      options: { ...request.options, hide: [0], segments: { kind: 'slic', count: 30, compactness: 5 } },
    };
  }

  call() {
    return 'explainImage(image, predict, options)';
  }
}
