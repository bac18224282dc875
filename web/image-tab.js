// The base of the tabs that explain an image, which is a sample or an upload.
import { ExplanationTab } from './explanation-tab.js';
import { element, field } from './make-element.js';

/** A tab that explains an image. */
export class ImageTab extends ExplanationTab {
  viewName = 'linex-image';
  /** The image that is explained. @type {any} */
  image;

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
   * @param {string} title
   * @param {string} hint
   */
  uploadField(title, hint) {
    const input = element('input', { type: 'file', accept: 'image/*', change: () => this.#upload(input.files[0]) });
    return field(title, input, hint);
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

  prepareView(view) {
    if ('image' in view) view.image = this.image;
  }

  callCode() {
    return 'explainImage(image, predict, options)';
  }
}
