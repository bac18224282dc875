// The base of the tabs that explain an image, which is a sample or an upload.
import { ExplanationTab } from './explanation-tab.js';
import { element } from './make-element.js';

/** A tab that explains an image. */
export class ImageTab extends ExplanationTab {
  /** @type {'image'} */
  picture = 'image';
  /** The image that is explained. @type {any} */
  pixels;
  steadiness = { ...this.steadiness, things: 'Parts' };

  get image() {
    return this.pixels;
  }

  /**
   * Uses an uploaded image. A tab overrides it.
   *
   * @param {ImageBitmap} _bitmap
   * @param {string} _name  of the file
   */
  useUpload(_bitmap, _name) {}

  /**
   * Creates the control that uploads an image.
   *
   * @param {string} text
   * @param {string} hint
   */
  uploadField(text, hint) {
    const input = element('input', { type: 'file', accept: 'image/*', change: () => this.#upload(input.files[0]) });
    return element('label', { class: 'upload' }, element('span', {}, text), input, element('small', {}, hint));
  }

  async #upload(file) {
    if (!file) return;
    try {
      this.useUpload(await createImageBitmap(file), file.name);
      this.change({});
    } catch {
      this.say(`Could not read “${file.name}” as an image.`);
    }
  }

  callCode() {
    return 'explainImage(image, predict, options)';
  }
}
