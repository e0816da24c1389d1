import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLogger } from './create-logger.ts';
import { MailError } from './mail.ts';

type Line = { readonly level: string; readonly msg: string; readonly repeated?: number };

let lines: Line[];
let logger: ReturnType<typeof createLogger>;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  lines = [];
  logger = createLogger('info', { write: (line) => lines.push(JSON.parse(line) as Line) });
});
afterEach(() => {
  vi.useRealTimers();
});

const failure = (message: string, code?: string) => Object.assign(new Error(message), { code });
const AWAY = [
  failure('connect ECONNREFUSED 127.0.0.1:5432', 'ECONNREFUSED'),
  failure('connect ENOENT /data/postgres/socket/.s.PGSQL.5432', 'ENOENT'),
  failure('Connection terminated unexpectedly'),
  failure('timeout exceeded when trying to connect'),
  new Error('unexpected', { cause: failure('read ECONNRESET', 'ECONNRESET') }),
];

test('a database that is away is one line a level and minute, whoever notices and however', () => {
  for (let round = 0; round < 100; round += 1)
    for (const err of AWAY) {
      logger.child({ reqId: round }).error({ err }, `request failed ${round % 7}`);
      logger.warn({ err }, 'a job failed');
    }
  expect(lines.map(({ level }) => level)).toEqual(['error', 'warn']);
  vi.advanceTimersByTime(60_000);
  logger.error({ err: AWAY[0] }, 'request failed');
  expect(lines.at(-1)).toMatchObject({ msg: 'request failed', repeated: 499 });
  expect(lines).toHaveLength(3);
});

test('another fault of the same minute has its own line, and the same one again has not', () => {
  for (let at = 0; at < 10; at += 1) {
    logger.error({ err: AWAY[0] }, 'request failed');
    logger.error({ err: failure(`no column "c${at}" at ${at}`, '42703') }, 'request failed');
    logger.error({ err: failure('no column', '42703') }, 'table API request failed');
    logger.error({ err: new TypeError('x is not a function') }, 'request failed');
    logger.warn({ err: failure('too many connections', '53300') }, 'the change feed is not live');
  }
  expect(lines).toHaveLength(5);
});

test('neither mails nor object storage that are away are taken for the database', () => {
  const refused = failure('connect ECONNREFUSED 10.0.0.9:25', 'ECONNREFUSED');
  logger.error({ err: AWAY[0] }, 'request failed');
  logger.error({ err: new MailError(refused, false) }, 'a mail could not be sent');
  logger.error({ err: new TypeError('fetch failed', { cause: refused }) }, 'storage: unexpected failure');
  expect(lines).toHaveLength(3);
});

test('what became of each mail stays to be read, an unreachable mail server is told once', () => {
  for (const mail of ['a', 'b', 'c']) {
    logger.warn({ err: new MailError(failure('no'), false), mail, delivery: 'refused' }, 'not sent');
    logger.warn({ err: new MailError(failure('no'), false), mail, delivery: 'unreachable' }, 'not sent');
  }
  expect(lines).toHaveLength(4);
});

test('the supervisor says once that it starts the database again and again; lines without an error are left alone', () => {
  for (let at = 0; at < 20; at += 1) {
    logger.warn({ source: 'postgres' }, `Postgres ended unexpectedly; starting it again in ${at} ms`);
    logger.info({ source: 'postgres' }, 'said by Postgres');
  }
  logger.error({ function: 'a', reason: 'crashed' }, 'function worker ended');
  logger.error({ function: 'b', reason: 'crashed' }, 'function worker ended');
  expect(lines.filter(({ level }) => level === 'warn')).toHaveLength(1);
  expect(lines.filter(({ level }) => level === 'info')).toHaveLength(20);
  expect(lines.filter(({ level }) => level === 'error')).toHaveLength(2);
});

test('does not keep causes for ever', () => {
  const word = (at: number) =>
    String.fromCharCode(
      ...String(at)
        .split('')
        .map((digit) => 103 + Number(digit)),
    );
  for (let at = 0; at < 600; at += 1) logger.error({ err: failure(word(at)) }, 'request failed');
  logger.error({ err: failure(word(0)) }, 'request failed');
  logger.error({ err: failure(word(599)) }, 'request failed');
  expect(lines).toHaveLength(601);
});
