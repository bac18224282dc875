// Talks to another program, such as Python, which answers each line with a line.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

export class Peer {
  #child;
  /** The callbacks for pending answers, in order. @type {{ resolve: (line: string) => void, reject: (error: Error) => void }[]} */
  #waiting = [];
  #complaints = '';

  /**
   * @param {string} command
   * @param {string[]} args
   * @param {NodeJS.ProcessEnv} [env]
   */
  constructor(command, args = [], env = process.env) {
    this.#child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'], env });
    this.#child.stderr.on('data', (text) => (this.#complaints = (this.#complaints + text).slice(-2000)));
    createInterface({ input: this.#child.stdout }).on('line', (line) => this.#waiting.shift()?.resolve(line));
    this.#child.on('error', (error) => this.#fail(error.message));
    this.#child.on('close', (code) =>
      this.#fail(`it exited with code ${code}: ${this.#complaints.trim().split('\n').pop()}`),
    );
    this.#child.stdin.on('error', () => {});
  }

  /** @param {string} why */
  #fail(why) {
    this.gone = why;
    for (const { reject } of this.#waiting.splice(0)) reject(new Error(why));
  }

  /**
   * @param {string} line
   * @returns {Promise<string>}
   */
  ask(line) {
    if (this.gone) return Promise.reject(new Error(this.gone));
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#child.stdin.write(`${line}\n`);
    });
  }

  close() {
    this.#child.stdin.end();
  }
}
