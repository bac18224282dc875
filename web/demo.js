// The demo page: tabs, the theme, and the link that carries what is shown.
import { DemoClient } from './demo-client.js';
import { element } from './demo-dom.js';
import { defaultsOf, hashOf, stateOf } from './demo-state.js';

/** Each tab's code is loaded when the tab is opened. */
const LOADERS = {
  words: async () => (await import('./demo-words.js')).WordsTab,
  garments: async () => (await import('./demo-garments.js')).GarmentsTab,
  photo: async () => (await import('./demo-photo.js')).PhotoTab,
  rows: async () => (await import('./demo-rows.js')).RowsTab,
};

const panel = document.querySelector('#panel');
const buttons = [...document.querySelectorAll('[role="tab"]')];
const themeButton = document.querySelector('#theme');

const theme = () => document.documentElement.dataset.theme ?? 'auto';
let client;
let shown;
let turn = 0;

/** Something that concerns the whole page, in words. */
function tell(words) {
  panel.prepend(element('p', { class: 'notice', role: 'alert' }, words));
}

async function open(state, problem = null) {
  const mine = ++turn;
  shown?.close();
  shown = undefined;
  for (const button of buttons) {
    const chosen = button.dataset.tab === state.tab;
    button.setAttribute('aria-selected', String(chosen));
    button.tabIndex = chosen ? 0 : -1;
    if (chosen) panel.setAttribute('aria-labelledby', button.id);
  }
  panel.replaceChildren(element('p', { class: 'status' }, 'Loading …'));
  try {
    const Tab = await LOADERS[state.tab]();
    if (mine !== turn) return;
    client ??= new DemoClient();
    const tab = new Tab(state, { client, theme });
    panel.replaceChildren(tab.build());
    shown = tab;
    if (problem) tell(`${problem} The page shows its usual start instead.`);
    await tab.prepare();
    if (mine === turn) await tab.explain();
  } catch (error) {
    if (mine === turn) tell(`This tab could not be opened: ${error.message}`);
  }
}

function choose(button) {
  const state = defaultsOf(button.dataset.tab);
  history.pushState(null, '', hashOf(state));
  open(state);
}

for (const [i, button] of buttons.entries()) {
  button.addEventListener('click', () => choose(button));
  button.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const next = buttons[(i + step + buttons.length) % buttons.length];
    next.focus();
    choose(next);
  });
}

const isDark = () => theme() === 'dark' || (theme() === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches);
const nameTheme = () => (themeButton.textContent = isDark() ? 'Light' : 'Dark');
nameTheme();

themeButton.addEventListener('click', () => {
  document.documentElement.dataset.theme = isDark() ? 'light' : 'dark';
  nameTheme();
  for (const one of document.querySelectorAll('linex-text, linex-image, linex-bars'))
    one.setAttribute('theme', theme());
});

const openHash = () => {
  const { state, problem } = stateOf(location.hash);
  return open(state, problem);
};
addEventListener('popstate', openHash);
addEventListener('hashchange', openHash);

if (typeof WebAssembly === 'object') openHash();
else {
  panel.replaceChildren();
  tell('WebAssembly is switched off in this browser. linex computes with it, so nothing can be explained here.');
}
