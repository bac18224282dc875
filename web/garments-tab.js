// The tab that explains a small image of a garment, drawn or uploaded.
import { grayPixels } from './image-pixels.js';
import { ImageTab } from './image-tab.js';
import { element, select } from './make-element.js';
import { GARMENT_SAMPLES } from './models/garment-samples.js';
import { SketchPad } from './sketch-pad.js';

const SIDE = 28;
const UNITS = [['segment', 'patches'], ['pixel', 'single pixels (a second or two)']]; // prettier-ignore

export class GarmentsTab extends ImageTab {
  inputs() {
    this.pixels = GARMENT_SAMPLES[this.state.sample % GARMENT_SAMPLES.length].draw();
    this.pad = new SketchPad(SIDE, (image) => {
      this.pixels = image;
      this.changeSoon({});
    });
    this.pad.show(this.pixels);
    const samples = GARMENT_SAMPLES.map(({ name }, i) => [i, name]);
    const list = select('Drawing', samples, this.state.sample, (sample) => this.#pick(Number(sample)));
    const units = select('Unit', UNITS, this.state.unit, (unit) => this.change({ unit }));
    return [
      element('h2', {}, 'A garment'),
      element('p', { class: 'hint' }, 'What does the model take it for? Draw on it, or start from scratch.'),
      this.pad.element,
      element('p', { class: 'sentence' }, 'Start from ', list),
      element('p', { class: 'sentence' }, 'Explain by ', units),
      this.uploadField('Or use your own image', 'A light garment on black works best.'),
    ];
  }

  #pick(sample) {
    this.pixels = GARMENT_SAMPLES[sample].draw();
    this.pad.show(this.pixels);
    this.change({ sample });
  }

  useUpload(bitmap) {
    this.pixels = grayPixels(bitmap, SIDE);
    this.pad.show(this.pixels);
  }

  input() {
    return { image: this.pixels };
  }

  request(settings) {
    const request = super.request(settings);
    // Hidden parts become black, because the images have a black ground.
    return {
      ...request,
      options: { ...request.options, hide: [0], segments: { kind: 'slic', count: 30, compactness: 5 } },
    };
  }
}
