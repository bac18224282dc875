// Where the scripts of the demo and of linex are: beside the documentation.

/** @param {string} path  from the root of the site */
export const siteURL = (path) => new URL(`../${path}`, new URL(globalThis.linexDocs ?? '/docs/', location.href)).href;
