// Runs what a reader has written into a code block, in a worker of its own, and returns what it prints.

/** The entry points that a block may import, by the scripts of the site. */
const ENTRIES = { linex: 'index.js', 'linex/render': 'render.js' };
/** Milliseconds. */
const LIMIT = 60000;

/** What the worker does before the block: it sends what is printed, much as Node writes it, and how it ends. */
const BEFORE = `{
const write = (value, depth = 0) => {
  if (typeof value === 'string') return depth ? "'" + value + "'" : value;
  if (value instanceof Error) return value.stack?.includes(value.message) ? String(value) : value.name + ': ' + value.message;
  if (ArrayBuffer.isView(value)) return value.constructor.name + '(' + value.length + ') ' + list([...value], depth);
  if (Array.isArray(value)) return list(value, depth);
  if (value && typeof value === 'object') {
    const parts = Object.entries(value).map(([name, one]) => (/^\\w+$/.test(name) ? name : "'" + name + "'") + ': ' + write(one, depth + 1));
    return parts.length ? wrap('{', parts, '}', depth) : '{}';
  }
  return Object.is(value, -0) ? '-0' : String(value);
};
const list = (values, depth) => (values.length ? wrap('[', values.map((one) => write(one, depth + 1)), ']', depth) : '[]');
const wrap = (open, parts, close, depth) => {
  const line = open + ' ' + parts.join(', ') + ' ' + close;
  if (line.length <= 76 && !line.includes('\\n')) return line;
  const space = '  '.repeat(depth);
  return open + '\\n' + parts.map((part) => space + '  ' + part).join(',\\n') + '\\n' + space + close;
};
console.log = (...values) => postMessage({ printed: values.map((value) => write(value)).join(' ') });
console.error = console.warn = console.info = console.log;
addEventListener('unhandledrejection', ({ reason }) => postMessage({ failed: write(reason) }));
}`;

/** The scripts that the names of the package stand for. @param {string} code @param {string} scripts  the URL of their folder */
const withAddresses = (code, scripts) =>
  code.replace(/(\bfrom\s+|\bimport\s*\(?\s*)(['"])(linex(?:\/[\w-]+)?)\2/g, (all, open, quote, name) =>
    ENTRIES[name] ? `${open}${quote}${scripts}${ENTRIES[name]}${quote}` : all,
  );

/**
 * Runs code until it ends.
 *
 * @param {string} code  an ES module
 * @param {object} options
 * @param {string} options.scripts  the URL of the folder of linex's scripts
 * @param {(text: string) => void} options.onPrint  gets each printed line
 * @param {AbortSignal} options.signal  stops it
 * @returns {Promise<void>}  rejects with what the code throws
 */
export function runCode(code, { scripts, onPrint, signal }) {
  // One module, because the policy of the pages allows a worker from a blob, but no further script from one.
  const source = `${BEFORE}\n${withAddresses(code, scripts)}\n;postMessage({ ended: true });`;
  const address = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
  return new Promise((resolve, reject) => {
    const worker = new Worker(address, { type: 'module' });
    const end = (settle, value) => {
      clearTimeout(timer);
      worker.terminate();
      URL.revokeObjectURL(address);
      settle(value);
    };
    const timer = setTimeout(() => end(reject, new Error(`it took more than ${LIMIT / 1000} seconds`)), LIMIT);
    signal.addEventListener('abort', () => end(reject, new Error('stopped')), { once: true });
    worker.onerror = ({ message }) => end(reject, new Error(message || 'the browser refused to start a worker'));
    worker.onmessage = ({ data }) => {
      if ('printed' in data) onPrint(data.printed);
      else if ('failed' in data) end(reject, new Error(data.failed));
      else end(resolve);
    };
  });
}
