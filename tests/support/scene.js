// An image with four colored discs on a textured ground, and a model that depends only on the discs.

export const SIDE = 96;
const RADIUS = 13;
export const DISCS = [
  { x: 22, y: 22, color: [220, 60, 60], weight: 1 },
  { x: 70, y: 26, color: [60, 200, 70], weight: 1 },
  { x: 26, y: 70, color: [70, 80, 220], weight: -1 },
  { x: 72, y: 72, color: [230, 220, 60], weight: 1 },
];

const inside = ({ x, y }, u, v) => (u - x) ** 2 + (v - y) ** 2 < RADIUS ** 2;

/** @param {number} channels  3, or 4 with an opaque alpha */
export function scene(channels = 3) {
  const data = new Uint8ClampedArray(SIDE * SIDE * channels);
  for (let v = 0; v < SIDE; v++)
    for (let u = 0; u < SIDE; u++) {
      const disc = DISCS.find((candidate) => inside(candidate, u, v));
      const color = disc?.color ?? [90 + 20 * Math.sin(u / 5), 100 + 15 * Math.cos(v / 4), 80];
      data.set([...color, 255].slice(0, channels), (v * SIDE + u) * channels);
    }
  return { data, width: SIDE, height: SIDE, channels };
}

/** Returns the share of a segment's pixels that lie in a disc. */
export const shareIn = (disc, labels, label) => {
  let all = 0;
  let hit = 0;
  labels.forEach((found, i) => {
    if (found !== label) return;
    all++;
    hit += inside(disc, i % SIDE, Math.floor(i / SIDE));
  });
  return hit / all;
};

/** The model: the mean brightness of three discs minus that of the fourth, for nhwc floats. */
export const brightness = ({ data, shape: [count, height, width, channels] }) =>
  Array.from({ length: count }, (_, k) =>
    DISCS.reduce((score, disc) => {
      let sum = 0;
      let pixels = 0;
      for (let v = 0; v < height; v++)
        for (let u = 0; u < width; u++) {
          if (!inside(disc, u, v)) continue;
          for (let c = 0; c < channels; c++) sum += data[((k * height + v) * width + u) * channels + c];
          pixels += channels;
        }
      return score + (disc.weight * sum) / pixels;
    }, 0),
  );
