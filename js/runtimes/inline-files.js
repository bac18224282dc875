// Where the WebAssembly files are for `linex/inline`: in its code.
import { useFiles } from '../core/load.js';
import { embeddedFile } from './embedded-files.js';

useFiles({ isWhole: () => true, find: embeddedFile });
