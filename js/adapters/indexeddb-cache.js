// A cache of answers in the browser's database.
import { show } from '../core/errors.js';

const STORE = 'answers';

/**
 * Keeps answers in IndexedDB, so that they outlive the page.
 *
 * @param {string} name  of the database
 * @returns {import('./answer-keys.js').AnswerCache}
 * @throws {TypeError} for a bad name
 */
export function indexedDBCache(name) {
  if (typeof name !== 'string' || name === '')
    throw new TypeError(`indexedDBCache takes the name of a database, not ${show(name)}`);
  /** @type {Promise<IDBDatabase> | undefined} */
  let opened;
  /** @returns {Promise<IDBDatabase>} */
  const open = () => {
    opened ??= openDatabase(name, () => (opened = undefined));
    // After a failure, the next call tries again.
    opened.catch(() => (opened = undefined));
    return opened;
  };
  return {
    async get(keys) {
      const store = (await open()).transaction(STORE, 'readonly').objectStore(STORE);
      return Promise.all(keys.map((key) => resultOf(store.get(key))));
    },
    async set(entries) {
      const transaction = (await open()).transaction(STORE, 'readwrite');
      for (const [key, answer] of entries) transaction.objectStore(STORE).put(answer, key);
      await new Promise((resolve, reject) => {
        transaction.oncomplete = () => resolve(undefined);
        transaction.onabort = () => reject(transaction.error);
      });
    },
  };
}

/** @param {string} name @param {() => void} onClose */
async function openDatabase(name, onClose) {
  const { indexedDB } = globalThis;
  if (!indexedDB) throw new Error('there is no IndexedDB here; use memoryCache or fileCache');
  const request = indexedDB.open(name, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE);
  const database = await resultOf(request);
  database.onclose = onClose;
  // Another page wants to delete the database.
  database.onversionchange = () => {
    database.close();
    onClose();
  };
  return database;
}

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
const resultOf = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
