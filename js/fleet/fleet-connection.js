// Connects to Redis through BullMQ, and says what is unsafe about the server.
import { isIP } from 'node:net';
import process from 'node:process';
import { checkNames } from '../core/check-options.js';
import { LinexError, messageOf, show } from '../core/errors.js';

/**
 * What the fleet needs of BullMQ and ioredis. Both are optional peers, so their types may be absent.
 *
 * @typedef {object} Packages
 * @property {any} Queue
 * @property {any} QueueEvents
 * @property {any} Worker
 * @property {any} UnrecoverableError
 * @property {any} Redis
 */

/**
 * A warning about the server. `code` is for programs.
 *
 * @typedef {{ code: 'unreachable' | 'no-password' | 'eviction' | 'persistence', message: string }} FleetWarning
 */

/**
 * Loads BullMQ, which keeps the queue, and ioredis, which it uses.
 *
 * @returns {Promise<Packages>}
 * @throws {LinexError} `'load'` if one is not installed
 */
export async function loadPackages() {
  try {
    // @ts-ignore: an optional peer
    const { Queue, QueueEvents, UnrecoverableError, Worker } = await import('bullmq');
    // @ts-ignore: an optional peer
    const { Redis } = await import('ioredis');
    return { Queue, QueueEvents, UnrecoverableError, Worker, Redis };
  } catch (cause) {
    const what = `a fleet needs the packages bullmq and ioredis: npm install bullmq ioredis (${messageOf(cause)})`;
    throw new LinexError('load', what, { cause });
  }
}

/**
 * Reads where Redis is.
 *
 * @param {unknown} connection  a URL such as `rediss://user:password@host:6380`; default: the environment variable
 *   `LINEX_REDIS`, so that no password stands in a script
 * @returns {URL}
 * @throws {TypeError} if there is none, or it is not such a URL. The message shows no password
 */
export function readConnection(connection = process.env.LINEX_REDIS) {
  const expected = 'connection must be a URL such as redis://127.0.0.1:6379 or rediss://user:password@host:6380';
  if (connection === undefined) throw new TypeError(`${expected}; or set the environment variable LINEX_REDIS`);
  let url;
  try {
    url = new URL(String(connection));
  } catch {
    throw new TypeError(
      `${expected}, not ${show(typeof connection === 'string' ? hidePassword(connection) : connection)}`,
    );
  }
  if (!['redis:', 'rediss:'].includes(url.protocol)) throw new TypeError(`${expected}, not ${show(url.protocol)}`);
  const database = url.pathname.slice(1);
  if (!/^\d*$/.test(database))
    throw new TypeError(`the path of connection must be the number of a database, not ${show(database)}`);
  try {
    decodeURIComponent(url.username + url.password);
  } catch {
    throw new TypeError('the user and the password in connection must be encoded as in URLs: % is written %25');
  }
  return url;
}

/** Everything before the last @ may be a part of the password. @param {string} text */
const hidePassword = (text) => text.replace(/^([a-z]+:\/\/)?.*@/is, '$1…@');

/**
 * What ioredis is told: the address, with TLS for `rediss:`. Commands wait while the server is away, for as long as it
 * takes: a restart of Redis must not end a call.
 *
 * @param {URL} url
 */
export function connectionOptions(url) {
  const { hostname, port, username, password, protocol, pathname } = url;
  const host = hostname.replace(/^\[|\]$/g, '');
  return {
    ...{ host, port: Number(port || 6379), maxRetriesPerRequest: null, enableReadyCheck: true },
    ...(username && { username: decodeURIComponent(username) }),
    ...(password && { password: decodeURIComponent(password) }),
    ...(pathname.length > 1 && { db: Number(pathname.slice(1)) }),
    // A certificate is checked for the name of the server, or for its address if it has no name.
    ...(protocol === 'rediss:' && { tls: isIP(host) ? {} : { servername: host } }),
    retryStrategy: (/** @type {number} */ times) => Math.min(100 * 2 ** times, 3000),
  };
}

/**
 * An error of the server in our words. It has no `cause`: that of ioredis holds the command, and so the password or the data.
 *
 * @param {string} what
 * @param {unknown} error
 */
export const serverError = (what, error) => new LinexError('worker', `${what}: ${messageOf(error)}`);

/**
 * Opens a connection and waits for the first answer.
 *
 * @param {Packages} packages
 * @param {URL} url
 * @param {number} timeout  milliseconds
 * @param {((warning: FleetWarning) => void) | undefined} onWarning  told once if the server is not there yet
 * @returns {Promise<any>}  an ioredis client
 * @throws {LinexError} `'worker'` if the server does not answer in time, or refuses the password or the database
 */
export async function connect({ Redis }, url, timeout, onWarning) {
  // ioredis would end the process if the server refused the database.
  const { db, ...options } = connectionOptions(url);
  const redis = new Redis(options);
  /** @type {unknown} */
  let last;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let fail = (/** @type {unknown} */ _error) => {};
  const failed = new Promise((_, reject) => {
    fail = reject;
    timer = setTimeout(() => reject(last ?? new Error(`no answer within ${timeout} ms`)), timeout);
  });
  const listen = (/** @type {Error} */ error) => {
    if (/NOAUTH|WRONGPASS/.test(error.message)) fail(error);
    else if (last === undefined) report([notYet(url, error)], onWarning);
    last = error;
  };
  // Without a listener, ioredis prints every failed attempt.
  redis.on('error', listen);
  try {
    await Promise.race([redis.ping(), failed]);
    // A server that goes away later comes back by itself.
    redis.off('error', listen).on('error', () => {});
    if (db !== undefined) await redis.select(db);
  } catch (error) {
    redis.disconnect();
    throw serverError(`could not connect to Redis at ${url.host}`, error);
  } finally {
    clearTimeout(timer);
  }
  return redis;
}

/** @param {URL} url @param {Error} error @returns {FleetWarning} */
const notYet = (url, error) => ({
  code: 'unreachable',
  message: `Redis at ${url.host} does not answer yet: ${messageOf(error)}; waiting for it`,
});

/**
 * Says what is unsafe about the server: it is open to everyone, it may drop jobs, or it forgets them when it restarts.
 *
 * @param {any} redis
 * @param {URL} url
 * @returns {Promise<FleetWarning[]>}
 */
export async function inspectServer(redis, url) {
  /** @type {FleetWarning[]} */
  const warnings = [];
  if (!url.password && !isPrivate(url.hostname))
    warnings.push({
      code: 'no-password',
      message: `Redis at ${url.host} has no password and a public address: anyone can read your data and send jobs`,
    });
  const policy = await readSetting(redis, 'maxmemory-policy');
  const memory = await readSetting(redis, 'maxmemory');
  if (memory !== undefined && memory !== '0' && policy !== 'noeviction')
    warnings.push({
      code: 'eviction',
      message: `Redis drops data when its memory is full (maxmemory-policy ${policy}); set it to noeviction`,
    });
  if ((await readSetting(redis, 'appendonly')) === 'no' && (await readSetting(redis, 'save')) === '')
    warnings.push({
      code: 'persistence',
      message: 'Redis forgets all jobs when it restarts: they are then sent again; set appendonly to yes to avoid it',
    });
  return warnings;
}

/**
 * Hosted servers often forbid to read settings.
 *
 * @param {any} redis
 * @param {string} name
 * @returns {Promise<string | undefined>}
 */
async function readSetting(redis, name) {
  try {
    return (await redis.config('GET', name))[1];
  } catch {
    return undefined;
  }
}

/** Whether an address cannot be reached from everywhere. Names without a dot are hosts of a private network. @param {string} host */
export function isPrivate(host) {
  const name = host.replace(/^\[|\]$/g, '').toLowerCase();
  const family = isIP(name);
  if (family === 6) return name === '::1' || /^(f[cd]|fe[89ab])/.test(name);
  if (family === 4) return /^(127|10)\.|^192\.168\.|^172\.(1[6-9]|2\d|3[01])\.|^169\.254\./.test(name);
  return !name.includes('.') || /\.(local|internal|localdomain|svc|lan|test)$/.test(name);
}

/**
 * Hands warnings to the caller, or to Node, which prints them once.
 *
 * @param {FleetWarning[]} warnings
 * @param {((warning: FleetWarning) => void) | undefined} onWarning
 */
export function report(warnings, onWarning) {
  for (const warning of warnings)
    if (onWarning) onWarning(warning);
    else process.emitWarning(warning.message, { type: 'LinexWarning', code: warning.code });
}

/**
 * Reads the options that both sides of a fleet share.
 *
 * @param {unknown} options
 * @param {readonly string[]} more  the names of further options
 * @param {string} caller
 */
export function readFleetOptions(options, more, caller) {
  const known = ['connection', 'module', 'name', 'fingerprint', 'openTimeout', 'onWarning', ...more];
  const given = checkNames(options ?? {}, known, caller);
  const { name = 'linex', fingerprint, onWarning } = given;
  // It becomes part of keys, in which a colon has a meaning.
  if (typeof name !== 'string' || !/^[\w.-]{1,60}$/.test(name))
    throw new TypeError(`name must be 1 to 60 letters, digits, dots, dashes or underscores, not ${show(name)}`);
  if (fingerprint !== undefined && (typeof fingerprint !== 'string' || fingerprint === ''))
    throw new TypeError(`fingerprint must be a text, not ${show(fingerprint)}`);
  if (onWarning !== undefined && typeof onWarning !== 'function')
    throw new TypeError(`onWarning must be a function, not ${show(onWarning)}`);
  return { ...given, name, url: readConnection(given.connection) };
}
