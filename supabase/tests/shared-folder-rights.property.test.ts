import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser, setPlan, type TestUser } from '@linkoteca/test-kit/create-user';
import { queryAs, type TestCaller } from '@linkoteca/test-kit/query-as';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCategory } from './support/create-library.ts';
import { readOutcome } from './support/read-outcome.ts';

let database: ThrowawayDatabase;
let people: readonly TestUser[];
beforeAll(async () => {
  database = await createThrowawayDatabase();
  people = await Promise.all(Array.from({ length: 3 }, () => createUser(database.admin)));
});
afterAll(() => database.drop());

const ROLES = ['viewer', 'editor', 'manager'] as const;
type Role = (typeof ROLES)[number];
/** Places of people, folders and categories in the lists of a history. */
type Act =
  | {
      readonly kind: 'invite';
      readonly by: number;
      readonly folder: number;
      readonly person: number;
      readonly role: Role;
    }
  | {
      readonly kind: 'change role';
      readonly by: number;
      readonly folder: number;
      readonly person: number;
      readonly role: Role;
    }
  | { readonly kind: 'remove'; readonly by: number; readonly folder: number; readonly person: number }
  | { readonly kind: 'hold back'; readonly by: number; readonly category: number; readonly held: boolean }
  | { readonly kind: 'move'; readonly by: number; readonly category: number; readonly folder: number }
  | { readonly kind: 'plan'; readonly plan: 'free' | 'pro' };

/** Who acts: the owner is 3. */
const OWNER = 3;
const by = fc.constantFrom(OWNER, OWNER, 0, 1, 2);
const [person, folder, category] = [fc.nat(2), fc.nat(1), fc.nat(2)];
const role = fc.constantFrom(...ROLES);
const acts: fc.Arbitrary<Act> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('invite' as const), by, folder, person, role }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('change role' as const), by, folder, person, role }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove' as const), by, folder, person }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('hold back' as const), by, category, held: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('move' as const), by, category, folder }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('plan' as const), plan: fc.constantFrom('free', 'pro') }),
  },
);

/** What the rules say, without a database. */
class Model {
  readonly roles: [Map<number, Role>, Map<number, Role>] = [new Map(), new Map()];
  readonly categories = [
    { folder: 0, held: false },
    { folder: 0, held: false },
    { folder: 1, held: false },
  ];
  isPaid = true;

  private manages(who: number, folder: number): boolean {
    return who === OWNER || (this.isPaid && this.roles[folder]?.get(who) === 'manager');
  }

  act(act: Act): void {
    if (act.kind === 'plan') this.isPaid = act.plan === 'pro';
    else if (act.kind === 'hold back' || act.kind === 'move') {
      const place = this.categories[act.category];
      if (place === undefined || act.by !== OWNER) return;
      if (act.kind === 'hold back') place.held = act.held;
      else place.folder = act.folder;
    } else {
      const places = this.roles[act.folder];
      const had = places?.get(act.person);
      if (act.kind === 'remove') {
        if (this.manages(act.by, act.folder) || act.by === act.person) places?.delete(act.person);
        return;
      }
      if (!this.manages(act.by, act.folder) || (act.kind === 'invite') !== (had === undefined)) return;
      const isMore = had === undefined || ROLES.indexOf(act.role) > ROLES.indexOf(had);
      if (this.isPaid || !isMore) places?.set(act.person, act.role);
    }
  }

  /** What a person may do with a category. */
  rights(who: number, category: number): 'nothing' | 'read' | 'write' {
    const { folder, held } = this.categories[category] ?? { folder: 0, held: true };
    const role = this.roles[folder]?.get(who);
    if (role === undefined || held) return 'nothing';
    return this.isPaid && role !== 'viewer' ? 'write' : 'read';
  }
}

/** A library of two folders and three categories, each with a link, as the acts leave it. */
async function openLibrary() {
  const owner = await createUser(database.admin, { plan: 'pro' });
  const folders: string[] = [];
  for (const name of ['A', 'B']) {
    const { rows } = await queryAs<{ id: string }>(
      database,
      owner,
      'insert into folders (name) values ($1) returning id',
      [name],
    );
    folders.push(rows[0]?.id ?? '');
  }
  const categories: string[] = [];
  for (const place of [0, 0, 1]) {
    const id = await createCategory(database, owner, folders[place] ?? '');
    await queryAs(
      database,
      owner,
      `insert into links (url, title, category_id) values ('https://a.br/', 'A', $1)`,
      [id],
    );
    categories.push(id);
  }
  const caller = (who: number): TestCaller => people[who] ?? owner;
  const email = (who: number) => people[who]?.email;
  return {
    async act(act: Act) {
      if (act.kind === 'plan') return await setPlan(database.admin, owner.id, act.plan);
      const run = (text: string, ...values: unknown[]) => readOutcome(database, caller(act.by), text, values);
      if (act.kind === 'hold back')
        await run(
          'update categories set is_held_back = $2 where id = $1',
          categories[act.category],
          act.held,
        );
      else if (act.kind === 'move')
        await run(
          'update categories set folder_id = $2 where id = $1',
          categories[act.category],
          folders[act.folder],
        );
      else if (act.kind === 'invite')
        await run(
          'insert into folder_members (folder_id, email, role) values ($1, $2, $3)',
          folders[act.folder],
          email(act.person),
          act.role,
        );
      else if (act.kind === 'change role')
        await run(
          'update folder_members set role = $3 where folder_id = $1 and email = $2',
          folders[act.folder],
          email(act.person),
          act.role,
        );
      else
        await run(
          'delete from folder_members where folder_id = $1 and email = $2',
          folders[act.folder],
          email(act.person),
        );
    },
    async rights(who: number, category: number) {
      const id = categories[category];
      const seen = await readOutcome(database, caller(who), 'select from links where category_id = $1', [id]);
      const head = await readOutcome(database, caller(who), 'select from categories where id = $1', [id]);
      const changed = await readOutcome(
        database,
        caller(who),
        `update links set title = 'B' where category_id = $1`,
        [id],
      );
      const renamed = await readOutcome(
        database,
        caller(who),
        `update categories set name = 'B' where id = $1`,
        [id],
      );
      const counts = [seen, head, changed, renamed].map((outcome) =>
        'rows' in outcome ? outcome.rows : outcome.code,
      );
      const known: Readonly<Record<string, string>> = {
        '0,0,0,0': 'nothing',
        '1,1,0,0': 'read',
        '1,1,1,1': 'write',
      };
      return known[counts.join()] ?? counts.join();
    },
  };
}

test('any sequence of invitations, roles, removals, moves and holds ends with exactly the rights of the rules', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(acts, { maxLength: 25 }), async (history) => {
      const model = new Model();
      const library = await openLibrary();
      for (const act of history) {
        model.act(act);
        await library.act(act);
      }
      const [said, found]: [string[], string[]] = [[], []];
      for (const who of people.keys())
        for (const place of [0, 1, 2]) {
          said.push(`${who} ${place} ${model.rights(who, place)}`);
          found.push(`${who} ${place} ${await library.rights(who, place)}`);
        }
      expect(found).toEqual(said);
    }),
    { numRuns: 60 },
  );
}, 120_000);
