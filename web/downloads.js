import { element } from './demo-dom.js';

/**
 * @param {string} name
 * @param {Blob} blob
 */
function save(name, blob) {
  const href = URL.createObjectURL(blob);
  const link = element('a', { href, download: name });
  link.click();
  // Once the browser has it.
  setTimeout(() => URL.revokeObjectURL(href), 10000);
}

/**
 * Buttons that take what is shown away: as a picture, as data, as code, as a link.
 *
 * @param {object} what
 * @param {() => any} what.picture  the element that is shown
 * @param {() => any} what.explanation
 * @param {() => string} what.code
 * @param {() => string} what.link
 * @param {(words: string) => void} what.say
 */
export function downloads({ picture, explanation, code, link, say }) {
  const button = (words, act) =>
    element(
      'button',
      { type: 'button', class: 'quiet', click: () => Promise.resolve(act()).catch((error) => say(error.message)) },
      words,
    );
  const snippet = element('pre', { class: 'code', tabindex: 0, hidden: true, 'aria-label': 'Code' });
  const copy = async (text, words) => {
    await navigator.clipboard.writeText(text);
    say(words);
  };
  return element(
    'div',
    { class: 'downloads' },
    button('PNG', async () => save('linex.png', await picture().toPNG())),
    button('SVG', () => save('linex.svg', new Blob([picture().toSVG()], { type: 'image/svg+xml' }))),
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
