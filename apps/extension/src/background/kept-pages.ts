import { type AddressHash, hashAddress } from '@linkoteca/domain/address-hash';
import { normalizeUrl } from '@linkoteca/domain/urls';
import type { DatabaseClient } from '../session/database.ts';

/** Milliseconds in which questions are gathered into one: a browser that starts opens many tabs at once. */
const GATHER_MS = 150;
/** Milliseconds for which an answer holds. */
const HOLDS_MS = 600_000;
/** Buckets of one question; the database takes no more. */
const MOST_BUCKETS = 100;

/** Tells of addresses whether the library has them. */
export interface KeptPages {
  /** False also where nobody can say. */
  has(url: string): Promise<boolean>;
  /** Forgets the answers: something was saved, or somebody else is here. */
  forget(): void;
}

type Ask = Pick<DatabaseClient, 'rpc'>;
type Bucket = { readonly asked: number; readonly hashes: Promise<ReadonlySet<string>> };

/**
 * Asks the library which pages it has: by buckets of hashes (`kept_addresses`), so that it is never told which page is meant, and by many
 * at a time.
 * @param open gives who is asked; null where nobody is signed in.
 */
export function createKeptPages(open: () => Promise<Ask | null>, now: () => number = Date.now): KeptPages {
  const buckets = new Map<number, Bucket>();
  let gathering: { readonly wanted: Set<number>; readonly answer: Promise<readonly string[]> } | undefined;

  const gather = (bucket: number): Promise<readonly string[]> => {
    if (gathering === undefined || gathering.wanted.size >= MOST_BUCKETS) {
      const wanted = new Set<number>();
      const answer = new Promise((resolve) => setTimeout(resolve, GATHER_MS)).then(() => {
        if (gathering?.wanted === wanted) gathering = undefined;
        return ask([...wanted]);
      });
      gathering = { wanted, answer };
    }
    gathering.wanted.add(bucket);
    return gathering.answer;
  };
  const ask = async (wanted: readonly number[]): Promise<readonly string[]> => {
    const database = await open();
    if (database === null) return [];
    const { data } = await database.rpc('kept_addresses', { buckets: [...wanted] });
    if (data !== null) return data;
    // Asked again the next time.
    for (const bucket of wanted) buckets.delete(bucket);
    return [];
  };
  const look = ({ bucket }: AddressHash): Promise<ReadonlySet<string>> => {
    const known = buckets.get(bucket);
    if (known !== undefined && now() - known.asked < HOLDS_MS) return known.hashes;
    const hashes = gather(bucket).then((found) => new Set(found));
    buckets.set(bucket, { asked: now(), hashes });
    return hashes;
  };
  return {
    has: async (url) => {
      const address = normalizeUrl(url);
      if (address === null) return false;
      const hashed = hashAddress(address);
      return (await look(hashed)).has(hashed.hash);
    },
    forget: () => buckets.clear(),
  };
}
