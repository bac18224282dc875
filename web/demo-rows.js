import { element, field, select } from './demo-dom.js';
import { DemoTab } from './demo-tab.js';

const RANGES = [[4.3, 7.9], [2, 4.4], [1, 6.9], [0.1, 2.5]]; // prettier-ignore

export class RowsTab extends DemoTab {
  again = 'Ask about the five flowers next to it';
  #known;

  get quick() {
    return true;
  }

  inputs() {
    this.sliders = element('div', { class: 'sliders' });
    return [
      element('h2', {}, 'A flower'),
      element('p', { class: 'hint' }, 'A random forest, trained in this page on Fisher’s irises.'),
      this.sliders,
    ];
  }

  async prepare() {
    this.#known = await this.page.client.call('describe', { model: 'forest' }).result;
    const given = this.state.row.split(',').map(Number);
    const good = given.length === 4 && given.every((value, c) => value >= RANGES[c][0] && value <= RANGES[c][1]);
    if (!good) this.state.row = this.#known.rows[4].row.join();
    const flowers = this.#known.rows.map(({ row, label }, i) => [
      row.join(),
      `flower ${i + 1}, ${this.#known.classes[label]}`,
    ]);
    const pick = select(flowers, this.state.row, (row) => {
      this.change({ row });
      this.#sliders(pick);
    });
    this.#sliders(pick);
  }

  #sliders(pick) {
    const row = this.row();
    const slider = (name, c) => {
      const value = element('output', {}, `${row[c]} cm`);
      const input = element('input', {
        ...{ type: 'range', min: RANGES[c][0], max: RANGES[c][1], step: 0.1, value: row[c] },
        input: () => {
          row[c] = Number(input.value);
          value.textContent = `${row[c]} cm`;
          this.typed({ row: row.join() });
        },
      });
      const made = field(name, input);
      made.append(value);
      return made;
    };
    this.sliders.replaceChildren(field('Start from', pick), ...this.#known.columns.map(slider));
  }

  row() {
    return this.state.row.split(',').map(Number);
  }

  input() {
    return { row: this.row() };
  }

  changes() {
    const here = this.row();
    const away = ({ row }) => Math.hypot(...row.map((value, c) => (value - here[c]) / (RANGES[c][1] - RANGES[c][0])));
    const near = [...this.#known.rows].sort((a, b) => away(a) - away(b)).filter((one) => away(one) > 0);
    return [
      { label: 'this flower' },
      ...near.slice(0, 5).map((one, i) => ({ label: `neighbor ${i + 1}`, input: { row: one.row } })),
    ];
  }

  call() {
    return `explainRow([${this.row()}], predict, options)`;
  }
}
