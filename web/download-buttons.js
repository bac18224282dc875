// The buttons that save or copy what the page shows: as a picture, data, code or a link.
import { button, element } from './make-element.js';

/**
 * @param {string} name
 * @param {Blob} blob
 */
function save(name, blob) {
  const href = URL.createObjectURL(blob);
  const link = element('a', { href, download: name });
  link.click();
  // Give the browser time to read the blob.
  setTimeout(() => URL.revokeObjectURL(href), 10000);
}

/**
 * Creates the buttons. Each function is called when its button is pressed.
 *
 * @param {object} source
 * @param {() => any} source.view  returns the element that shows the explanation
 * @param {() => any} source.explanation
 * @param {() => string} source.code
 * @param {() => string} source.link
 * @param {(message: string) => void} source.say
 */
export function downloadButtons({ view, explanation, code, link, say }) {
  const act = (label, action) => button(label, () => Promise.resolve(action()).catch((error) => say(error.message)));
  const snippet = element('pre', { class: 'code', tabindex: 0, hidden: true, 'aria-label': 'Code' });
  const showCode = act('Code', () => {
    snippet.textContent = code();
    snippet.hidden = !snippet.hidden;
    showCode.setAttribute('aria-expanded', String(!snippet.hidden));
  });
  showCode.setAttribute('aria-expanded', 'false');
  return element(
    'div',
    { class: 'downloads' },
    act('PNG', async () => save('linex.png', await view().toPNG())),
    act('SVG', () => save('linex.svg', new Blob([view().toSVG()], { type: 'image/svg+xml' }))),
    act('JSON', () =>
      save('linex.json', new Blob([JSON.stringify(explanation(), null, 1)], { type: 'application/json' })),
    ),
    showCode,
    act('Copy link', async () => {
      await navigator.clipboard.writeText(link());
      say('The link is in your clipboard.');
    }),
    snippet,
  );
}
