import type { Caller } from '../../../../kernel/caller-context.ts';

/** Somebody who listens: one object for all who hold the same claims, so that one check serves them all. */
export type Viewer = {
  readonly caller: Caller;
  /** What policies compare with (`auth.uid()`, `lower(auth.email())`); undefined where only the database can say. */
  readonly id: string | null | undefined;
  readonly email: string | null | undefined;
};

export type Viewers = {
  /** Every `acquire` needs its `release`. */
  acquire(caller: Caller): Viewer;
  release(viewer: Viewer): void;
};

type Held = { readonly viewer: Viewer; readonly key: string; holders: number };

export function createViewers(): Viewers {
  const byKey = new Map<string, Held>();
  const byViewer = new WeakMap<Viewer, Held>();
  /** Claims are one frozen object a token: serialise them once. */
  const keys = new WeakMap<object, string>();

  function keyOf({ role, claims }: Caller): string {
    const key = keys.get(claims) ?? `${role} ${JSON.stringify(claims)}`;
    keys.set(claims, key);
    return key;
  }
  return {
    acquire(caller) {
      const key = keyOf(caller);
      const held = byKey.get(key) ?? { viewer: toViewer(caller), key, holders: 0 };
      held.holders += 1;
      byKey.set(key, held);
      byViewer.set(held.viewer, held);
      return held.viewer;
    },
    release(viewer) {
      const held = byViewer.get(viewer);
      if (held === undefined) return;
      held.holders -= 1;
      if (held.holders === 0) byKey.delete(held.key);
    },
  };
}

function toViewer(caller: Caller): Viewer {
  return { caller, id: readId(caller.claims['sub']), email: readEmail(caller.claims['email']) };
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Beyond these characters lower case depends on the database's locale. */
const ASCII = /^[\x20-\x7e]*$/;

function readId(sub: unknown): string | null | undefined {
  if (sub === undefined || sub === null) return null;
  return typeof sub === 'string' && UUID.test(sub) ? sub.toLowerCase() : undefined;
}

function readEmail(email: unknown): string | null | undefined {
  if (email === undefined || email === null) return null;
  return typeof email === 'string' && email !== '' && ASCII.test(email) ? email.toLowerCase() : undefined;
}
