// Reads the test images of Fashion-MNIST and CIFAR10 as batches for the networks.
import { existsSync, readFileSync } from 'node:fs';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';

const folder = process.env.LINEX_DATA
  ? pathToFileURL(`${process.env.LINEX_DATA}/`)
  : new URL('../../../../shared/data/', import.meta.url);

/** Reads an IDX file of bytes: its dimensions and its data. */
function readBytes(file) {
  const bytes = gunzipSync(readFileSync(new URL(file, folder)));
  const shape = Array.from({ length: bytes[3] }, (_, i) => bytes.readUInt32BE(4 + 4 * i));
  return { shape, data: bytes.subarray(4 + 4 * shape.length) };
}

/**
 * @param {'fmnist' | 'cifar10'} name
 * @returns {{ batch: import('../networks/networks.js').Batch, labels: Uint8Array } | null}  batch: [count, channels, height, width],
 *   values from 0 to 1; null if the data are missing
 */
export function testImages(name) {
  const images = `${name}-test-images-idx${name === 'fmnist' ? 3 : 4}-ubyte.gz`;
  if (!existsSync(new URL(images, folder))) return null;
  const { shape, data: bytes } = readBytes(images);
  const [count, height, width, channels = 1] = shape;
  const size = height * width;
  const data = new Float32Array(bytes.length);
  // The file has channels last, the batch has channels first.
  for (let i = 0; i < bytes.length; i++) {
    const [pixel, channel] = [Math.floor(i / channels), i % channels];
    data[(Math.floor(pixel / size) * channels + channel) * size + (pixel % size)] = bytes[i] / 255;
  }
  const labels = readBytes(`${name}-test-labels-idx1-ubyte.gz`).data;
  return { batch: { data, shape: [count, channels, height, width] }, labels };
}
