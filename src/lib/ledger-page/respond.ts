import type { ServerResponse } from 'node:http';

/** A page that takes only what carries the nonce. */
export function respondPage(response: ServerResponse, status: number, html: string, nonce: string): void {
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;
  send(response, status, 'text/html', html, { 'Content-Security-Policy': policy });
}

/** A line of text, and the end of the connection: what else such a client sends is not worth reading. */
export function respondLine(response: ServerResponse, status: number, words: string): void {
  send(response, status, 'text/plain', `${words}\n`, {
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    Connection: 'close',
  });
}

/** Sends the browser to another address, to GET it. */
export function redirect(response: ServerResponse, location: string): void {
  send(response, 303, 'text/plain', '', { Location: location });
}

function send(
  response: ServerResponse,
  status: number,
  type: string,
  text: string,
  more: Record<string, string>,
): void {
  response.writeHead(status, {
    'Content-Type': `${type}; charset=utf-8`,
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    ...more,
  });
  response.end(text);
}
