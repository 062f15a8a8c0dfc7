import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EXIT, FleetError, messageOf } from '../errors.ts';
import type { Places } from '../store/places.ts';
import { respondLine } from './respond.ts';
import { handle } from './routes.ts';

export interface LedgerServer {
  /** With the secret word in it. */
  url: string;
  port: number;
  /** When the server is closed. */
  closed: Promise<void>;
}

/** A client that is slow, or only holds the line, is let go of after this (ms). */
const PATIENCE = {
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 500,
};
const IDLE_MS = 15_000;
const MOST_CONNECTIONS = 64;

/**
 * Serves the page of decisions on 127.0.0.1, and nowhere else, until the process ends. Its address has 256 random bits in
 * it, without which nothing is told. Throws FleetError 73 when the port can't be had.
 */
export async function startLedgerServer(places: Places, by: string, port: number): Promise<LedgerServer> {
  const ledger = { places, by, token: randomBytes(32).toString('base64url') };
  const server = createServer({ ...PATIENCE, maxHeaderSize: 16 << 10 }, (request, response) => {
    handle(ledger, request, response).catch((error) => {
      if (response.headersSent) response.destroy();
      else respondLine(response, 500, messageOf(error));
    });
  });
  server.maxConnections = MOST_CONNECTIONS;
  server.timeout = IDLE_MS;
  await new Promise<void>((listening, fail) => {
    server.once('error', (error) =>
      fail(new FleetError(EXIT.exists, `port ${port} can’t be had: ${messageOf(error)}`)),
    );
    server.listen({ host: '127.0.0.1', port, exclusive: true }, listening);
  });
  const bound = (server.address() as AddressInfo).port;
  return {
    url: `http://127.0.0.1:${bound}/${ledger.token}/`,
    port: bound,
    closed: new Promise((done) => server.once('close', () => done())),
  };
}
