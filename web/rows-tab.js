// The tab that explains how a random forest classifies an iris.
import { ExplanationTab } from './explanation-tab.js';
import { element, select } from './make-element.js';

/** The least and the largest value of each column, in centimeters. */
const RANGES = [[4.3, 7.9], [2, 4.4], [1, 6.9], [0.1, 2.5]]; // prettier-ignore

export class RowsTab extends ExplanationTab {
  /** @type {'bars'} */
  picture = 'bars';
  steadiness = {
    ...this.steadiness,
    repeats: {
      title: 'This flower and the five most like it',
      hint: 'Each column is a flower: + more would raise the answer, − more would lower it, · not sure and left out.',
    },
    things: 'Measurements',
    atOnce: () => true,
  };
  /** Facts about the forest, from the worker: its classes, columns and test rows. */
  #forest;

  inputs() {
    this.sliders = element('div', { class: 'sliders' });
    return [
      element('h2', {}, 'A flower'),
      element('p', { class: 'hint' }, 'Which species is it, and why? Move a slider.'),
      this.sliders,
    ];
  }

  async prepare() {
    this.#forest = await this.page.client.call('describe', { model: 'forest' }).result;
    const given = this.row();
    const valid = given.length === 4 && given.every((value, c) => value >= RANGES[c][0] && value <= RANGES[c][1]);
    if (!valid) this.state.row = this.#forest.rows[0].row.join();
    this.#showSliders();
  }

  /** The flowers as choices of a list. */
  #flowers() {
    const { rows, classes } = this.#forest;
    return rows.map(({ label }, i) => `flower ${i + 1}, ${classes[label]}`);
  }

  #showSliders() {
    const row = this.row();
    const { columns, rows } = this.#forest;
    const place = rows.findIndex((one) => one.row.join() === row.join());
    const choices = this.#flowers().map((name, i) => [i, name]);
    const list = select('Flower', [...(place < 0 ? [[-1, 'your flower']] : []), ...choices], place, (chosen) => {
      if (Number(chosen) < 0) return;
      this.change({ row: rows[Number(chosen)].row.join() });
      this.#showSliders();
      this.sliders.querySelector('select').focus();
    });
    const slider = (name, c) => {
      const value = element('output', {}, `${row[c]} cm`);
      const input = element('input', {
        ...{ type: 'range', min: RANGES[c][0], max: RANGES[c][1], step: 0.1, value: row[c], 'aria-label': name },
        input: () => {
          row[c] = Number(input.value);
          value.textContent = `${row[c]} cm`;
          this.changeSoon({ row: row.join() });
        },
      });
      return element('label', { class: 'slider' }, element('span', {}, name), value, input);
    };
    this.sliders.replaceChildren(element('p', { class: 'sentence' }, 'Start from ', list), ...columns.map(slider));
  }

  row() {
    return this.state.row.split(',').map(Number);
  }

  input() {
    return { row: this.row() };
  }

  otherChoice() {
    if (!this.#forest) return null;
    const choices = this.#flowers().map((name, i) => [i, name]);
    const list = select('Another flower', choices, this.#other, (other) => this.compareWith(Number(other)));
    return element('p', { class: 'sentence' }, 'Compared with ', list);
  }

  get #other() {
    return this.state.other % this.#forest.rows.length;
  }

  otherInput() {
    const { row } = this.#forest.rows[this.#other];
    return { input: { row }, names: /** @type {[string, string]} */ (['this flower', `flower ${this.#other + 1}`]) };
  }

  repeats() {
    const current = this.row();
    const distance = ({ row }) =>
      Math.hypot(...row.map((value, c) => (value - current[c]) / (RANGES[c][1] - RANGES[c][0])));
    const others = [...this.#forest.rows].sort((a, b) => distance(a) - distance(b)).filter((row) => distance(row) > 0);
    return [
      { label: 'this flower' },
      ...others.slice(0, 5).map(({ row }, i) => ({ label: `neighbor ${i + 1}`, input: { row } })),
    ];
  }

  callCode() {
    return `explainRow([${this.row()}], predict, { ...options, table })`;
  }
}
