// Exports onnxruntime-web in place of onnxruntime-node, for transformers.js in Node.
const { pathToFileURL } = require('node:url');
const ort = require('onnxruntime-web');

// No thread keeps a process alive.
ort.env.wasm.numThreads = 1;
// Otherwise transformers.js would take it from the network.
ort.env.wasm.wasmPaths = new URL('./', pathToFileURL(require.resolve('onnxruntime-web'))).href;
module.exports = ort;
