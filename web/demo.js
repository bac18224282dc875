// The demo page: its first screen, its tabs, its theme, and links to its state.
import { LiveExample } from './live-example.js';
import { element } from './make-element.js';
import { defaultsOf, hashOf, stateOf } from './page-state.js';
import { WorkerClient } from './worker-client.js';

/** Loads a tab's code when the tab is opened. */
const LOADERS = {
  words: async () => (await import('./words-tab.js')).WordsTab,
  rows: async () => (await import('./rows-tab.js')).RowsTab,
  garments: async () => (await import('./garments-tab.js')).GarmentsTab,
  photo: async () => (await import('./photo-tab.js')).PhotoTab,
};

const panel = document.querySelector('#panel');
const buttons = [...document.querySelectorAll('[role="tab"]')];
const themeButton = document.querySelector('#theme');

const theme = () => document.documentElement.dataset.theme ?? 'auto';
let client;
let openTab;
/** Resolves when the first screen has its picture; the tab comes after it. */
let firstScreen = Promise.resolve();
/** Counts the calls of `open`, so that a call can see that a newer one has replaced it. */
let openCount = 0;

/** Resolves when an element is on the screen, or nearly so: a picture that nobody sees needs no code and no questions. */
const comesNear = (box) =>
  new Promise((resolve) => {
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        observer.disconnect();
        resolve();
      },
      { rootMargin: '50px' },
    );
    observer.observe(box);
  });

/** Shows a message about the whole page. */
function notify(message) {
  panel.prepend(element('p', { class: 'notice', role: 'alert' }, message));
}

/** Opens the tab of a state; `problem` is a message about the link. */
async function open(state, problem = null) {
  const count = ++openCount;
  openTab?.close();
  openTab = undefined;
  for (const button of buttons) {
    const chosen = button.dataset.tab === state.tab;
    button.setAttribute('aria-selected', String(chosen));
    button.tabIndex = chosen ? 0 : -1;
    if (chosen) panel.setAttribute('aria-labelledby', button.id);
  }
  panel.replaceChildren(element('p', { class: 'status' }, 'Loading …'));
  try {
    const Tab = await LOADERS[state.tab]();
    if (count !== openCount) return;
    const tab = new Tab(state, { client, theme });
    panel.replaceChildren(tab.build());
    openTab = tab;
    if (problem) notify(`${problem} The page shows its defaults instead.`);
    await firstScreen;
    await comesNear(tab.view.box);
    await tab.prepare();
    if (count === openCount) await tab.explain();
  } catch (error) {
    if (count === openCount) notify(`Could not open this tab: ${error.message}`);
  }
}

function chooseTab(button) {
  const state = defaultsOf(button.dataset.tab);
  history.pushState(null, '', hashOf(state));
  open(state);
}

for (const [i, button] of buttons.entries()) {
  button.addEventListener('click', () => chooseTab(button));
  button.addEventListener('keydown', (event) => {
    const step = Number(event.key === 'ArrowRight') - Number(event.key === 'ArrowLeft');
    if (!step) return;
    const next = buttons[(i + step + buttons.length) % buttons.length];
    next.focus();
    chooseTab(next);
  });
}

const isDark = () => theme() === 'dark' || (theme() === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches);
const updateThemeButton = () => (themeButton.textContent = isDark() ? 'Light' : 'Dark');
updateThemeButton();

themeButton.addEventListener('click', () => {
  document.documentElement.dataset.theme = isDark() ? 'light' : 'dark';
  updateThemeButton();
  for (const view of document.querySelectorAll('[data-picture]')) view.setAttribute('theme', theme());
});

// The hash is the state of the page, so this link scrolls by itself.
document.querySelector('#to-steady').addEventListener('click', (event) => {
  event.preventDefault();
  document.querySelector('#steady')?.scrollIntoView();
});

const openHash = () => {
  const { state, problem } = stateOf(location.hash);
  return open(state, problem);
};
addEventListener('popstate', openHash);
addEventListener('hashchange', openHash);

if (typeof WebAssembly === 'object') {
  client = new WorkerClient();
  firstScreen = new LiveExample(document.querySelector('#live'), client).start();
  openHash();
  // A link to a tab leads to the tab.
  if (location.hash.includes('tab=')) document.querySelector('.tabs').scrollIntoView();
} else {
  panel.replaceChildren();
  notify('WebAssembly is switched off in this browser. linex needs it, so this page cannot explain anything.');
}
