// The version of the package, which files of explanations carry.
import { readFileSync } from 'node:fs';

/** @returns {string} */
export function readVersion() {
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version;
}
