// The script of a worker whose model is a module of its own: its address comes with the first message.
import { joinPool } from './join-pool.js';

joinPool();
