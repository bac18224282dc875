import { element } from './demo-dom.js';

/**
 * A picture as gray pixels of a square.
 *
 * @param {CanvasImageSource & { width: any, height: any }} source
 * @param {number} side
 */
export function grayPixels(source, side) {
  const canvas = element('canvas', { width: side, height: side });
  const pen = canvas.getContext('2d', { willReadFrequently: true });
  pen.fillStyle = '#000';
  pen.fillRect(0, 0, side, side);
  const scale = Math.min(side / source.width, side / source.height);
  const [width, height] = [source.width * scale, source.height * scale];
  pen.drawImage(source, (side - width) / 2, (side - height) / 2, width, height);
  const { data } = pen.getImageData(0, 0, side, side);
  const gray = Uint8Array.from(
    { length: side * side },
    (_, i) => 0.299 * data[4 * i] + 0.587 * data[4 * i + 1] + 0.114 * data[4 * i + 2],
  );
  return { data: gray, width: side, height: side, channels: 1 };
}

/**
 * A small picture to draw on, with a pointer or with the keyboard.
 */
export class SketchPad {
  #side;
  #canvas;
  #pen;
  #data;
  #at = { x: 14, y: 14 };

  /**
   * @param {number} side
   * @param {(image: { data: Uint8Array, width: number, height: number, channels: number }) => void} onDraw
   */
  constructor(side, onDraw) {
    this.#side = side;
    this.#data = new Uint8Array(side * side);
    this.onDraw = onDraw;
    this.#canvas = element('canvas', {
      ...{ width: side, height: side, class: 'sketch', tabindex: 0, role: 'img' },
      'aria-label': 'The picture. Draw with the pointer, or move with the arrow keys and paint with the space bar.',
      pointerdown: (event) => {
        this.#canvas.setPointerCapture(event.pointerId);
        this.#paint(event);
      },
      pointermove: (event) => event.buttons && this.#paint(event),
      keydown: (event) => this.#key(event),
    });
    this.#pen = this.#canvas.getContext('2d');
    const clear = element('button', { type: 'button', class: 'quiet', click: () => this.#clear() }, 'Clear and draw');
    this.element = element('div', { class: 'pad' }, this.#canvas, clear);
  }

  #clear() {
    this.show({ data: new Uint8Array(this.#side ** 2) });
    this.#canvas.focus();
  }

  /** @param {{ data: ArrayLike<number> }} image */
  show({ data }) {
    this.#data = Uint8Array.from(data);
    this.#draw();
  }

  #draw() {
    const pixels = new ImageData(this.#side, this.#side);
    this.#data.forEach((gray, i) => pixels.data.set([gray, gray, gray, 255], 4 * i));
    this.#pen.putImageData(pixels, 0, 0);
  }

  #paint(event) {
    const { left, top, width, height } = this.#canvas.getBoundingClientRect();
    this.#dab(((event.clientX - left) / width) * this.#side, ((event.clientY - top) / height) * this.#side);
  }

  #dab(x, y) {
    this.#data = this.#data.map((gray, i) => {
      const far = Math.hypot((i % this.#side) + 0.5 - x, Math.floor(i / this.#side) + 0.5 - y);
      return Math.max(gray, Math.min(230, Math.max(0, 380 - 170 * far)));
    });
    this.#draw();
    this.onDraw({ data: this.#data, width: this.#side, height: this.#side, channels: 1 });
  }

  #key(event) {
    const moves = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const move = moves[event.key];
    if (!move && event.key !== ' ') return;
    event.preventDefault();
    if (move)
      this.#at = {
        x: (this.#at.x + move[0] + this.#side) % this.#side,
        y: (this.#at.y + move[1] + this.#side) % this.#side,
      };
    if (!move || event.shiftKey) this.#dab(this.#at.x + 0.5, this.#at.y + 0.5);
  }
}
