import { LRUCache } from 'lru-cache';

/** Whoever asked has too much under way already: the same request may succeed when that has ended. */
export class ShareExhausted extends Error {
  override readonly name = 'ShareExhausted';
}

/** Gives a place back. */
export type Release = () => void;

export type FairShare = {
  /**
   * A place, at once where one is free for this caller, else when its turn comes.
   * @param caller whose place it is; undefined for the server's own work, which no share bounds and which goes first.
   * @param isCostly whether the work is known to be long before it begins.
   * @throws ShareExhausted when the caller's own work, or the costly work of all, held what it asked for all the time; an Error as
   *   the driver's when nothing became free at all.
   */
  take(caller: string | undefined, isCostly: boolean): Release | Promise<Release>;
  /** How many wait. */
  waiting(): number;
  /** Milliseconds in which all places were taken and nobody who asked got one soon; 0 while somebody does. */
  exhaustedFor(): number;
  /** The same, as far as no place was given back either. */
  stuckFor(): number;
};

export type FairShareOptions = {
  /** As many as the pool has connections. */
  readonly places: number;
  /** How long somebody waits for a place; 0 for ever. */
  readonly patienceMs: number;
  /** Milliseconds that only go forward. */
  readonly now?: () => number;
};

/** What a caller has of the pool. */
type Account = {
  running: number;
  /** Sum of the moments at which what runs now has begun. */
  startedAt: number;
  /** Milliseconds of connections used, and the longest piece of work; half is forgotten every two seconds. */
  used: number;
  longest: number;
  endedAt: number;
  readonly waiting: Waiter[];
};

type Waiter = { readonly isCostly: boolean; begin(): void };

const HALF_LIFE_MS = 2_000;
/** Whoever had work longer than this of late is held like those whose work is known to be long. */
const LONG_MS = 150;
/** Work shorter than this keeps nobody waiting. */
const QUICK_MS = 30;
const KNOWN_CALLERS = 5_000;
/** Whoever waits no longer than this has been served. */
const SOON_MS = 1_000;

/**
 * Divides a pool's connections among callers, so that nobody's work, however long and from however many accounts, keeps others waiting for
 * their short one: a caller holds at most two thirds of the places, unless all their work of late was quick; long work of all callers together holds one sixth; and of
 * those who wait, the one who has used the least of late goes first (least attained service).
 */
export function createFairShare(options: FairShareOptions): FairShare {
  const { places, patienceMs, now = () => performance.now() } = options;
  const share = Math.max(1, Math.floor((places * 2) / 3));
  const costlyPlaces = Math.max(1, Math.floor(places / 6));
  const accounts = new LRUCache<string, Account>({ max: KNOWN_CALLERS });
  const system = openAccount();
  const waiting = new Set<Account>();
  let taken = 0;
  let costlyTaken = 0;
  let unservedSince: number | undefined;
  let lastGivenBackAt = Number.NEGATIVE_INFINITY;

  const find = (caller: string | undefined): Account => {
    if (caller === undefined) return system;
    let account = accounts.get(caller);
    if (account === undefined) {
      account = openAccount();
      accounts.set(caller, account);
    }
    return account;
  };

  const isHeld = (account: Account, isCostly: boolean, at: number): boolean =>
    account !== system && (isCostly || longestOfLate(account, at) > LONG_MS);

  const mayBegin = (account: Account, isCostly: boolean, at: number): boolean => {
    if (taken >= places) return false;
    if (account === system) return true;
    if (account.running >= share && !isQuick(account, at)) return false;
    return costlyTaken < costlyPlaces || !isHeld(account, isCostly, at);
  };

  const begin = (account: Account, isCostly: boolean, startedAt: number): Release => {
    const isLong = isHeld(account, isCostly, startedAt);
    taken += 1;
    if (isLong) costlyTaken += 1;
    account.running += 1;
    account.startedAt += startedAt;
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      taken -= 1;
      if (isLong) costlyTaken -= 1;
      const endedAt = now();
      const kept = keptOf(account, endedAt);
      account.used = account.used * kept + (endedAt - startedAt);
      account.longest = Math.max(account.longest * kept, endedAt - startedAt);
      account.endedAt = endedAt;
      account.running -= 1;
      account.startedAt -= startedAt;
      admitWaiting(endedAt);
      lastGivenBackAt = endedAt;
      if (taken < places) unservedSince = undefined;
    };
  };

  const admitWaiting = (at: number): void => {
    for (let next = chooseNext(at); next !== undefined; next = chooseNext(at)) {
      const waiter = next.waiting.shift();
      if (next.waiting.length === 0) waiting.delete(next);
      waiter?.begin();
    }
  };

  const chooseNext = (at: number): Account | undefined => {
    let best: Account | undefined;
    let bestUse = Number.POSITIVE_INFINITY;
    for (const account of waiting) {
      const use = account === system ? -1 : usedOfLate(account, at);
      const [first] = account.waiting;
      if (use >= bestUse || first === undefined || !mayBegin(account, first.isCostly, at)) continue;
      best = account;
      bestUse = use;
    }
    return best;
  };

  return {
    waiting: () => [...waiting].reduce((total, account) => total + account.waiting.length, 0),
    exhaustedFor: () => (unservedSince === undefined ? 0 : now() - unservedSince),
    stuckFor: () => (unservedSince === undefined ? 0 : now() - Math.max(unservedSince, lastGivenBackAt)),
    take(caller, isCostly) {
      const account = find(caller);
      const at = now();
      // Nobody overtakes those of its own who wait already.
      if (account.waiting.length === 0 && mayBegin(account, isCostly, at))
        return begin(account, isCostly, at);
      if (taken >= places) unservedSince ??= at;
      return new Promise((resolve, reject) => {
        const waiter: Waiter = {
          isCostly,
          begin: () => {
            clearTimeout(timer);
            const begunAt = now();
            if (begunAt - at <= SOON_MS) unservedSince = undefined;
            resolve(begin(account, isCostly, begunAt));
          },
        };
        const giveUp = () => {
          account.waiting.splice(account.waiting.indexOf(waiter), 1);
          if (account.waiting.length === 0) waiting.delete(account);
          reject(
            taken < places
              ? new ShareExhausted('the share of the connections is exhausted')
              : new Error('timeout exceeded when trying to connect'),
          );
        };
        const timer = patienceMs > 0 ? setTimeout(giveUp, patienceMs) : undefined;
        account.waiting.push(waiter);
        waiting.add(account);
      });
    },
  };
}

function openAccount(): Account {
  return { running: 0, startedAt: 0, used: 0, longest: 0, endedAt: 0, waiting: [] };
}

/** The part of what was noted at the end of the last work that is not forgotten yet. */
function keptOf({ endedAt }: Account, at: number): number {
  return 2 ** ((endedAt - at) / HALF_LIFE_MS);
}

/** What runs counts as well: long work is long before it has ended. */
function usedOfLate(account: Account, at: number): number {
  return account.used * keptOf(account, at) + account.running * at - account.startedAt;
}

/** Has shown that its work is short: the places it holds are free again in no time, so it may hold all of them. */
function isQuick(account: Account, at: number): boolean {
  return account.endedAt > 0 && longestOfLate(account, at) < QUICK_MS;
}

function longestOfLate(account: Account, at: number): number {
  const age = account.running === 0 ? 0 : at - account.startedAt / account.running;
  return Math.max(age, account.longest * keptOf(account, at));
}
