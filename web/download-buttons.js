// The buttons that save or copy what the page shows: as a picture, data, code or a link.
import { element } from './make-element.js';

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
  const button = (label, act) =>
    element(
      'button',
      { type: 'button', class: 'quiet', click: () => Promise.resolve(act()).catch((error) => say(error.message)) },
      label,
    );
  const snippet = element('pre', { class: 'code', tabindex: 0, hidden: true, 'aria-label': 'Code' });
  const copy = async (text, message) => {
    await navigator.clipboard.writeText(text);
    say(message);
  };
  return element(
    'div',
    { class: 'downloads' },
    button('PNG', async () => save('linex.png', await view().toPNG())),
    button('SVG', () => save('linex.svg', new Blob([view().toSVG()], { type: 'image/svg+xml' }))),
    button('JSON', () =>
      save('linex.json', new Blob([JSON.stringify(explanation(), null, 1)], { type: 'application/json' })),
    ),
    button('Code', () => {
      snippet.textContent = code();
      snippet.hidden = !snippet.hidden;
    }),
    button('Copy link', () => copy(link(), 'The link is in your clipboard.')),
    snippet,
  );
}
