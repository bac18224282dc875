import { checkChoice, checkNames } from './options.js';
import { paintOf, PALETTES, PLAIN_ROLES, SCALE, THEMES } from './palette.js';
import { FONT } from './drawing.js';

/**
 * @typedef {import('./palette.js').Palette} Palette
 * @typedef {import('./palette.js').Theme} Theme
 */

const RULES = `
.linex{box-sizing:border-box;margin:0;padding:16px 20px;border:1px solid var(--line);border-radius:10px;background:var(--ground);color:var(--ink);font:15px/1.45 var(--linex-font,${FONT});position:relative;overflow-wrap:anywhere}
.linex *{box-sizing:border-box}
.linex-head{margin:0 0 12px}
.linex-title{display:block;font-size:16px;font-weight:600;unicode-bidi:isolate}
.linex-facts,.linex-warning{display:block;font-size:13px}
.linex-facts,.linex-ticks{color:var(--muted);font-variant-numeric:tabular-nums}
.linex-text{font-size:17px;line-height:1.9;white-space:pre-wrap}
.linex-word{background:var(--step,none);color:var(--on,inherit);border-radius:4px;padding:2px 3px 4px;text-decoration:underline 2px;text-underline-offset:3px;text-decoration-skip-ink:none;-webkit-box-decoration-break:clone;box-decoration-break:clone;-webkit-print-color-adjust:exact;print-color-adjust:exact}
.linex-up::after,.linex-down::after{content:"\\2060+";font-size:.7em;font-weight:600;line-height:1;vertical-align:.45em;margin-inline-start:1px}
.linex-down::after{content:"\\2060−"}
.linex-legend{max-width:340px;margin-top:16px;font-size:12px}
.linex-strip,.linex-ticks,.linex-sides{display:flex;justify-content:space-between;gap:12px}
.linex-strip{gap:0;height:8px;border-radius:2px;overflow:hidden}
.linex-strip i{flex:1;background:var(--step);-webkit-print-color-adjust:exact;print-color-adjust:exact;forced-color-adjust:none}
.linex-ticks span{flex:1}
.linex-ticks :nth-child(2){text-align:center}
.linex-ticks :nth-child(3){text-align:end}
.linex-key{text-decoration:underline 2px;text-underline-offset:4px;text-decoration-skip-ink:none;unicode-bidi:isolate}
.linex-key.linex-plus{text-align:end}
.linex .linex-minus{text-decoration-style:dashed}
.linex .linex-undecided{text-decoration-style:dotted}
.linex-none{padding-inline:0}
.linex-hidden{position:absolute;width:1px;height:1px;margin:-1px;padding:0;overflow:hidden;clip-path:inset(50%);white-space:nowrap;border:0}
@media (forced-colors:active){.linex-word{background:Canvas;color:CanvasText;outline:1px solid CanvasText}}
`;

const plainVariables = (/** @type {'light' | 'dark'} */ theme) =>
  PLAIN_ROLES.map((role) => `--${role}:var(--linex-${role},${paintOf(role, 'red-blue', theme)});`).join('');

/**
 * @param {Palette} palette
 * @param {'light' | 'dark'} theme
 * @param {string} [where]  a class that the rules are for
 */
function coloursOf(palette, theme, where = '') {
  const steps = SCALE.map((step) => {
    const on = step === 'z' ? '' : `;--on:${paintOf(`on-${step}`, palette, theme)}`;
    return `.linex-${palette}${where} .linex-${step}{--step:${paintOf(step, palette, theme)}${on}}`;
  });
  return `.linex-${palette}${where}{${plainVariables(theme)}}\n${steps.join('\n')}`;
}

/**
 * The style sheet of `renderTextHTML`, for pages whose content security policy does not allow it to bring its own: serve
 * it as a file and render with `styles: false`.
 *
 * @param {{ palette?: Palette, theme?: Theme }} [options]  to have only what one palette or theme needs; default all
 * @returns {string}
 */
export function renderStyles(options = {}) {
  const { palette, theme } = checkNames(options, ['palette', 'theme'], 'renderStyles');
  if (palette !== undefined) checkChoice(palette, 'palette', PALETTES);
  if (theme !== undefined) checkChoice(theme, 'theme', THEMES);
  const sheets = (palette ? [palette] : PALETTES).map((one) => {
    // Dark for the screen only: what is printed is printed on paper.
    const dark = `@media screen{${coloursOf(one, 'dark', '.linex-dark')}}`;
    const auto = `@media screen and (prefers-color-scheme:dark){${coloursOf(one, 'dark', '.linex-auto')}}`;
    return [
      coloursOf(one, 'light'),
      theme !== 'light' && theme !== 'auto' && dark,
      theme !== 'light' && theme !== 'dark' && auto,
    ];
  });
  return [RULES.trim(), ...sheets.flat()].filter(Boolean).join('\n');
}
