// The tab that explains how a random forest classifies an iris.
import { ExplanationTab } from './explanation-tab.js';
import { element, field, select } from './make-element.js';

/** The least and the largest value of each column, in centimeters. */
const RANGES = [[4.3, 7.9], [2, 4.4], [1, 6.9], [0.1, 2.5]]; // prettier-ignore

export class RowsTab extends ExplanationTab {
  repeatLabel = 'Compare with the five nearest flowers';
  /** Facts about the forest, from the worker: its classes, columns and test rows. */
  #forest;

  get repeatsAtOnce() {
    return true;
  }

  inputs() {
    this.sliders = element('div', { class: 'sliders' });
    return [
      element('h2', {}, 'A flower'),
      element('p', { class: 'hint' }, 'This page trains a random forest on Fisher’s irises.'),
      this.sliders,
    ];
  }

  async prepare() {
    this.#forest = await this.page.client.call('describe', { model: 'forest' }).result;
    const given = this.row();
    const valid = given.length === 4 && given.every((value, c) => value >= RANGES[c][0] && value <= RANGES[c][1]);
    if (!valid) this.state.row = this.#forest.rows[4].row.join();
    const flowers = this.#forest.rows.map(({ row, label }, i) => [
      row.join(),
      `flower ${i + 1}, ${this.#forest.classes[label]}`,
    ]);
    const flowerList = select(flowers, this.state.row, (row) => {
      this.change({ row });
      this.#showSliders(flowerList);
    });
    this.#showSliders(flowerList);
  }

  #showSliders(flowerList) {
    const row = this.row();
    const slider = (name, c) => {
      const value = element('output', {}, `${row[c]} cm`);
      const input = element('input', {
        ...{ type: 'range', min: RANGES[c][0], max: RANGES[c][1], step: 0.1, value: row[c] },
        input: () => {
          row[c] = Number(input.value);
          value.textContent = `${row[c]} cm`;
          this.changeSoon({ row: row.join() });
        },
      });
      const labeled = field(name, input);
      labeled.append(value);
      return labeled;
    };
    this.sliders.replaceChildren(field('Start from', flowerList), ...this.#forest.columns.map(slider));
  }

  row() {
    return this.state.row.split(',').map(Number);
  }

  input() {
    return { row: this.row() };
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
    return `explainRow([${this.row()}], predict, options)`;
  }
}
