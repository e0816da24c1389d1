import { LRUCache } from 'lru-cache';

/** A connection keeps every prepared statement until it closes: no more than this many per schema version. */
const MAX_NAMED = 400;
/** A shape is prepared when it comes back, so that requests made once (or made up) leave nothing behind. */
const USES_BEFORE_NAMED = 3;
const MAX_WATCHED = 2_000;

/** Gives the texts that keep coming a name, under which each connection prepares them once. */
export type NameStatement = (text: string, schemaVersion: number) => string | undefined;

export function createStatementNames(): NameStatement {
  const named = new Map<string, string>();
  const uses = new LRUCache<string, number>({ max: MAX_WATCHED });
  let version = 0;

  return (text, schemaVersion) => {
    // Planned before the last reload, as what is tried again after a deadlock: names of its version may be in use on connections.
    if (schemaVersion < version) return undefined;
    // A prepared statement keeps the parameter types of the schema it was made for.
    if (schemaVersion > version) {
      version = schemaVersion;
      named.clear();
      uses.clear();
    }
    const known = named.get(text);
    if (known !== undefined) return known;
    if (named.size >= MAX_NAMED) return undefined;
    const count = (uses.get(text) ?? 0) + 1;
    if (count < USES_BEFORE_NAMED) {
      uses.set(text, count);
      return undefined;
    }
    uses.delete(text);
    const name = `rest_${version}_${named.size}`;
    named.set(text, name);
    return name;
  };
}
