import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

/** Asks on the terminal, which shows nothing of what is typed; of a pipe, takes the first line. */
export async function askToken(): Promise<string> {
  process.stderr.write('Token: ');
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({
    input: process.stdin,
    output: silent,
    terminal: process.stdin.isTTY === true,
  });
  try {
    const first = await lines[Symbol.asyncIterator]().next();
    return first.done === true ? '' : first.value;
  } finally {
    lines.close();
    process.stderr.write('\n');
  }
}
