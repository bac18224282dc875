// Style sheets that all elements share, where the environment has them.

/**
 * Makes a style sheet on first use: importing an element must work without a DOM. jsdom has no constructed style sheets,
 * and no layout either, so elements have no styles there.
 *
 * @param {() => string} rules
 * @returns {() => CSSStyleSheet | undefined}
 */
export function sheetOf(rules) {
  /** @type {CSSStyleSheet | undefined} */
  let sheet;
  return () => {
    if (sheet || typeof globalThis.CSSStyleSheet?.prototype.replaceSync !== 'function') return sheet;
    sheet = new CSSStyleSheet();
    sheet.replaceSync(rules());
    return sheet;
  };
}

/**
 * Adds a style sheet to a shadow root.
 *
 * @param {ShadowRoot} root
 * @param {ReturnType<typeof sheetOf>} sheet
 */
export function addSheet(root, sheet) {
  const made = sheet();
  if (made) root.adoptedStyleSheets = [...(root.adoptedStyleSheets ?? []), made];
}
