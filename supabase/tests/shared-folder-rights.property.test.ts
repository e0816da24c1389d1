import {
  createThrowawayDatabase,
  type ThrowawayDatabase,
} from '@linkoteca/test-kit/create-throwaway-database';
import { createUser, setPlan, type TestUser } from '@linkoteca/test-kit/create-user';
import { queryAs, type TestCaller } from '@linkoteca/test-kit/query-as';
import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCategory } from './support/create-library.ts';
import { readOutcome } from './support/read-outcome.ts';
import { createGroup } from './support/share-folder.ts';

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
  | { readonly kind: 'enter group'; readonly by: number; readonly person: number }
  | { readonly kind: 'leave group'; readonly by: number; readonly person: number }
  | {
      readonly kind: 'share with group';
      readonly by: number;
      readonly folder: number;
      readonly role: Role | null;
    }
  | { readonly kind: 'delete group'; readonly by: number; readonly isUndone: boolean }
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
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('enter group' as const), by, person }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('leave group' as const), by, person }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('share with group' as const),
      by,
      folder,
      role: fc.constantFrom(...ROLES, null),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('delete group' as const), by, isUndone: fc.boolean() }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('plan' as const), plan: fc.constantFrom('free', 'pro') }),
  },
);

/** Of a folder: the role of each invited person, and of the group with whoever of it has not left the folder. */
class Places {
  readonly roles = new Map<number, Role>();
  groupRole: Role | null = null;
  readonly grouped = new Set<number>();

  highest(who: number): Role | undefined {
    const roles = [this.roles.get(who), this.grouped.has(who) ? this.groupRole : null];
    return ROLES.findLast((role) => roles.includes(role));
  }
}

const isMore = (role: Role, had: Role | null | undefined) => !had || ROLES.indexOf(role) > ROLES.indexOf(had);

/** What the rules say, without a database. */
class Model {
  readonly places = [new Places(), new Places()] as const;
  readonly group = new Set<number>();
  readonly categories = [
    { folder: 0, held: false },
    { folder: 0, held: false },
    { folder: 1, held: false },
  ];
  isPaid = true;

  private manages(who: number, folder: number): boolean {
    return who === OWNER || (this.isPaid && this.places[folder]?.highest(who) === 'manager');
  }

  act(act: Act): void {
    if (act.kind === 'plan') this.isPaid = act.plan === 'pro';
    else if (act.kind === 'hold back' || act.kind === 'move') {
      const place = this.categories[act.category];
      if (place === undefined || act.by !== OWNER) return;
      if (act.kind === 'hold back') place.held = act.held;
      else place.folder = act.folder;
    } else if (act.kind === 'invite' || act.kind === 'change role' || act.kind === 'remove')
      this.actOnPerson(act);
    else if (act.by === OWNER) this.actOnGroup(act);
  }

  private actOnPerson(act: Extract<Act, { kind: 'invite' | 'change role' | 'remove' }>): void {
    const places = this.places[act.folder];
    const had = places?.roles.get(act.person);
    if (act.kind === 'remove') {
      if (!this.manages(act.by, act.folder) && act.by !== act.person) return;
      places?.roles.delete(act.person);
      places?.grouped.delete(act.person);
      return;
    }
    if (!this.manages(act.by, act.folder) || (act.kind === 'invite') !== (had === undefined)) return;
    if (this.isPaid || !isMore(act.role, had)) places?.roles.set(act.person, act.role);
  }

  private actOnGroup(
    act: Exclude<Act, { kind: 'plan' | 'hold back' | 'move' | 'invite' | 'change role' | 'remove' }>,
  ) {
    const shared = this.places.filter(({ groupRole }) => groupRole);
    if (act.kind === 'enter group') {
      if (this.group.has(act.person) || (!this.isPaid && shared.length > 0)) return;
      this.group.add(act.person);
      for (const { grouped } of shared) grouped.add(act.person);
    } else if (act.kind === 'leave group') {
      this.group.delete(act.person);
      for (const { grouped } of shared) grouped.delete(act.person);
    } else if (act.kind === 'delete group') {
      if (act.isUndone && (this.isPaid || shared.length === 0)) return;
      this.group.clear();
      for (const place of shared) place.groupRole = null;
      for (const { grouped } of this.places) grouped.clear();
    } else {
      const place = this.places[act.folder];
      if (place === undefined) return;
      if (act.role === null) place.grouped.clear();
      else if (!this.isPaid && isMore(act.role, place.groupRole)) return;
      else if (place.groupRole === null) for (const who of this.group) place.grouped.add(who);
      place.groupRole = act.role;
    }
  }

  /** What a person may do with a category. */
  rights(who: number, category: number): 'nothing' | 'read' | 'write' {
    const { folder, held } = this.categories[category] ?? { folder: 0, held: true };
    const role = this.places[folder]?.highest(who);
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
  const group = await createGroup(database, owner, 'Turma', []);
  const caller = (who: number): TestCaller => people[who] ?? owner;
  const email = (who: number) => people[who]?.email;
  return {
    /** Gives the first folder to somebody who may write in it. */
    async handOver(who: number) {
      const taker = people[who];
      if (taker === undefined) throw new Error('nobody to hand over to');
      await setPlan(database.admin, taker.id, 'pro');
      try {
        await queryAs(database, owner, 'select offer_folder($1, $2)', [folders[0], taker.email]);
        await queryAs(database, taker, 'select take_folder($1)', [folders[0]]);
        return await Promise.all(
          [...people, owner].map((each) =>
            Promise.all(categories.map((id) => this.rightsOfCaller(each, id))),
          ),
        );
      } finally {
        await setPlan(database.admin, taker.id, 'free');
      }
    },
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
      else if (act.kind === 'enter group')
        await run('select save_group($1, $2, $3)', group, 'Turma', [email(act.person)]);
      else if (act.kind === 'leave group')
        await run('select save_group($1, $2, $3, $4)', group, 'Turma', [], [email(act.person)]);
      else if (act.kind === 'share with group')
        await (act.role === null
          ? run('select end_group_share($1, $2)', folders[act.folder], group)
          : run('select share_folder_with_group($1, $2, $3)', folders[act.folder], group, act.role));
      else if (act.kind === 'delete group') await deleteGroup(caller(act.by), group, act.isUndone);
      else
        await run(
          'delete from folder_members where folder_id = $1 and email = $2',
          folders[act.folder],
          email(act.person),
        );
    },
    async rights(who: number, category: number) {
      return await this.rightsOfCaller(caller(who), categories[category]);
    },
    async rightsOfCaller(caller: TestCaller, id: string | undefined) {
      const seen = await readOutcome(database, caller, 'select from links where category_id = $1', [id]);
      const head = await readOutcome(database, caller, 'select from categories where id = $1', [id]);
      const changed = await readOutcome(
        database,
        caller,
        `update links set title = 'B' where category_id = $1`,
        [id],
      );
      const renamed = await readOutcome(database, caller, `update categories set name = 'B' where id = $1`, [
        id,
      ]);
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

/** Deletes the group, and has it back, or, where it is not or cannot be, has an empty one in its place. */
async function deleteGroup(by: TestCaller, group: string, isUndone: boolean): Promise<void> {
  try {
    const { rows } = await queryAs(database, by, 'select delete_group($1) as content', [group]);
    const [{ content } = { content: null }] = rows;
    const restored = isUndone
      ? await readOutcome(database, by, 'select restore_group($1, $2)', [group, content])
      : null;
    if (restored === null || 'code' in restored)
      await queryAs(database, by, 'select save_group($1, $2)', [group, 'Turma']);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== 'PT404') throw error;
  }
}

test('any sequence of invitations, roles, groups, removals, moves and holds ends with exactly the rights of the rules', async () => {
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
    { numRuns: 80 },
  );
}, 120_000);

test('after any such sequence a folder that changes hands leaves everybody else’s rights as they were', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(acts, { maxLength: 20 }), async (history) => {
      const model = new Model();
      const library = await openLibrary();
      for (const act of history) {
        model.act(act);
        await library.act(act);
      }
      const mayHave = (who: number) => ['editor', 'manager'].includes(model.places[0].highest(who) ?? '');
      if (![...people.keys()].some(mayHave))
        for (const act of [
          { kind: 'plan', plan: 'pro' },
          { kind: 'remove', by: OWNER, folder: 0, person: 0 },
          { kind: 'invite', by: OWNER, folder: 0, person: 0, role: 'editor' },
        ] as const) {
          model.act(act);
          await library.act(act);
        }
      const taker = [...people.keys()].find(mayHave) ?? 0;
      const found = await library.handOver(taker);
      // The new owner's plan shares, whatever the old one's did.
      const isPaid = model.isPaid;
      const expected = [...people.keys(), OWNER].map((who) =>
        [0, 1, 2].map((place) => {
          const { folder, held } = model.categories[place] ?? { folder: 1, held: true };
          if (folder === 0) {
            if (who === taker) return 'write';
            if (who === OWNER) return held ? 'nothing' : 'write';
          } else if (who === OWNER) return 'write';
          model.isPaid = isPaid || folder === 0;
          return model.rights(who, place);
        }),
      );
      expect(found).toEqual(expected);
    }),
    { numRuns: 40 },
  );
}, 120_000);
