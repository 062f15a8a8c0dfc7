#!/usr/bin/env node
'use strict';

require('../dist/launch.cjs')
  .launch(require.resolve('../dist/fleet-schedule.cjs'))
  .run(process.argv.slice(2))
  .then((code) => {
    process.exitCode = code;
  });
