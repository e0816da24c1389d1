import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, type Reply } from './test-support/call-service.ts';
import { ACCOUNT_ROWS } from './test-support/callers/account-rows.ts';
import { type Belongings, readBelongings } from './test-support/callers/belongings.ts';
import { CALLERS, type Caller } from './test-support/callers/caller.ts';
import { FACTOR_ROWS, PASSKEY_ROWS } from './test-support/callers/factor-rows.ts';
import { OPERATOR_ROWS } from './test-support/callers/operator-rows.ts';
import { PROGRAM_ROWS } from './test-support/callers/program-rows.ts';
import type { Asked, Row } from './test-support/callers/row.ts';
import { createScene, type PersonName, type Scene } from './test-support/callers/scene.ts';
import { SIGN_IN_ROWS } from './test-support/callers/sign-in-rows.ts';
import { type WatchedDatabase, watchDatabase } from './test-support/callers/watched-database.ts';

const ROWS: readonly Row[] = [
  ...ACCOUNT_ROWS,
  ...FACTOR_ROWS,
  ...PASSKEY_ROWS,
  ...SIGN_IN_ROWS,
  ...OPERATOR_ROWS,
  ...PROGRAM_ROWS,
];

/** Whose account a token stands for. Of Ana's that have ended, nothing is hers any more. */
const OWNERS: Readonly<Partial<Record<Caller, PersonName>>> = {
  person: 'ana',
  stranger: 'bia',
  visitor: 'visitor',
  firstLevel: 'ana',
  banned: 'caio',
  reader: 'ana',
  writer: 'ana',
  personal: 'ana',
};

let scene: Scene;
let database: WatchedDatabase;
let belongings: Belongings<PersonName>;
let untouched: string;
beforeAll(async () => {
  scene = await createScene();
  database = await watchDatabase(scene.service.admin);
  const { people, things } = scene;
  const know = ({ id, email }: { id: string; email: string }, words: readonly string[] = []) => ({
    id,
    words: [...(email === '' ? [] : [email]), ...words],
  });
  const anas = [things.app.secret, things.personal.token, ...things.recoveryCodes];
  belongings = readBelongings<PersonName>(
    {
      ana: know(people.ana, anas),
      bia: know(people.bia),
      visitor: know(people.visitor),
      caio: know(people.caio),
      dora: know(people.dora),
    },
    await database.readRows(),
  );
  untouched = await database.digest();
});
afterAll(() => scene.stop());

/** What a call did, and what of it nobody may have expected. */
type Seen = {
  readonly outcome: string;
  readonly tables: readonly string[];
  readonly faults: readonly string[];
};

async function see(row: Row, caller: Caller): Promise<Seen> {
  await row.prepare?.(scene);
  await database.takeChanges();
  const { mails } = scene.service;
  mails.length = 0;
  const asked = row.ask?.(scene) ?? {};
  const reply = await send(row, caller, asked);
  const changes = await database.takeChanges();
  const outcome = describeOutcome(reply);
  const isAllowed = !outcome.includes(' ');
  const owner = OWNERS[caller];
  const own = owner === undefined ? [] : [owner];
  const mayChange = isAllowed ? (row.changes?.of ?? own) : own;
  const mayTell = isAllowed ? (row.tells ?? mayChange) : [];
  const mayWrite = (isAllowed ? row.changes?.tables : row.counts) ?? [];
  const told = belongings
    .ownersIn(JSON.stringify([reply.headers, reply.body]), JSON.stringify(asked))
    .filter((name) => !mayTell.includes(name));
  const mailed = belongings
    .ownersIn(JSON.stringify(mails.map(({ to }) => to)))
    .filter((name) => !isAllowed || !mayChange.includes(name));
  const written = changes.flatMap((change) => {
    const others = belongings.ownersIn(JSON.stringify(change)).filter((name) => !mayChange.includes(name));
    return others.length === 0 && mayWrite.includes(change.table)
      ? []
      : [`writes ${change.table}${others.map((name) => ` of ${name}`).join('')}`];
  });
  return {
    outcome,
    tables: isAllowed ? changes.map(({ table }) => table) : [],
    faults: [
      ...told.map((name) => `tells of ${name}`),
      ...mailed.map((name) => `mails ${name}`),
      ...written,
      ...(await findDifference(row, caller, asked, reply)),
    ],
  };
}

function send(row: Row, caller: Caller, { params = {}, query, body, form }: Asked): Promise<Reply> {
  const token = scene.tokens[caller];
  const path = row.route.replaceAll(/:(\w+)/g, (_whole, name: string) => params[name] ?? '');
  const line = query === undefined ? path : `${path}?${new URLSearchParams(query)}`;
  return call(scene.service, line, {
    ...(token === undefined ? {} : { token }),
    ...(body === undefined ? {} : { body }),
    ...(form === undefined ? {} : { form }),
  });
}

function describeOutcome({ status, headers, body }: Reply): string {
  const fields = (body ?? {}) as Readonly<Record<string, unknown>>;
  const location = new URL(String(headers['location'] ?? ''), 'https://nowhere.test');
  const words = new URLSearchParams(`${location.search.slice(1)}&${location.hash.slice(1)}`);
  const code =
    status >= 400 ? (fields['error'] ?? fields['code']) : (words.get('error_code') ?? words.get('error'));
  return code ? `${status} ${code}` : String(status);
}

/** Somebody else's is refused like what is not there: nobody learns by asking that there is such a thing. */
async function findDifference(
  row: Row,
  caller: Caller,
  asked: Asked,
  reply: Reply,
): Promise<readonly string[]> {
  if (reply.status < 400 || asked.params === undefined || OWNERS[caller] === 'ana') return [];
  const made = (name: string) =>
    name === 'authorization_id' ? randomBytes(32).toString('base64url') : randomUUID();
  const params = Object.fromEntries(Object.keys(asked.params).map((name) => [name, made(name)]));
  const other = await send(row, caller, { ...asked, params });
  const [one, another] = [reply, other].map(({ status, body }) => JSON.stringify([status, body]));
  return one === another ? [] : [`tells that it is there: ${one} instead of ${another}`];
}

/** Answers 404 below the service's prefix. */
const NO_ROUTES = ['GET /*', 'HEAD /*'];

it('is asked of every route that the service has, and of no other', () => {
  const asked = new Set([...NO_ROUTES, ...ROWS.map(({ route }) => route)]);
  expect([...asked].sort()).toEqual([...scene.service.routes].sort());
});

const NAMED = ROWS.map((row) => [row.what ? `${row.route}: ${row.what}` : row.route, row] as const);

describe('each caller gets the answer that it must, and nothing else is changed or told', () => {
  it.each(NAMED)('%s', async (_name, row) => {
    const seen = new Map<Caller, Seen>();
    for (const caller of CALLERS) {
      try {
        seen.set(caller, await see(row, caller));
      } finally {
        await database.undo();
      }
    }
    const all = [...seen];
    const tables = new Set(all.flatMap(([, one]) => one.tables));
    expect({
      answers: Object.fromEntries(all.map(([caller, { outcome }]) => [caller, outcome])),
      faults: all.flatMap(([caller, { faults }]) => faults.map((fault) => `${caller} ${fault}`)),
      tables: [...tables].sort(),
    }).toEqual({ answers: row.answers, faults: [], tables: [...new Set(row.changes?.tables)].sort() });
    expect(await database.digest()).toBe(untouched);
    expect(scene.service.failures).toEqual([]);
  });
});
