// linex/elements: importing this registers <linex-text>, <linex-image> and <linex-bars>.
import { LinexBars } from './element-bars.js';
import { LinexImage } from './element-image.js';
import { LinexText } from './element-text.js';

export { LinexBars, LinexImage, LinexText };

for (const [name, element] of Object.entries({
  'linex-text': LinexText,
  'linex-image': LinexImage,
  'linex-bars': LinexBars,
}))
  if (!customElements.get(name)) customElements.define(name, element);
