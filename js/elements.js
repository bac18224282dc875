// linex/elements: importing this module registers <linex-text>, <linex-image> and <linex-bars>.
import { LinexBars } from './elements/element-bars.js';
import { LinexImage } from './elements/element-image.js';
import { LinexText } from './elements/element-text.js';
import { register } from './elements/register.js';

export { LinexBars, LinexImage, LinexText };

register({
  'linex-text': LinexText,
  'linex-image': LinexImage,
  'linex-bars': LinexBars,
});
