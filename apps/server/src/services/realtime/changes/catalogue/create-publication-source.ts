import type { Publication, PublishedTable } from './publication.ts';

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

export type PublicationReaders = {
  /** Resolves to JSON: a list of PublishedTable. */
  read(): Promise<string>;
  /** Resolves to a text that changes with what `read` would give. */
  readVersion(): Promise<string>;
};

/**
 * Rights and policies may be this old when a change is decided by them. Looking whether they have changed takes a millisecond
 * and is done while changes flow only: an idle server asks nothing.
 */
const MAX_AGE_MS = 200;
/** Where looking takes long (the machine is overloaded), it may take up this part of the time. */
const MAX_SHARE = 1 / 10;
const LONGEST_AGE_MS = 1_000;

export function createPublicationSource(
  { read, readVersion }: PublicationReaders,
  now: () => Date,
): PublicationSource {
  let known: Publication | undefined;
  let version: string | undefined;
  let text = '';
  let asOf = Number.NEGATIVE_INFINITY;
  let maxAge = MAX_AGE_MS;
  let isExpired = true;
  let reading: Promise<Publication> | undefined;

  async function start(): Promise<Publication> {
    const startedAt = now().getTime();
    isExpired = false;
    const newest = await readVersion();
    const took = now().getTime() - startedAt;
    if (known === undefined || newest !== version) {
      const answer = await read();
      if (known === undefined || answer !== text) known = toPublication(JSON.parse(answer));
      text = answer;
      version = newest;
    }
    asOf = isExpired ? Number.NEGATIVE_INFINITY : startedAt;
    maxAge = Math.min(Math.max(MAX_AGE_MS, took / MAX_SHARE), LONGEST_AGE_MS);
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
