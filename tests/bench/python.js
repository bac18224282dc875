// Runs LIME, scikit-image and numpy in Python; LIME_PYTHON names the interpreter, LIME_PATH the folder that holds `lime`.
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { Peer } from './peer.js';

const SCRIPT = fileURLToPath(new URL('lime_peer.py', import.meta.url));

/** One thread, because we use one too. */
const ONE_THREAD = { OPENBLAS_NUM_THREADS: '1', OMP_NUM_THREADS: '1', MKL_NUM_THREADS: '1' };

export class Python {
  #peer;
  #jobs = 0;

  constructor(command) {
    this.#peer = new Peer(command, [SCRIPT], { ...process.env, ...ONE_THREAD });
  }

  /** Returns the Python that LIME_PYTHON names, or the reason why it is missing. */
  static async find() {
    const { LIME_PYTHON } = process.env;
    if (!LIME_PYTHON) return { missing: 'LIME_PYTHON is not set' };
    const python = new Python(LIME_PYTHON);
    try {
      python.about = await python.#ask({ hello: true });
      return { python };
    } catch (error) {
      return { missing: `LIME_PYTHON: ${error.message}` };
    }
  }

  async #ask(question) {
    const answer = JSON.parse(await this.#peer.ask(JSON.stringify(question)));
    if (answer.failed) throw new Error(answer.failed);
    return answer;
  }

  /**
   * Prepares a contender, and discards the one before.
   *
   * @param {string} kind
   * @param {object} what
   * @returns {Promise<{ run: (times: number) => Promise<number>, result: () => number[] }>}  result: of the last run
   */
  async prepare(kind, what) {
    const name = `${kind}${this.#jobs++}`;
    await this.#ask({ prepare: kind, name, ...what });
    let last;
    const run = async (times) => {
      const { seconds, result } = await this.#ask({ run: name, times });
      last = result;
      return seconds;
    };
    return { run, result: () => last };
  }

  close() {
    this.#peer.close();
  }
}
