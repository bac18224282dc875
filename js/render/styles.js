// The style sheets of the HTML rendering and of the elements.
import { checkChoice, checkNames } from '../core/check-options.js';
import { FONT } from './drawing.js';
import { paintOf, PALETTES, PLAIN_ROLES, SCALE, THEMES } from './palette.js';

/**
 * @typedef {import('./palette.js').Palette} Palette
 * @typedef {import('./palette.js').Theme} Theme
 */

const RULES = `
.linex{box-sizing:border-box;margin:0;padding:16px 20px;border:1px solid var(--line);border-radius:10px;background:var(--ground);color:var(--ink);font:15px/1.45 var(--linex-font,${FONT});position:relative;overflow-wrap:anywhere}
.linex-head{margin-bottom:12px;font-size:13px}
.linex-head *{display:block;unicode-bidi:isolate}
.linex-title{font-size:16px;font-weight:600}
.linex-facts{color:var(--muted)}
.linex-text{font-size:17px;line-height:1.9;white-space:pre-wrap;margin-bottom:16px}
.linex-word{background:var(--step,none);color:var(--on,inherit);border-radius:4px;padding:2px 3px 4px;text-decoration:underline;text-decoration-thickness:2px;text-underline-offset:3px;text-decoration-skip-ink:none;-webkit-box-decoration-break:clone;box-decoration-break:clone;print-color-adjust:exact}
.linex-none{padding-inline:0}
.linex-minus{text-decoration-style:dashed}
.linex-undecided{text-decoration-style:dotted}
.linex-up::after,.linex-down::after{content:"\\2060+";font-size:.7em;font-weight:600;line-height:1;vertical-align:.45em;margin-inline-start:1px}
.linex-down::after{content:"\\2060−"}
.linex-hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
@media (forced-colors:active){.linex-word{background:Canvas;color:CanvasText}}
`;

/** For the legend in HTML. The elements draw theirs as SVG. */
const LEGEND_RULES = `
.linex-legend{max-width:340px;font-size:12px}
.linex-strip,.linex-ticks,.linex-sides{display:flex;justify-content:space-between;column-gap:12px}
.linex-strip{column-gap:0}
.linex-strip i{flex:1;height:6px;background:var(--step);print-color-adjust:exact;forced-color-adjust:none}
.linex-ticks{color:var(--muted)}
.linex-ticks *{flex:1}
.linex-ticks :nth-child(2){text-align:center}
.linex-ticks :nth-child(3),.linex-key.linex-plus{text-align:end}
.linex-sides .linex-key{overflow:hidden;text-overflow:ellipsis;white-space:nowrap;padding-bottom:6px}
.linex-key{text-decoration-line:underline;text-decoration-thickness:2px;text-underline-offset:4px;text-decoration-skip-ink:none;unicode-bidi:isolate}
`;

const plainVariables = (/** @type {'light' | 'dark'} */ theme) =>
  PLAIN_ROLES.map((role) => `--${role}:var(--linex-${role},${paintOf(role, 'red-blue', theme)});`).join('');

/**
 * @param {Palette} palette
 * @param {'light' | 'dark'} theme
 * @param {string} [scope]  a class selector that limits the rules; default none
 */
function colorsOf(palette, theme, scope = '') {
  const steps = SCALE.map((step) => {
    const on = step === 'z' ? '' : `;--on:${paintOf(`on-${step}`, palette, theme)}`;
    return `.linex-${palette}${scope} .linex-${step}{--step:${paintOf(step, palette, theme)}${on}}`;
  });
  return `.linex-${palette}${scope}{${plainVariables(theme)}}\n${steps.join('\n')}`;
}

/**
 * Returns the rules that HTML and elements share: everything except the HTML legend.
 *
 * @param {readonly Palette[]} palettes
 * @param {readonly Theme[]} themes
 */
export function stylesFor(palettes, themes) {
  const sheets = palettes.flatMap((palette) => [
    colorsOf(palette, 'light'),
    // Dark colors are for screens only, because paper is white.
    ...themes.map((theme) => {
      const media = theme === 'auto' ? ' and (prefers-color-scheme:dark)' : '';
      return theme === 'light' ? '' : `@media screen${media}{${colorsOf(palette, 'dark', `.linex-${theme}`)}}`;
    }),
  ]);
  return RULES + sheets.join('\n');
}

/**
 * Returns the style sheet for `renderTextHTML`. Use it on pages whose content security policy forbids inline styles:
 * serve it as a file and render with `styles: false`.
 *
 * @param {{ palette?: Palette, theme?: Theme }} [options]  limit the rules to one palette or theme; default all of them
 * @returns {string}  CSS
 * @throws {TypeError | RangeError}  if an option is wrong
 */
export function renderStyles(options = {}) {
  const { palette, theme } = checkNames(options, ['palette', 'theme'], 'renderStyles');
  if (palette !== undefined) checkChoice(palette, 'palette', PALETTES);
  if (theme !== undefined) checkChoice(theme, 'theme', THEMES);
  return stylesFor(palette ? [palette] : PALETTES, theme ? [theme] : THEMES) + LEGEND_RULES;
}
