// The anchors of headings: the same on the site as on GitHub, so that a link works in both.

/** @param {string} heading  its text, without marks of Markdown */
export const slugOf = (heading) =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
