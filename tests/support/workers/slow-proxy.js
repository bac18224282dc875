// A proxy between a worker and Redis that can cut the line.
import { once } from 'node:events';
import { connect, createServer } from 'node:net';

export class Proxy {
  #server;
  #sockets = new Set();
  #cut = false;

  /** @param {number} port  of the server behind it */
  constructor(port) {
    this.#server = createServer((client) => {
      const server = connect(port, '127.0.0.1');
      const pair = [client, server];
      for (const [from, to] of [pair, [...pair].reverse()]) {
        this.#sockets.add(from);
        // A cut line swallows what is sent, as a lost network does.
        from.on('data', (bytes) => this.#cut || to.write(bytes));
        from.on('close', () => {
          this.#sockets.delete(from);
          to.destroy();
        });
        from.on('error', () => {});
      }
    });
  }

  async start() {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `redis://127.0.0.1:${this.#server.address().port}`;
  }

  cut() {
    this.#cut = true;
  }

  /** Opens the line again. Old connections are reset, as a router does that has forgotten them. */
  mend() {
    this.#cut = false;
    for (const socket of this.#sockets) socket.destroy();
  }

  stop() {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }
}
