// Where the WebAssembly files are for Cloudflare Workers: they are modules, because workerd does not compile bytes.
import adjust from '../linex-adjust.wasm';
import data from '../linex-data.wasm';
import image from '../linex-image.wasm';
import kriging from '../linex-kriging.wasm';
import masks from '../linex-masks.wasm';
import shapley from '../linex-shapley.wasm';
import wide from '../linex-wide.wasm';
import core from '../linex.wasm';
import { useFiles } from '../core/load.js';

/** @type {Record<string, object>} */
const MODULES = {
  'linex.wasm': core,
  'linex-adjust.wasm': adjust,
  'linex-data.wasm': data,
  'linex-image.wasm': image,
  'linex-kriging.wasm': kriging,
  'linex-masks.wasm': masks,
  'linex-shapley.wasm': shapley,
  'linex-wide.wasm': wide,
};

useFiles({ isWhole: () => false, find: (name) => MODULES[name] });
