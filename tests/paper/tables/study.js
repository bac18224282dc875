// Summarizes the study of environments: every kind of environment compared with LIME on the same answers.
import { mean } from './t-test.js';

/**
 * Summarizes the study: one line per kind of environments, as ratios to LIME on the same answers.
 *
 * @param {{ job: object, result: object }[]} done
 */
export function studyOf(done) {
  return done
    .filter(({ job }) => job.part === 'study')
    .reduce((lines, { job, result }) => [...lines, ...studyLines(job, result)], []);
}

const STUDIED = ['INFD', 'CI', 'CI scaled', 'sign conflict', 'zeros'];

function studyLines(job, { results }) {
  const shown = ({ values, ablation }) => ({
    ...Object.fromEntries(STUDIED.filter((metric) => values[metric]).map((metric) => [metric, mean(values[metric])])),
    ...(ablation && { ablation: mean(ablation.changes), flips: mean(ablation.flips) }),
  });
  return results.map((one) => {
    const { label, environment, count, games, agreement, samples, dense } = one.config;
    const place = { set: job.set, split: job.split, kind: job.kind, samples, dense };
    return { ...place, label, environment, count, games, agreement, ...shown(one) };
  });
}

/** Returns geometric means of ratios to LIME, over all settings where both were measured. */
export function studySummary(lines) {
  const place = ({ set, split, kind, samples, dense }) => JSON.stringify([set, split, kind, samples, dense]);
  const lime = new Map(lines.filter(({ label }) => label === 'LIME').map((line) => [place(line), line]));
  const labels = [...new Set(lines.map(({ label }) => label))];
  const tiny = 1e-4;
  const ratio = (line, metric) => {
    const base = lime.get(place(line))?.[metric];
    return line[metric] === undefined || base === undefined ? null : (line[metric] + tiny) / (base + tiny);
  };
  return labels.map((label) => {
    const own = lines.filter((line) => line.label === label);
    const over = (metric) => {
      const ratios = own.map((line) => ratio(line, metric)).filter((one) => one !== null);
      if (ratios.length === 0) return null;
      const worse = ratios.filter((one) => one > 1.02).length / ratios.length;
      return {
        ratio: Math.exp(mean(ratios.map(Math.log))),
        least: Math.min(...ratios),
        most: Math.max(...ratios),
        worse,
      };
    };
    const parts = Object.fromEntries(['INFD', 'CI', 'CI scaled', 'sign conflict', 'ablation'].map((m) => [m, over(m)]));
    return { label, places: own.length, ...parts, zeros: mean(own.map(({ zeros }) => zeros)) };
  });
}
