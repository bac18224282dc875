#!/usr/bin/env node
// The command `linex`: explains rows, texts and images from a terminal.
import './wasm-files.js';
import { runProcess } from './command/run-command.js';

await runProcess();
