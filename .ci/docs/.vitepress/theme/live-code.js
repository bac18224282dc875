// Code blocks that can be run and edited in the page. Nothing of linex is loaded before a reader presses a button.
import { siteURL } from './site-url.js';

const make = (tag, attributes = {}, ...content) => {
  const node = Object.assign(document.createElement(tag), attributes);
  node.append(...content);
  return node;
};

/** The code of a block: what the reader has written, or else what the page shows. */
const codeOf = (box) => box.querySelector('textarea')?.value ?? box.querySelector('pre').textContent;

/** All code that a block needs: the blocks before it that it continues, and itself. */
function programOf(box) {
  const { live } = box.dataset;
  const parts = [...document.querySelectorAll(`.live[data-live="${CSS.escape(live)}"]`)];
  return parts
    .slice(0, parts.indexOf(box) + 1)
    .map(codeOf)
    .join('\n');
}

/** Shows what was printed: pictures as pictures, the rest as text. */
function show(output, text) {
  if (!text.startsWith('<svg')) return output.append(`${text}\n`);
  const image = make('img', { alt: 'The picture that the code has drawn' });
  image.src = URL.createObjectURL(new Blob([text], { type: 'image/svg+xml' }));
  output.append(image, '\n');
}

/** Replaces the block by a text field with its code, or back. */
function toggleEditor(box, button) {
  const block = box.querySelector('div[class*="language-"]');
  const field = box.querySelector('textarea');
  button.textContent = field ? 'Edit' : 'Reset';
  block.hidden = !field;
  if (field) return field.remove();
  const value = block.querySelector('pre').textContent.trimEnd();
  const editor = make('textarea', { value, spellcheck: false, rows: value.split('\n').length + 1, ariaLabel: 'Code' });
  editor.autocapitalize = 'off';
  block.after(editor);
  editor.focus();
}

async function runBlock(box, output, button) {
  if (box.stop) return box.stop.abort();
  box.stop = new AbortController();
  button.textContent = 'Stop';
  output.hidden = false;
  output.replaceChildren();
  try {
    const { runCode } = await import('./run-code.js');
    const scripts = siteURL('js/');
    await runCode(programOf(box), { scripts, onPrint: (text) => show(output, text), signal: box.stop.signal });
    if (!output.hasChildNodes()) output.append('It ran and printed nothing.');
    box.dataset.state = 'done';
  } catch (error) {
    output.append(`It failed: ${error.message}`);
    box.dataset.state = 'failed';
  } finally {
    box.stop = undefined;
    button.textContent = 'Run';
  }
}

/** Gives a block its buttons. @param {HTMLElement} box */
export function makeLive(box) {
  if (box.dataset.ready) return;
  box.dataset.ready = 'true';
  const output = make('pre', { className: 'live-output', hidden: true, tabIndex: 0 });
  output.setAttribute('role', 'status');
  output.setAttribute('aria-label', 'Output');
  const run = make('button', { type: 'button', textContent: 'Run' });
  const edit = make('button', { type: 'button', textContent: 'Edit' });
  run.addEventListener('click', () => runBlock(box, output, run));
  edit.addEventListener('click', () => toggleEditor(box, edit));
  box.append(make('div', { className: 'live-bar' }, run, edit), output);
}
