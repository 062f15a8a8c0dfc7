#!/usr/bin/env node
import { run } from '../dist/session-cap.js';

process.exitCode = await run(process.argv.slice(2));
