#!/usr/bin/env node
// The command `linex`: explains rows, texts and images from a terminal.
import { runProcess } from './command/run-command.js';

await runProcess();
