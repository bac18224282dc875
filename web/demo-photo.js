import { element } from './demo-dom.js';
import { DemoTab } from './demo-tab.js';

export class PhotoTab extends DemoTab {
  picture = 'linex-image';
  inputs() {
    return [element('h2', {}, 'A photograph')];
  }
}
