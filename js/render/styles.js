// The style sheets of the HTML rendering and of the elements.
import { checkChoice, checkNames } from '../core/check-options.js';
import { FONT } from './drawing.js';
import { paintOf, PALETTES, PLAIN_ROLES, SCALE, THEMES } from './palette.js';

/**
 * @typedef {import('./palette.js').Palette} Palette
 * @typedef {import('./palette.js').Theme} Theme
 */

const RULES = `
.linex{box-sizing:border-box;margin:0;padding:16px 20px;border:1px solid var(--line);border-radius:10px;background:var(--ground);color:var(--ink);font:15px/1.45 var(--linex-font,${FONT});position:relative;overflow-wrap:anywhere;caret-color:light-dark(#000,#fff)}
.linex-light{color-scheme:light}
@media screen{.linex-dark{color-scheme:dark}}
@media print{.linex{color-scheme:light}}
.linex-head{margin-bottom:12px;font-size:14px}
.linex-head *{display:block;unicode-bidi:isolate}
.linex-title{font-size:16px;font-weight:600}
.linex-details{margin-top:10px;font-size:12px;color:var(--muted)}
.linex-details summary{cursor:pointer}
.linex-details ul{margin:4px 0 0;padding-inline-start:18px}
.linex-text{font-size:17px;line-height:1.9;white-space:pre-wrap;margin-bottom:16px}
.linex-word{background:var(--step,none);color:var(--on,inherit);border-radius:4px;padding:2px 3px 4px;text-decoration:underline;text-decoration-thickness:2px;text-underline-offset:3px;text-decoration-skip-ink:none;-webkit-box-decoration-break:clone;box-decoration-break:clone;print-color-adjust:exact}
.linex-none{padding-inline:0;text-decoration:none}
.linex-minus{text-decoration-style:dashed}
.linex-word[data-badge]::after{content:"\\2060" attr(data-badge);font-size:.65em;font-weight:600;line-height:1;vertical-align:.5em;margin-inline-start:2px}
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

/**
 * The colors of a palette, written by a function of role and theme.
 *
 * @param {Palette} palette
 * @param {(role: string) => string} paint
 */
function colorsOf(palette, paint) {
  const plain = PLAIN_ROLES.map((role) => `--${role}:var(--linex-${role},${paint(role)});`).join('');
  const steps = SCALE.map((step) => {
    const on = step === 'z' ? '' : `;--on:${paint(`on-${step}`)}`;
    return `.linex-${palette} .linex-${step}{--step:${paint(step)}${on}}`;
  });
  return `.linex-${palette}{${plain}}\n${steps.join('\n')}`;
}

/**
 * Returns the rules that HTML and elements share: everything except the HTML legend. Colors follow the `color-scheme` of the
 * page, or that of the theme. Browsers without `light-dark` have the light ones.
 *
 * @param {readonly Palette[]} palettes
 * @param {readonly Theme[]} themes
 */
export function stylesFor(palettes, themes) {
  const sheets = palettes.map((palette) => {
    const light = (/** @type {string} */ role) => paintOf(role, palette, 'light');
    const both = (/** @type {string} */ role) => `light-dark(${light(role)},${paintOf(role, palette, 'dark')})`;
    const dark = themes.some((theme) => theme !== 'light');
    const follows = `@supports (color:light-dark(red,red)){${colorsOf(palette, both)}}`;
    return colorsOf(palette, light) + (dark ? `\n${follows}` : '');
  });
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
