#!/usr/bin/env node
import { run } from '../dist/session-exit.js';

process.exitCode = await run(process.argv.slice(2));
