import type { EventEmitter } from 'node:events';
import type { Duplex } from 'node:stream';
import pg from 'pg';

/** The parts of pg's connection that its messages arrive at; its type declarations leave them out. */
type ReadingConnection = EventEmitter & { attachListeners(stream: Duplex): void };

/** The fields of a row (`DataRow`), null for SQL's null. */
export type RowFields = readonly (Buffer | null)[];

type Listener = (chunk: Buffer) => void;

/** Code and length stand in front of every message; the length counts itself and not the code. */
const HEADER_BYTES = 5;
const DATA_ROW = 0x44;
const READY_FOR_QUERY = 0x5a;

const wanting = new WeakSet<object>();

/**
 * The driver's client, which can also give rows as the bytes that Postgres sent: the driver itself turns every field into a string, which
 * the answer of a request would have to be turned back from.
 */
export class BytesClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    const { connection } = this as unknown as { connection: ReadingConnection };
    const attach = connection.attachListeners;
    connection.attachListeners = (stream) => {
      attach.call(connection, stream);
      const listeners = stream.listeners('data') as Listener[];
      stream.removeAllListeners('data');
      const pass: Listener = (chunk) => {
        for (const listener of listeners) listener.call(stream, chunk);
      };
      stream.on('data', readMessages(connection, pass));
    };
  }
}

/** Until the query under way on this connection has ended, its rows are told as `RowFields`. Other clients than `BytesClient` know nothing of it. */
export function wantBytes(connection: object): void {
  wanting.add(connection);
}

/**
 * Takes the rows that are wanted as bytes out of what Postgres sends, and passes on the rest as it came
 * (PostgreSQL 18, 54.7 Message Formats).
 */
function readMessages(connection: EventEmitter, pass: Listener): Listener {
  /** The beginning of a header whose rest has not come. */
  let head: Buffer | undefined;
  /** How much of a message that is passed on has not come. */
  let passing = 0;
  /** A row that has not come as a whole. */
  let row: Buffer | undefined;
  let filled = 0;

  return (received) => {
    const chunk = head === undefined ? received : Buffer.concat([head, received]);
    head = undefined;
    let at = 0;
    if (row !== undefined) {
      at = chunk.copy(row, filled);
      filled += at;
      if (filled < row.length) return;
      const whole = row;
      row = undefined;
      connection.emit('dataRow', { fields: splitRow(whole) });
    }
    let passedFrom = at;
    at += Math.min(passing, chunk.length - at);
    passing -= at - passedFrom;
    while (at < chunk.length) {
      if (chunk.length - at < HEADER_BYTES) {
        head = chunk.subarray(at);
        break;
      }
      const end = at + 1 + chunk.readInt32BE(at + 1);
      if (chunk[at] === READY_FOR_QUERY) wanting.delete(connection);
      if (chunk[at] !== DATA_ROW || !wanting.has(connection)) {
        passing = Math.max(0, end - chunk.length);
        at = Math.min(end, chunk.length);
        continue;
      }
      if (passedFrom < at) pass(chunk.subarray(passedFrom, at));
      const body = chunk.subarray(at + HEADER_BYTES, end);
      at = Math.min(end, chunk.length);
      passedFrom = at;
      if (end <= chunk.length) {
        connection.emit('dataRow', { fields: splitRow(body) });
        continue;
      }
      row = Buffer.allocUnsafe(body.length + end - chunk.length);
      filled = body.copy(row);
    }
    if (passedFrom < at) pass(chunk.subarray(passedFrom, at));
  };
}

/** @throws RangeError where the row ends before its fields do */
function splitRow(row: Buffer): RowFields {
  const fields: (Buffer | null)[] = [];
  let at = 2;
  for (let left = row.readInt16BE(0); left > 0; left -= 1) {
    const length = row.readInt32BE(at);
    at += 4;
    fields.push(length < 0 ? null : row.subarray(at, at + length));
    at += Math.max(0, length);
  }
  return fields;
}
