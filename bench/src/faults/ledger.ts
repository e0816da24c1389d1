/** What is to become of one thing: its new state, or null when it is to be gone. */
export type Change = { readonly key: string; readonly state: string | null };

export type Answer = 'acknowledged' | 'refused' | 'unknown';

/** What was found after a fault: every thing with its state, as often as it is there. */
export type Found = ReadonlyMap<string, readonly string[]>;

export type Verdict = {
  /** Things that are not as it was acknowledged, or half of what was asked for at once. */
  readonly lost: readonly string[];
  /** Things that are there twice, or that nobody asked for. */
  readonly doubled: readonly string[];
};

/** What clients asked for and were told. */
export type Ledger = {
  /** Sends a request that makes all of these changes at once, or none, and notes how it was answered. */
  attempt(changes: readonly Change[], send: () => Promise<Answer>): Promise<Answer>;
  /** Acknowledged requests so far. */
  acknowledged(): number;
  judge(found: Found): Verdict;
};

/**
 * A request without an answer may have been carried out or not, also later: both are right for ever, so whoever writes leaves what
 * it was about alone from then on.
 */
export function createLedger(): Ledger {
  const acknowledgedStates = new Map<string, string | null>();
  const unanswered = new Map<string, readonly Change[]>();
  let acknowledged = 0;

  function isAsAcknowledged(key: string, states: readonly string[]): boolean {
    return (states[0] ?? null) === (acknowledgedStates.get(key) ?? null);
  }

  /** Of a request without an answer everything is there, or nothing. */
  function isWhole(changes: readonly Change[], found: Found): boolean {
    const isDone = ({ key, state }: Change) => (found.get(key)?.[0] ?? null) === state;
    return changes.every(isDone) || changes.every(({ key }) => isAsAcknowledged(key, found.get(key) ?? []));
  }

  return {
    async attempt(changes, send) {
      // What is sent once more and then refused may have been carried out the first time.
      const earlier = changes.map(({ key }) => [key, unanswered.get(key)] as const);
      for (const { key } of changes) unanswered.set(key, changes);
      const answer = await send();
      if (answer === 'unknown') return answer;
      for (const { key, state } of changes) {
        unanswered.delete(key);
        if (answer === 'acknowledged') acknowledgedStates.set(key, state);
      }
      if (answer === 'acknowledged') acknowledged += 1;
      else for (const [key, asked] of earlier) if (asked !== undefined) unanswered.set(key, asked);
      return answer;
    },
    acknowledged: () => acknowledged,
    judge(found) {
      const lost: string[] = [];
      for (const [key, state] of acknowledgedStates) {
        const states = found.get(key) ?? [];
        if (!unanswered.has(key) && !isAsAcknowledged(key, states))
          lost.push(`${key} is ${states[0] ?? 'gone'}, acknowledged was ${state ?? 'gone'}`);
      }
      for (const changes of new Set(unanswered.values()))
        if (!isWhole(changes, found)) lost.push(`half done: ${changes.map(({ key }) => key).join(', ')}`);
      const doubled = [...found]
        .filter(([key, states]) => states.length > 1 || !(acknowledgedStates.has(key) || unanswered.has(key)))
        .map(([key, states]) => `${key} is there ${states.length} times`);
      return { lost, doubled };
    },
  };
}
