import { callerName } from '../lib/cli/caller-name.ts';
import { type Handler, print } from '../lib/cli/output.ts';
import { EXIT, FleetError } from '../lib/errors.ts';
import { startLedgerServer } from '../lib/ledger-page/server.ts';

/** `decision-ledger serve`. Ends when it is interrupted. */
export const serve: Handler = async ({ env, places }, invocation, output) => {
  const { port = 0 } = invocation.options;
  if (typeof port !== 'number' || port > 65_535)
    throw new FleetError(EXIT.usage, '--port is 0 to 65535', { field: '--port' });
  const server = await startLedgerServer(places, callerName(env, invocation.options), port);
  const document = { schema: 'session-fleet.decision-ledger.serve.v1', url: server.url, port: server.port };
  print(output, invocation, document, server.url);
  await server.closed;
  return EXIT.done;
};
