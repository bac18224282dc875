// The menus of the site: four kinds of page, and the order of the pages in each.

const page = (text, link) => ({ text, link });

const START = [
  page('What linex does', '/'),
  page('Tutorial: a first explanation', '/tutorial'),
  page('Questions and answers', '/faq'),
  page('Troubleshooting', '/troubleshooting'),
  page('Glossary', '/glossary'),
];

const GUIDES = [
  {
    text: 'By task',
    items: [
      page('A row of a table', '/guides/rows'),
      page('Untidy rows', '/guides/untidy-rows'),
      page('A text', '/guides/texts'),
      page('An image', '/guides/images'),
      page('Many rows', '/guides/many-rows'),
      page('Many machines', '/guides/fleet'),
      page('Costly models', '/guides/costly-models'),
      page('Realistic neighborhoods', '/guides/realistic-neighborhoods'),
      page('What would change the answer', '/guides/recourse'),
      page('Shapley values', '/guides/shap'),
      page('MAPLE', '/guides/maple'),
      page('Forests', '/guides/forests'),
      page('Measuring explanations', '/guides/measuring'),
      page('Drawing', '/guides/drawing'),
      page('Charts', '/guides/charts'),
      page('Gallery', '/gallery'),
    ],
  },
  {
    text: 'By framework',
    items: [
      page('Your model: ONNX, TensorFlow.js, HTTP', '/guides/models'),
      page('Elements for any framework', '/guides/elements'),
      page('Pages and bundlers', '/guides/pages-and-bundlers'),
    ],
  },
  {
    text: 'By runtime',
    items: [
      page('Runtimes', '/guides/runtimes'),
      page('Command line', '/guides/command-line'),
      page('C library', '/guides/c-library'),
    ],
  },
  {
    text: 'From another library',
    items: [page('From LIME', '/migrate/from-lime'), page('From SHAP', '/migrate/from-shap')],
  },
];

const REFERENCE = [
  {
    text: 'Overview',
    items: [
      page('Options', '/reference/options'),
      page('Results', '/reference/results'),
      page('Functions', '/reference/functions'),
      page('Errors', '/reference/errors'),
      page('Messages', '/reference/messages'),
      page('Commands', '/reference/commands'),
    ],
  },
];

const IDEAS = [
  page('How LINEX works', '/ideas/how-linex-works'),
  page('The game, step by step', '/ideas/the-game'),
  page('What a weight means', '/ideas/what-a-weight-means'),
  page('Intervals and agreement', '/ideas/intervals-and-agreement'),
  page('What R² is good enough', '/ideas/what-fidelity-is-good-enough'),
  page('LINEX, LIME, SHAP, WebSHAP', '/ideas/linex-lime-shap'),
  page('How steady', '/ideas/how-steady'),
  page('How fast', '/ideas/how-fast'),
  page('The paper', '/ideas/the-paper'),
  page('Benchmarks', '/ideas/bench'),
];

export const NAV = [
  page('Tutorial', '/tutorial'),
  { text: 'Guides', link: '/guides/', activeMatch: '^/(guides|gallery|migrate)' },
  { text: 'Reference', link: '/reference/', activeMatch: '^/reference/' },
  { text: 'Ideas', link: '/ideas/', activeMatch: '^/ideas/' },
  // Outside of the documentation, so the browser must load it.
  { text: 'Demo', link: '/../web/', target: '_self' },
];

/** The sidebar of each folder. @param {object[]} exports  the groups of the generated reference */
export const sidebarOf = (exports) => {
  const start = { text: 'Start here', items: START };
  return {
    '/': [start, ...GUIDES, { text: 'Ideas', items: IDEAS }],
    '/guides/': GUIDES,
    '/gallery': GUIDES,
    '/migrate/': GUIDES,
    '/ideas/': [{ text: 'Ideas', items: IDEAS }],
    '/reference/': [...REFERENCE, ...exports],
  };
};
