import fc from 'fast-check';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { call } from '../test-support/call-service.ts';
import { createPerson, signIn, type Tokens } from '../test-support/sign-people-in.ts';
import { startAuthService, type TestService } from '../test-support/start-auth-service.ts';

const REUSE_SECONDS = 10;

let service: TestService;
beforeAll(async () => {
  service = await startAuthService({
    settings: {
      refreshReuseInterval: REUSE_SECONDS,
      requestsPerAddress: { points: 0, seconds: 0 },
      refreshesPerAddress: { points: 0, seconds: 0 },
      // Longer than any history here: what is refused is refused for another reason.
      accessTokenLifetime: 604_800,
    },
  });
  service.clock.hold();
});
afterAll(() => service.stop());

/** A refresh token as the rules see it; `seconds` is when it was exchanged. */
type Token = {
  readonly text: string;
  readonly parent: string | undefined;
  readonly exchanged: number | undefined;
};
/** All tokens of a session, oldest first. */
type Family = { readonly tokens: readonly Token[]; readonly isEnded: boolean };
type Outcome = 'refused' | { readonly answered: string; readonly accessToken?: string };

/** What the protocol note's section 1.5 says of one exchange. `fresh` is the token that is made if one is. */
function exchange(family: Family, presented: string, fresh: string, seconds: number): [Family, Outcome] {
  const token = family.tokens.find(({ text }) => text === presented);
  if (!token || family.isEnded) return [family, 'refused'];
  const active = family.tokens.findLast(({ exchanged }) => exchanged === undefined);
  if (token.exchanged !== undefined) {
    if (active?.parent === presented) return [family, { answered: active.text }];
    if (!active || seconds - token.exchanged > REUSE_SECONDS) return [end(family), 'refused'];
  }
  const rest = family.tokens.map((one) =>
    one.text === presented && one.exchanged === undefined ? { ...one, exchanged: seconds } : one,
  );
  const made = { text: fresh, parent: presented, exchanged: undefined };
  return [{ ...family, tokens: [...rest, made] }, { answered: fresh }];
}

function end({ tokens }: Family): Family {
  return { isEnded: true, tokens };
}

/** Every order in which requests can have been answered. */
function listOrders(places: readonly number[]): number[][] {
  if (places.length === 0) return [[]];
  return places.flatMap((first) =>
    listOrders(places.filter((place) => place !== first)).map((rest) => [first, ...rest]),
  );
}

/** Tokens that are new are called by their first place: what they are is chance. */
function rename(outcomes: readonly Outcome[], known: ReadonlySet<string>): readonly string[] {
  const names = new Map<string, string>();
  return outcomes.map((outcome) => {
    if (outcome === 'refused' || known.has(outcome.answered))
      return outcome === 'refused' ? outcome : outcome.answered;
    const name = names.get(outcome.answered) ?? `new ${names.size}`;
    names.set(outcome.answered, name);
    return name;
  });
}

/** What may be answered to requests at the same moment, each as if they had come one after the other. */
function listPossible(family: Family, presented: readonly string[], seconds: number): (readonly string[])[] {
  const known = new Set(family.tokens.map(({ text }) => text));
  return listOrders(presented.map((_, place) => place)).map((order) => {
    const outcomes: Outcome[] = [];
    let now = family;
    for (const place of order) {
      const [next, outcome] = exchange(now, presented[place] ?? '', `fresh ${place}`, seconds);
      now = next;
      outcomes[place] = outcome;
    }
    return rename(outcomes, known);
  });
}

async function readFamily(sessionId: string): Promise<Family> {
  const { rows } = await service.admin.query<{
    token: string;
    parent: string | null;
    revoked: boolean;
    updated_at: Date;
  }>('select token, parent, revoked, updated_at from auth.refresh_tokens where session_id = $1 order by id', [
    sessionId,
  ]);
  const { rows: sessions } = await service.admin.query<{ not_after: Date | null }>(
    'select not_after from auth.sessions where id = $1',
    [sessionId],
  );
  return {
    isEnded: sessions[0] === undefined || sessions[0].not_after !== null,
    tokens: rows.map(({ token, parent, revoked, updated_at: at }) => ({
      text: token,
      parent: parent ?? undefined,
      exchanged: revoked ? at.getTime() / 1000 : undefined,
    })),
  };
}

async function refresh(token: string): Promise<Outcome> {
  const reply = await call(service, 'POST /token?grant_type=refresh_token', {
    body: { refresh_token: token },
  });
  if (reply.status === 200) {
    const { refresh_token: answered, access_token: accessToken } = reply.body as Tokens;
    return { answered, accessToken };
  }
  expect(reply).toMatchObject({
    status: 400,
    body: { code: expect.stringMatching(/^refresh_token_(already_used|not_found)$/) },
  });
  return 'refused';
}

type Act =
  /** At the same moment, each with a token of those that were given out so far: its place, from the newest back. */
  | { readonly kind: 'refresh'; readonly places: readonly number[] }
  | { readonly kind: 'wait'; readonly seconds: number }
  | { readonly kind: 'sign out' };

const ACT: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('refresh' as const),
      places: fc.array(fc.nat(4), { minLength: 1, maxLength: 3 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), seconds: fc.constantFrom(1, 9, 11, 3600) }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'sign out' as const }) },
);

it('whatever tokens come in whatever order and however many at once, one family lives or none, and none comes back', async () => {
  let ended = 0;
  let raced = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(ACT, { minLength: 3, maxLength: 12 }), async (acts) => {
      const { email } = await createPerson(service);
      const first = await signIn(service, email);
      const sessionId = String(decodeJwt(first.access_token)['session_id']);
      const given = [first.refresh_token];
      let isOver = false;
      for (const act of acts) {
        if (act.kind === 'wait') {
          service.clock.advance(act.seconds);
          continue;
        }
        if (act.kind === 'sign out') {
          const { status } = await call(service, 'POST /logout?scope=local', { token: first.access_token });
          expect(status).toBe(isOver ? 403 : 204);
          isOver = true;
          continue;
        }
        const presented = act.places.map((place) => given.at(-1 - (place % given.length)) ?? '');
        const before = await readFamily(sessionId);
        const possible = listPossible(before, presented, service.clock.now().getTime() / 1000);
        const outcomes = await Promise.all(presented.map(refresh));
        const known = new Set(before.tokens.map(({ text }) => text));
        expect(possible).toContainEqual(rename(outcomes, known));
        if (presented.length > 1) raced += 1;
        const answered = outcomes.flatMap((outcome) => (outcome === 'refused' ? [] : [outcome.answered]));
        if (isOver) expect(answered).toEqual([]);
        given.push(...answered.filter((token) => !given.includes(token)));

        const after = await readFamily(sessionId);
        isOver ||= after.isEnded;
        const isAlive = after.tokens.some(({ exchanged }) => exchanged === undefined);
        expect(isAlive).toBe(!isOver);
        for (const outcome of outcomes) {
          if (outcome === 'refused') continue;
          const { status } = await call(service, 'GET /user', { token: outcome.accessToken ?? '' });
          expect(status).toBe(isOver ? 403 : 200);
        }
      }
      // Nothing else was opened on the way.
      const { rows } = await service.admin.query('select id from auth.sessions where user_id = $1', [
        first.user.id,
      ]);
      expect(rows.every(({ id }) => id === sessionId)).toBe(true);
      if (isOver) {
        ended += 1;
        for (const token of given) expect(await refresh(token)).toBe('refused');
      }
    }),
    { numRuns: 40 },
  );
  // Of what the property is about, enough has happened.
  expect(ended).toBeGreaterThan(5);
  expect(raced).toBeGreaterThan(30);
}, 60_000);
