// linex/elements: importing this module registers <linex-text>, <linex-image> and <linex-bars>.
import { LinexBars } from './elements/element-bars.js';
import { LinexImage } from './elements/element-image.js';
import { LinexText } from './elements/element-text.js';

export { LinexBars, LinexImage, LinexText };

for (const [name, element] of Object.entries({
  'linex-text': LinexText,
  'linex-image': LinexImage,
  'linex-bars': LinexBars,
}))
  if (!customElements.get(name)) customElements.define(name, element);
