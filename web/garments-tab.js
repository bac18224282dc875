// The tab that explains a small image of a garment, drawn or uploaded.
import { grayPixels } from './image-pixels.js';
import { ImageTab } from './image-tab.js';
import { element, field, select } from './make-element.js';
import { GARMENT_SAMPLES } from './models/garment-samples.js';
import { SketchPad } from './sketch-pad.js';

const SIDE = 28;

export class GarmentsTab extends ImageTab {
  inputs() {
    this.image = GARMENT_SAMPLES[this.state.sample % GARMENT_SAMPLES.length].draw();
    this.pad = new SketchPad(SIDE, (image) => {
      this.image = image;
      this.changeSoon({});
    });
    this.pad.show(this.image);
    const samples = GARMENT_SAMPLES.map(({ name }, i) => [i, name]);
    const units = [['segment', 'superpixels'], ['pixel', 'each pixel (takes a second or two)']]; // prettier-ignore
    return [
      element('h2', {}, 'A garment'),
      field(
        'Drawing',
        select(samples, this.state.sample, (sample) => this.#pick(Number(sample))),
        'This page draws it in the style of Fashion-MNIST.',
      ),
      this.uploadField('Or your own image', 'A light garment on black works best.'),
      this.pad.element,
      field(
        'Unit',
        select(units, this.state.unit, (unit) => this.change({ unit })),
      ),
    ];
  }

  #pick(sample) {
    this.image = GARMENT_SAMPLES[sample].draw();
    this.pad.show(this.image);
    this.change({ sample });
  }

  useUpload(bitmap) {
    this.image = grayPixels(bitmap, SIDE);
    this.pad.show(this.image);
  }

  input() {
    return { image: this.image };
  }

  request() {
    const request = super.request();
    // Hidden parts become black, because the images have a black ground.
    return {
      ...request,
      options: { ...request.options, hide: [0], segments: { kind: 'slic', count: 30, compactness: 5 } },
    };
  }
}
