// What the search knows of a page, and how it ranks. Used by the build, by the pages, and by the test of 30 questions.

/**
 * Returns the HTML of a page for the index. Pages with `search: false` are not found. `keywords` are what readers call the
 * subject; they make a short section of their own, because a match in a short section ranks high.
 */
export function indexedHTML(source, env, md) {
  const html = md.render(source, env);
  const { search, keywords } = env.frontmatter ?? {};
  if (search === false) return '';
  const [, title] = source.match(/^# (.*)$/m) ?? [];
  return keywords && title ? `<h1>${title}<a href="#"></a></h1><p>${keywords}</p>${html}` : html;
}

/** Words of a question that say nothing about its subject. */
const COMMON = new Set(
  (
    'a an and are as at be by can could do does for from get has have how i if in into is it its me my of on one or our ' +
    'need needs no not of out should so some than that the their then there this to use using was we what when where which who why ' +
    'will with without would you your'
  ).split(' '),
);

/** How much a page counts: a guide answers a question more often than an entry of the reference. */
const KINDS = [
  [/\/(reference\/(api|elements|command|every-\w+)|source|project)\b/, 0.35],
  [/\/reference\//, 0.7],
  [/\/ideas\/(bench|tables)/, 0.4],
];

/** The options of MiniSearch for a query. */
export const SEARCH_OPTIONS = {
  fuzzy: (term) => (term.length > 4 ? 0.2 : false),
  prefix: (term) => term.length > 2,
  boost: { title: 3, titles: 2, text: 1 },
  weights: { fuzzy: 0.2, prefix: 0.5 },
  processTerm: (term) => (COMMON.has(term.toLowerCase()) ? null : term.toLowerCase()),
  boostDocument: (id) => {
    const kind = KINDS.find(([pattern]) => pattern.test(id))?.[1] ?? 1;
    // Only the keywords of a page have no anchor; they were chosen for questions.
    return kind * (id.includes('#') ? 1 : 4);
  },
};
