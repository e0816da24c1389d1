export type KeptValues = Pick<Storage, 'getItem' | 'removeItem'>;

const nothing = () => null;
const NOTHING: KeptValues = { getItem: nothing, removeItem: nothing };

/** What this browser keeps for the page: nothing where it refuses, as with the data of sites blocked, or has no storage. */
export function openStorage(): KeptValues {
  try {
    return window.localStorage ?? NOTHING;
  } catch {
    return NOTHING;
  }
}
