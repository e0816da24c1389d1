import { createSocket } from 'node:dgram';
import { isIPv6 } from 'node:net';

export type NameServer = { readonly address: string; stop(): Promise<void> };

const HEADER_BYTES = 12;
const IPV6_RECORD = 28;
const INTERNET = 1;

/** A name server (RFC 1035) that knows one name; asked for any other it says nothing. */
export async function startNameServer(host: string, addresses: readonly string[]): Promise<NameServer> {
  const socket = createSocket('udp4');
  const known = Buffer.concat([
    ...host.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label)])),
    Buffer.of(0),
  ]);
  socket.on('message', (query, from) => {
    const question = query.subarray(HEADER_BYTES, HEADER_BYTES + known.length + 4);
    if (!question.subarray(0, known.length).equals(known)) return;
    const type = question.readUInt16BE(known.length);
    const records = addresses.filter((address) => isIPv6(address) === (type === IPV6_RECORD));
    const header = Buffer.alloc(HEADER_BYTES);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(0x8180, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(records.length, 6);
    const answers = records.map((address) => writeRecord(type, address));
    socket.send(Buffer.concat([header, question, ...answers]), from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    stop: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

function writeRecord(type: number, address: string): Buffer {
  const data = isIPv6(address)
    ? Buffer.from(
        address
          .split(':')
          .map((group) => group.padStart(4, '0'))
          .join(''),
        'hex',
      )
    : Buffer.from(address.split('.').map(Number));
  const head = Buffer.alloc(HEADER_BYTES);
  // The name is the one at the question.
  head.writeUInt16BE(0xc000 | HEADER_BYTES, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(INTERNET, 4);
  head.writeUInt32BE(1, 6);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}
