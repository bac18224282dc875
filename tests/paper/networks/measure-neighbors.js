// Measures, for several radii, how far a generator's neighbors are from an image, and how often they keep its class.
//
//     node tests/paper/networks/measure-neighbors.js fmnist [sheet.png]
//
// It prints a table for neighbors of the first test images. The sheet shows twelve images: each with its decoded code, then
// two neighbors per radius.
import { writeFileSync } from 'node:fs';
import process from 'node:process';
import { PNG } from 'pngjs';
import { dice } from '../../support/dice.js';
import { testImages } from '../sets/image-batches.js';
import { loadClassifier, loadGenerator } from './networks.js';

const PICTURES = 100;
const NEIGHBORS = 10;
const SHOWN = 12;
const SEED = 2023;
const ZOOM = 2;
/** The share of neighbors with the same class, the mean difference of a pixel, and the length of the difference. */
const COLUMNS = ['radius', ...['class', 'pixel', 'distance'].flatMap((one) => [`${one}, picture`, `${one}, decoding`])];
const RADII = [0.1, 0.2, 0.3, 0.5, 0.75, 1, 1.5];

const rowsOf = ({ data, shape: [count] }) =>
  Array.from({ length: count }, (_, i) => data.subarray((i * data.length) / count, ((i + 1) * data.length) / count));
const mean = (numbers) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
const best = (row) => row.indexOf(Math.max(...row));
const seenBy = async (predict, batch) => rowsOf(await predict(batch)).map(best);

/** Draws codes around codes, NEIGHBORS for each in turn. */
function scattered(codes, radius) {
  const { normal } = dice(SEED);
  const rows = rowsOf(codes).flatMap((code) =>
    Array.from({ length: NEIGHBORS }, () => code.map((c) => c + radius * normal())),
  );
  return { data: Float32Array.from(rows.flatMap((row) => [...row])), shape: [rows.length, codes.shape[1]] };
}

/** Returns the mean distance between the images of a pair, and the mean difference of a pixel. */
function distances(pictures, neighbors) {
  const differences = neighbors.map((one, i) => one.map((value, p) => value - pictures[Math.floor(i / NEIGHBORS)][p]));
  return {
    distance: mean(differences.map((row) => Math.hypot(...row))),
    pixel: mean(differences.map((row) => mean(row.map(Math.abs)))),
  };
}

/** Returns one line of the table: neighbors compared with the images, and with the decoded codes of the images. */
function lineOf(radius, seen, neighbors, references) {
  const kept = references.map((one) => mean(seen.map((c, i) => Number(c === one.seen[Math.floor(i / NEIGHBORS)]))));
  const [first, second] = references.map(({ pictures }) => distances(pictures, neighbors));
  const numbers = [...kept, first.pixel, second.pixel, first.distance, second.distance];
  return `| ${[radius, ...numbers.map((one) => one.toFixed(3))].join(' | ')} |`;
}

/** Draws rows of images side by side, as a PNG. */
function sheetOf(rows, [channels, height, width]) {
  const png = new PNG({ width: rows[0].length * width * ZOOM, height: rows.length * height * ZOOM });
  for (let i = 0; i < png.width * png.height; i++) {
    const [x, y] = [Math.floor((i % png.width) / ZOOM), Math.floor(i / png.width / ZOOM)];
    const picture = rows[Math.floor(y / height)][Math.floor(x / width)];
    const place = (y % height) * width + (x % width);
    for (let c = 0; c < 3; c++) png.data[4 * i + c] = 255 * picture[(c % channels) * height * width + place];
    png.data[4 * i + 3] = 255;
  }
  return PNG.sync.write(png);
}

/** Returns the first images of a data set. */
function firstOf(name) {
  const images = testImages(name);
  if (!images) throw new Error(`the test pictures of ${name} are not here: set LINEX_DATA`);
  const [count, ...sides] = images.batch.shape;
  return {
    data: images.batch.data.slice(0, (PICTURES * images.batch.data.length) / count),
    shape: [PICTURES, ...sides],
  };
}

async function main(name = 'fmnist', file = '') {
  const batch = firstOf(name);
  const { predict } = await loadClassifier(name);
  const { encode, decode, radius: defaultRadius } = await loadGenerator(name);
  const codes = await encode(batch);
  const again = await decode(codes);
  const references = [];
  for (const one of [batch, again]) references.push({ pictures: rowsOf(one), seen: await seenBy(predict, one) });
  const [given, decoded] = references;
  console.log(`decoding alone keeps the class of ${mean(given.seen.map((c, i) => Number(c === decoded.seen[i])))}\n`);
  console.log(`| ${COLUMNS.join(' | ')} |\n|${'---|'.repeat(COLUMNS.length)}`);
  const shown = given.pictures.slice(0, SHOWN).map((picture, i) => [picture, decoded.pictures[i]]);
  for (const radius of [...RADII, defaultRadius].sort((a, b) => a - b)) {
    const near = await decode(scattered(codes, radius));
    const neighbors = rowsOf(near);
    console.log(lineOf(radius, await seenBy(predict, near), neighbors, references));
    shown.forEach((row, i) => row.push(...neighbors.slice(i * NEIGHBORS, i * NEIGHBORS + 2)));
  }
  if (file) writeFileSync(file, sheetOf(shown, batch.shape.slice(1)));
}

await main(...process.argv.slice(2));
