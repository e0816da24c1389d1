import type { Publication, PublishedTable } from './published-table.ts';

/** Holds what is published and who may read it. */
export type PublicationSource = {
  /** What was read last, if that is recent enough to decide by. */
  fresh(): Publication | undefined;
  /** What is published, read now unless that is known. @throws what the database threw. */
  current(): Promise<Publication>;
  /** What has been read so far, or is being read, no longer counts. */
  expire(): void;
  /** Whether nothing has been read since. */
  isExpired(): boolean;
};

/**
 * Rights and policies may be this old when a change is decided by them. Reading them takes a few milliseconds and is done
 * while changes flow only, so an idle server asks nothing.
 */
const MAX_AGE_MS = 250;
/** Where reading takes long (hundreds of tables), it may take up this part of the time and no more. */
const MAX_SHARE = 1 / 20;

/** @param read resolves to JSON: a list of PublishedTable. */
export function createPublicationSource(read: () => Promise<string>, now: () => Date): PublicationSource {
  let known: Publication | undefined;
  let text = '';
  let asOf = Number.NEGATIVE_INFINITY;
  let maxAge = MAX_AGE_MS;
  let isExpired = true;
  let reading: Promise<Publication> | undefined;

  async function start(): Promise<Publication> {
    const startedAt = now().getTime();
    isExpired = false;
    const answer = await read();
    if (known === undefined || answer !== text) known = toPublication(JSON.parse(answer));
    text = answer;
    asOf = isExpired ? Number.NEGATIVE_INFINITY : startedAt;
    maxAge = Math.max(MAX_AGE_MS, (now().getTime() - startedAt) / MAX_SHARE);
    return known;
  }

  // An age below zero is a clock that was set back.
  const fresh = () => {
    const age = now().getTime() - asOf;
    return age >= 0 && age <= maxAge ? known : undefined;
  };

  async function current(): Promise<Publication> {
    const publication = fresh();
    if (publication) return publication;
    if (reading === undefined) {
      reading = start().finally(() => {
        reading = undefined;
      });
    } else if (isExpired) {
      // The reading under way began too early.
      await reading.catch(() => undefined);
      return current();
    }
    return reading;
  }

  return {
    fresh,
    current,
    expire() {
      asOf = Number.NEGATIVE_INFINITY;
      isExpired = true;
    },
    isExpired: () => isExpired,
  };
}

function toPublication(tables: readonly PublishedTable[]): Publication {
  return { tables, byOid: new Map(tables.map((table) => [table.oid, table])) };
}
