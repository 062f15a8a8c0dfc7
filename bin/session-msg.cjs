#!/usr/bin/env node
'use strict';

require('node:module').enableCompileCache?.();
require('../dist/session-msg.cjs')
  .run(process.argv.slice(2))
  .then((code) => {
    process.exitCode = code;
  });
