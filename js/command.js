#!/usr/bin/env node
// The command `linex`: explains rows, texts and images from a terminal.
import process from 'node:process';
import { runCommand } from './command/run-command.js';

process.exitCode = await runCommand(process.argv.slice(2));
