// Turns heatmaps, error analyses, the map of irises and run times into blocks of the report.
import { Buffer } from 'node:buffer';
import { mapsSVG, scatterSVG } from './plots.js';
import { NOT_RUN } from './prose.js';

const number = (value, digits = 3) => (value === null || value === undefined ? '' : value.toFixed(digits));
const mapOf = (packed) => new Int8Array(Buffer.from(packed, 'base64'));
/** The reading whose heatmaps are drawn; the correlations of all readings are in tables. */
const DRAWN = 'signed';

const slug = (...parts) => parts.join('-').toLowerCase().replace(/[^a-z0-9]+/g, '-'); // prettier-ignore
const short = (row) => row.split('/')[0];

function figure(name, label, size, entries, caption) {
  const rows = entries.map((entry) => ({
    title: entry.name,
    maps: entry.methods.map((one) => ({ caption: caption(one), values: mapOf(one.map) })),
  }));
  return { figure: name, label, svg: mapsSVG({ label, size, rows }) };
}

const withR = ({ row, r }) => `${short(row)} r ${number(r, 2)}`;

function correlations(pictures, list) {
  return {
    columns: ['data set', 'reading', 'image or class', 'MeLIME', 'LINEX'],
    rows: pictures.flatMap((one) =>
      one[list].map(({ name, methods }) => [one.name, one.reading, name, ...methods.map(({ r }) => number(r))]),
    ),
  };
}

function heatmaps(pictures) {
  if (pictures.length === 0) return [{ text: NOT_RUN }];
  const drawn = pictures.filter(({ reading }) => reading === DRAWN);
  return [
    ...drawn.flatMap(({ name, size, maps, means }) => [
      figure(slug('maps', name), `${name}: attributions of single images`, size, maps, withR),
      ...(means.length
        ? [figure(slug('means', name), `${name}: mean attributions of classes`, size, means, withR)]
        : []),
    ]),
    { details: 'Correlations with the image', blocks: [correlations(pictures, 'maps')] },
    { details: 'Correlations of class means with mean images', blocks: [correlations(pictures, 'means')] },
  ];
}

function errors(pictures) {
  const all = pictures.filter(({ name }) => name === 'FMNIST');
  if (all.length === 0) return [{ text: NOT_RUN }];
  const [drawn] = all.filter(({ reading }) => reading === DRAWN);
  const metrics = ['INFD', 'GI', 'CI', 'unidirectionality'];
  const caption = ({ row, r, INFD }) => `${short(row)} r ${number(r, 2)}, INFD ${number(INFD, 2)}`;
  const after = ({ row, name, score }) => `${short(row)}: ${name}, ${number(score, 2)}`;
  return [
    ...(drawn
      ? [figure('worst', 'FMNIST: where LINEX has its highest infidelity', drawn.size, drawn.worst, caption)]
      : []),
    {
      details: 'Metrics by class',
      blocks: [
        {
          columns: ['reading', 'class', 'images', 'method', ...metrics],
          rows: all.flatMap(({ reading, classes }) =>
            classes.flatMap(({ name, count, methods }) =>
              methods.map((one) => [
                reading,
                name,
                String(count),
                one.row,
                ...metrics.map((metric) => number(one[metric])),
              ]),
            ),
          ),
        },
      ],
    },
    {
      columns: ['reading', 'order', 'only MeLIME’s removal changes the class', 'only LINEX’s', 'both', 'neither'],
      rows: all.flatMap(({ reading, ablation }) =>
        ['unsigned', 'signed'].map((order) => {
          const { onlyMeLIME, onlyLINEX, both, neither } = ablation[order];
          return [reading, order, ...[onlyMeLIME, onlyLINEX, both, neither].map(String)];
        }),
      ),
    },
    ...(drawn?.ablation.unsigned.shown.length
      ? [figure('removed', 'FMNIST: class and score after removal', drawn.size, drawn.ablation.unsigned.shown, after)]
      : []),
  ];
}

function map(flowers) {
  if (!flowers) return [{ text: NOT_RUN }];
  const label = 'IRIS: how much the explanation of each flower differs from that of its nearest neighbor';
  const maps = ['LIME', 'LINEX/rand'].map((row) => ({
    title: row,
    points: flowers.map((flower) => [flower.x, flower.y, flower[row]]),
  }));
  return [{ figure: 'map', label, svg: scatterSVG({ label, x: 'petal length', y: 'petal width', maps }) }];
}

export const lookBlocks = Object.freeze({ map, heatmaps, errors });

/** @param {object[]} times @returns {import('./blocks.js').Block[]} */
export function timeBlocks(times) {
  if (times.length === 0) return [{ text: NOT_RUN }];
  return [
    {
      columns: ['data set', 'method', 'explained', 'seconds', 'without the model', 'LIME’s times', 'the paper, seconds', 'LIME’s times there'],
      rows: times.flatMap(({ name, rows }) => {
        const lime = rows.find(({ row }) => row === 'LIME');
        return rows.map(({ row, examples, seconds, own, printed }) => [
          ...[name, row, String(examples), number(seconds), number(own), number(seconds / lime.seconds, 1)],
          ...[number(printed, 1), number(printed / lime.printed, 1)],
        ]);
      }),
    },
  ]; // prettier-ignore
}
