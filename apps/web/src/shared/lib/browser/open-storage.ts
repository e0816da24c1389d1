export type KeptValues = Pick<Storage, 'getItem' | 'removeItem'>;

const nothing = () => null;
const NOTHING: KeptValues = { getItem: nothing, removeItem: nothing };

/** What this browser keeps for the page: nothing where it refuses, as with the data of sites blocked, has no storage or cannot read it. */
export function openStorage(): KeptValues {
  try {
    const storage = window.localStorage ?? NOTHING;
    // Firefox opens a damaged one and throws at each read.
    storage.getItem('');
    return storage;
  } catch {
    return NOTHING;
  }
}
