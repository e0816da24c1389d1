import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

/** Answers a handshake with an HTTP error whose body the official client reads, and ends the connection. */
export function refuseUpgrade(connection: Duplex, status: number, error: string): void {
  const body = JSON.stringify({ error });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'X-Content-Type-Options: nosniff',
    'Connection: close',
  ];
  connection.on('error', () => undefined);
  connection.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
