// A small canvas to draw on, with the pointer or the keyboard.
import { element } from './make-element.js';

/** A square gray image that the visitor can draw on. */
export class SketchPad {
  #side;
  #canvas;
  #context;
  #data;
  #cursor = { x: 14, y: 14 };

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
      'aria-label': 'The image. Draw with the pointer, or move with the arrow keys and paint with the space bar.',
      pointerdown: (event) => {
        this.#canvas.setPointerCapture(event.pointerId);
        this.#paintPointer(event);
      },
      pointermove: (event) => event.buttons && this.#paintPointer(event),
      keydown: (event) => this.#key(event),
    });
    this.#context = this.#canvas.getContext('2d');
    const clear = element('button', { type: 'button', class: 'quiet', click: () => this.#clear() }, 'Clear and draw');
    this.element = element('div', { class: 'pad' }, this.#canvas, clear);
  }

  #clear() {
    this.show({ data: new Uint8Array(this.#side ** 2) });
    this.#canvas.focus();
  }

  /** Shows an image. @param {{ data: ArrayLike<number> }} image */
  show({ data }) {
    this.#data = Uint8Array.from(data);
    this.#draw();
  }

  #draw() {
    const pixels = new ImageData(this.#side, this.#side);
    this.#data.forEach((gray, i) => pixels.data.set([gray, gray, gray, 255], 4 * i));
    this.#context.putImageData(pixels, 0, 0);
  }

  #paintPointer(event) {
    const { left, top, width, height } = this.#canvas.getBoundingClientRect();
    this.#paintAt(((event.clientX - left) / width) * this.#side, ((event.clientY - top) / height) * this.#side);
  }

  #paintAt(x, y) {
    this.#data = this.#data.map((gray, i) => {
      const distance = Math.hypot((i % this.#side) + 0.5 - x, Math.floor(i / this.#side) + 0.5 - y);
      return Math.max(gray, Math.min(230, Math.max(0, 380 - 170 * distance)));
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
      this.#cursor = {
        x: (this.#cursor.x + move[0] + this.#side) % this.#side,
        y: (this.#cursor.y + move[1] + this.#side) % this.#side,
      };
    if (!move || event.shiftKey) this.#paintAt(this.#cursor.x + 0.5, this.#cursor.y + 0.5);
  }
}
