#!/usr/bin/env node
'use strict';

require('node:module').enableCompileCache?.();
require('../dist/task-file.cjs')
  .run(process.argv.slice(2))
  .then((code) => {
    process.exitCode = code;
  });
