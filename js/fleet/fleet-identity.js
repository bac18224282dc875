// Makes sure that all members of a fleet have the same model and the same version of linex.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { LinexError, messageOf, show } from '../core/errors.js';

/**
 * What all members of a fleet must share.
 *
 * @typedef {{ version: string, model: string }} Identity
 */

/** How often a member says that it is alive, in milliseconds. */
const BEAT = 2000;
/** A member that was silent for this long is not counted; a fleet whose members were all silent may get another model. */
const SILENCE = 15000;

/** @param {string | Uint8Array} content */
export const hashOf = (content) => createHash('sha256').update(content).digest('hex');

/**
 * Resolves the model's module.
 *
 * @param {unknown} module  a URL, or a path
 * @returns {URL}
 * @throws {TypeError}
 */
export function moduleURL(module) {
  if (module instanceof URL) return module;
  if (typeof module !== 'string' || module === '')
    throw new TypeError(`module must be the URL or the path of the model's module, not ${show(module)}`);
  return /^[a-z][a-z+.-]+:/i.test(module) ? new URL(module) : pathToFileURL(module);
}

/**
 * Computes what a member with this model is: the version of linex, and the fingerprint of the model.
 *
 * @param {URL} url  of the module; a query may name the model's file
 * @param {string} [fingerprint]  default: the SHA-256 of the module's own file
 * @returns {Promise<Identity>}
 * @throws {LinexError} `'load'` if the module cannot be read
 */
export async function identify(url, fingerprint) {
  const { version } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'));
  if (fingerprint !== undefined) return { version, model: fingerprint };
  try {
    return { version, model: hashOf(url.protocol === 'file:' ? await readFile(url) : url.href) };
  } catch (cause) {
    throw new LinexError('load', `could not read the model's module ${url.href}: ${messageOf(cause)}`, { cause });
  }
}

/** @param {Identity} identity */
const describe = (identity) => `linex ${identity.version} with model ${identity.model.slice(0, 16)}`;

/** A member of a fleet as Redis knows it: a coordinator or a worker. */
export class Membership {
  #redis;
  #identity;
  #name;
  #id = `${hostname()}-${process.pid}-${Math.random().toString(36).slice(2, 8)}`;
  #counts;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #timer;
  /** How many workers were alive at the last beat. */
  workers = 0;
  /** When the last worker was seen, by `performance.now`. */
  lastSeen = performance.now();

  /**
   * @param {any} redis
   * @param {string} name  of the fleet
   * @param {Identity} identity
   * @param {boolean} counts  whether it is a worker
   */
  constructor(redis, name, identity, counts) {
    this.#redis = redis;
    this.#name = name;
    this.#identity = identity;
    this.#counts = counts;
  }

  /** @param {string} what */
  #key(what) {
    return `linex:${this.#name}:${what}`;
  }

  /**
   * Refuses to be a member of a fleet that has another model or version. The first member decides which one it has.
   *
   * @returns {Promise<void>}
   * @throws {LinexError} `'worker'`
   */
  async refuseOthers() {
    const own = this.#claim();
    await this.#redis.set(this.#key('identity'), own, 'PX', SILENCE, 'NX');
    const found = JSON.parse((await this.#redis.get(this.#key('identity'))) ?? own);
    if (found.version === this.#identity.version && found.model === this.#identity.model) return;
    throw new LinexError(
      'worker',
      `the fleet ${show(this.#name)} has ${describe(found)} (by ${found.by}), but this is ${describe(this.#identity)}; ` +
        'use the same model and version everywhere, or another name',
    );
  }

  /** What this member says of itself. */
  #claim() {
    return JSON.stringify({ ...this.#identity, by: this.#id });
  }

  /**
   * Joins the fleet, and says from now on that this member is alive.
   *
   * @returns {Promise<void>}
   * @throws {LinexError} `'worker'` if the fleet got another model while this one was being loaded
   */
  async join() {
    await this.refuseOthers();
    await this.beat();
    this.#timer = setInterval(() => this.beat().catch(() => {}), BEAT);
    this.#timer.unref();
  }

  /** Says that this member is alive, and counts the workers. */
  async beat() {
    // The clocks of the machines may differ; the server has one.
    const [seconds, microseconds] = await this.#redis.time();
    const now = Number(seconds) * 1000 + Math.floor(Number(microseconds) / 1000);
    const asked = this.#redis.multi();
    asked.set(this.#key('identity'), this.#claim(), 'PX', SILENCE, 'NX');
    asked.pexpire(this.#key('identity'), SILENCE);
    if (this.#counts) asked.zadd(this.#key('workers'), now, this.#id);
    asked.zremrangebyscore(this.#key('workers'), '-inf', now - SILENCE);
    asked.zcard(this.#key('workers'));
    this.workers = (await asked.exec()).at(-1)[1];
    if (this.workers > 0) this.lastSeen = performance.now();
  }

  /** Leaves the fleet. */
  async leave() {
    clearInterval(this.#timer);
    if (this.#counts) await this.#redis.zrem(this.#key('workers'), this.#id).catch(() => {});
  }
}
