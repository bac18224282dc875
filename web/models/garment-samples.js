// Draws ten garments in the style of Fashion-MNIST, so that the demo needs no photographs of others.
//
// The images have 28 x 28 gray pixels on black. The garment lies flat and fills the frame; shoes point to the left.

const SIZE = 28;
/** Samples per side of a pixel, for soft edges. */
const SUBPIXELS = 4;

/** @typedef {[number, number]} Point  x to the right and y down, in pixels */
/** @typedef {(x: number, y: number) => number} Shade  gray in 0 … 255 */

/** Creates a black image with two ways to draw on it. */
function blackImage() {
  const gray = new Float64Array(SIZE * SIZE);

  /** @param {(x: number, y: number) => boolean} inside @param {Shade} shade */
  function cover(inside, shade) {
    for (let i = 0; i < gray.length; i++) {
      const [left, top] = [i % SIZE, Math.floor(i / SIZE)];
      let hits = 0;
      for (let j = 0; j < SUBPIXELS * SUBPIXELS; j++)
        if (inside(left + ((j % SUBPIXELS) + 0.5) / SUBPIXELS, top + (Math.floor(j / SUBPIXELS) + 0.5) / SUBPIXELS))
          hits++;
      gray[i] += (hits / SUBPIXELS ** 2) * (shade(left + 0.5, top + 0.5) - gray[i]);
    }
  }

  return {
    /** Fills a shape. @param {Point[]} points @param {Shade} shade */
    fill: (points, shade) => cover((x, y) => within(points, x, y), shade),
    /** Draws a line through points. @param {Point[]} points @param {number} width @param {Shade} shade */
    line: (points, width, shade) => cover((x, y) => distance(points, x, y) < width / 2, shade),
    done: () => ({ data: Uint8ClampedArray.from(gray), width: SIZE, height: SIZE, channels: 1 }),
  };
}

/** Tells whether a point is in a polygon, by the number of edges to its right. @param {Point[]} points @param {number} x @param {number} y */
function within(points, x, y) {
  let inside = false;
  points.forEach(([x2, y2], i) => {
    const [x1, y1] = points.at(i - 1);
    if (y1 > y !== y2 > y && x < x1 + ((y - y1) / (y2 - y1)) * (x2 - x1)) inside = !inside;
  });
  return inside;
}

/** Returns the distance of a point from a line through points. @param {Point[]} points @param {number} x @param {number} y */
function distance(points, x, y) {
  const lengths = points.slice(1).map(([x2, y2], i) => {
    const [x1, y1] = points[i];
    const along = ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / ((x2 - x1) ** 2 + (y2 - y1) ** 2);
    const t = Math.min(1, Math.max(0, along));
    return Math.hypot(x - x1 - t * (x2 - x1), y - y1 - t * (y2 - y1));
  });
  return Math.min(...lengths);
}

/** Reads points in SVG notation. @param {string} text @returns {Point[]} */
const path = (text) => text.split(' ').map((pair) => /** @type {Point} */ (pair.split(',').map(Number)));

/** Mirrors points at the vertical middle line. @param {Point[]} points */
const opposite = (points) => points.map(([x, y]) => /** @type {Point} */ ([SIZE - x, y]));

/** Returns one outline from a half and its mirror image, from the neck down to the hem and up again. @param {Point[]} half */
const mirrored = (half) => [...half, ...opposite(half).reverse()];

/** Draws on the left and on the right. @param {(points: Point[]) => void} draw @param {Point[]} left */
function both(draw, left) {
  draw(left);
  draw(opposite(left));
}

/** Rounds the corners. @param {Point[]} points */
function rounded(points) {
  return points.flatMap(([x, y], i) => {
    const [px, py] = points.at(i - 1);
    const [nx, ny] = points[(i + 1) % points.length];
    return /** @type {Point[]} */ ([
      [x + (px - x) / 4, y + (py - y) / 4],
      [x + (nx - x) / 4, y + (ny - y) / 4],
    ]);
  });
}

/** A shade like cloth: lighter in the middle, with folds. @param {number} gray @param {number} [folds] */
const cloth =
  (gray, folds = 8) =>
  (/** @type {number} */ x, /** @type {number} */ y) =>
    gray - 0.12 * (x - 14) ** 2 + folds * Math.sin(x * 1.1 + y * 0.35) + (folds / 2) * Math.sin(y * 1.7 - x * 0.4);

/** @param {number} gray */
const plain = (gray) => () => gray;

function tShirt() {
  const { fill, line, done } = blackImage();
  fill(mirrored(path('11,1.5 8,2.5 2.5,8 5.5,11.5 8,9.5 8,27.5')), cloth(205));
  fill(mirrored(path('11,1 12,3.5 14,4.2')), plain(70));
  both((side) => line(side, 0.7, plain(150)), path('8,4 8,10'));
  return done();
}

function trouser() {
  const { fill, line, done } = blackImage();
  fill(mirrored(path('9,0.5 8,12 8.5,27.5 12.6,27.5 13.7,9')), cloth(190));
  fill(mirrored(path('9,0.5 8.9,2.2 14,2.2 14,0.5')), plain(150));
  line(path('14,2 14,9'), 0.6, plain(120));
  return done();
}

function pullover() {
  const { fill, line, done } = blackImage();
  const sleeve = path('8.5,3 4.5,6 1.8,25 5.5,26 8.2,11');
  both((side) => fill(side, cloth(185, 10)), sleeve);
  fill(mirrored(path('11,2 8,3 7.6,12 7.6,26.5 14,26.8')), cloth(180, 10));
  fill(mirrored(path('10.8,1.6 11.5,3.4 14,4')), plain(90));
  for (const y of [24.6, 25.8]) line(path(`7.8,${y} 20.2,${y}`), 0.5, plain(140));
  both((side) => line(side, 0.6, plain(60)), path('7.8,9 7.2,24'));
  return done();
}

function dress() {
  const { fill, line, done } = blackImage();
  fill(rounded(mirrored(path('11.2,0.5 10.2,5 11,11 8,27.6 14,27.8'))), cloth(200, 12));
  fill(mirrored(path('12,0 12.6,3 14,4')), plain(0));
  line(path('10.8,11 17.2,11'), 0.8, plain(120));
  return done();
}

function coat() {
  const { fill, line, done } = blackImage();
  const sleeve = path('9,2.6 5.2,4.6 3,25.5 6.4,26.2 8.6,11');
  both((side) => fill(side, cloth(150, 5)), sleeve);
  fill(mirrored(path('10.8,0.8 8.4,2.6 7.4,12 6.8,27.6 14,27.8')), cloth(160, 5));
  fill(mirrored(path('11,0.4 10.6,3 14,5.4 14,0.6')), plain(115));
  line(path('14,4 14,28'), 1.1, plain(45));
  both((side) => line(side, 0.8, plain(95)), path('9,19.5 11.6,18.6'));
  both((side) => line(side, 0.7, plain(85)), path('8.2,8 7,25'));
  return done();
}

function sandal() {
  const { fill, line, done } = blackImage();
  fill(
    rounded(path('0.5,20.5 5,19.5 14,18 22,13 27.5,11.5 27.5,19.5 24.5,19.5 23.8,15.8 15,20.8 5,21.8 0.5,22')),
    plain(150),
  );
  line(path('3,20 6,14.5 10,18.5'), 1.1, plain(200));
  line(path('8,18.8 11.5,13 15,17'), 1.1, plain(190));
  line(path('15,17 20,8.5 26.5,11'), 1, plain(200));
  line(path('20,8.5 26.6,7.6 27,12'), 1, plain(180));
  return done();
}

function shirt() {
  const { fill, line, done } = blackImage();
  const checked = (/** @type {number} */ x, /** @type {number} */ y) =>
    125 + (x % 4 < 2 ? 18 : -14) + (y % 4 < 2 ? 18 : -14) - 0.1 * (x - 14) ** 2;
  fill(mirrored(path('11,1.2 8,2.6 3,12.5 6.4,14.8 8.4,11 8,25 10,27.4 14,26.4')), checked);
  fill(mirrored(path('11.4,0.6 12.4,3.6 14,6')), plain(45));
  const collar = path('11.2,0.4 10.4,3.2 12.4,6 14,5');
  both((side) => fill(side, plain(190)), collar);
  line(path('14,6 14,26'), 0.5, plain(105));
  for (const y of [9, 13, 17, 21]) line(path(`14.4,${y} 14.8,${y}`), 0.8, plain(220));
  return done();
}

function sneaker() {
  const { fill, line, done } = blackImage();
  const upper = path('0.8,16.5 6,14.6 11.5,11.2 14,9.6 18,11.5 24,9.6 27.3,10.4 27.4,18.4 0.8,18.8');
  fill(rounded(upper), cloth(150, 10));
  fill(rounded(path('0.4,17.6 14,17.2 27.6,17.4 27.6,19.8 14,20.2 0.8,20')), plain(235));
  line(path('9,13.4 11,15'), 0.7, plain(230));
  line(path('11,12.2 13,14'), 0.7, plain(230));
  line(path('15,17 18,13 20,17'), 0.9, plain(220));
  line(path('14,9.8 18,11.8 24,9.8'), 0.8, plain(70));
  return done();
}

function bag() {
  const { fill, line, done } = blackImage();
  line(path('7.5,12 9,5 14,3 19,5 20.5,12'), 1.4, plain(150));
  fill(rounded(path('2,10.5 14,10 26,10.5 27.2,25.5 14,26.2 0.8,25.5')), cloth(185, 6));
  fill(rounded(path('2,10.5 26,10.5 25,16.5 14,18.5 3,16.5')), cloth(150, 6));
  line(path('14,16.5 14,19'), 1.8, plain(240));
  return done();
}

function ankleBoot() {
  const { fill, line, done } = blackImage();
  const upper = path('13.5,2.5 26,2 26.6,12 27.2,23 14,24 1,24 1.2,20.2 6,17.6 12.6,14.2');
  fill(rounded(upper), cloth(175, 9));
  fill(path('0.8,23 17,22.6 19,23.4 21,22.6 27.4,22.2 27.4,26.4 21,26.4 20.4,24.8 0.8,25'), plain(90));
  line(path('13.4,3 26,2.6'), 1, plain(110));
  line(path('19,4 20,13'), 1.6, plain(100));
  line(path('12.6,14.5 20,16 26.6,14'), 0.7, plain(120));
  return done();
}

/**
 * The ten drawings, one per class of the network and in its order.
 *
 * @type {readonly { name: string, draw: () => { data: Uint8ClampedArray, width: number, height: number,
 *   channels: number } }[]}  draw: returns a new image for explainImage
 */
export const GARMENT_SAMPLES = Object.freeze([
  { name: 'T-shirt', draw: tShirt },
  { name: 'trouser', draw: trouser },
  { name: 'pullover', draw: pullover },
  { name: 'dress', draw: dress },
  { name: 'coat', draw: coat },
  { name: 'sandal', draw: sandal },
  { name: 'shirt', draw: shirt },
  { name: 'sneaker', draw: sneaker },
  { name: 'bag', draw: bag },
  { name: 'ankle boot', draw: ankleBoot },
]);
