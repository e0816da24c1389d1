import type { Caller } from '../../../kernel/caller-context.ts';
import type { ChangedValues } from '../authorization/listen-to-policy-sources.ts';
import type { Channel } from './channel.ts';

/**
 * Asks policies again about those who see who else is in a private channel, when a row that policies read and that names them has changed.
 * Presence is told for as long as one stays, so whoever was removed would go on seeing the others, and be seen; what is broadcast in private
 * says nothing of itself here, and rights to it hold until the next token.
 */
export type PolicyWatch = {
  /** A private channel whose policies are about to be asked: what changes from now on is not missed. */
  begin(channel: Channel): void;
  /** Its join has been answered. */
  joined(channel: Channel): void;
  /** It is closed. */
  end(channel: Channel): void;
  /** Rows have changed. */
  changed(values: ChangedValues): void;
};

/** @param askAgain asks the policies of one channel, and ends it if it may not see the others any more; must not reject. */
export function createPolicyWatch(askAgain: (channel: Channel) => Promise<void>): PolicyWatch {
  const joining = new Set<Channel>();
  const joined = new Set<Channel>();
  const outdated = new Set<Channel>();
  let isAsking = false;

  /** One at a time, however many there are: others want the database, too. Who still joins is asked about when that is done. */
  async function askInTurn(): Promise<void> {
    if (isAsking) return;
    isAsking = true;
    for (const channel of outdated) {
      if (joining.has(channel)) continue;
      outdated.delete(channel);
      await askAgain(channel);
    }
    isAsking = false;
  }

  return {
    begin: (channel) => void joining.add(channel),
    joined(channel) {
      joining.delete(channel);
      joined.add(channel);
      if (!outdated.delete(channel)) return;
      // To the end: a loop that is under way may have passed over it.
      outdated.add(channel);
      void askInTurn();
    },
    end(channel) {
      for (const set of [joining, joined, outdated]) set.delete(channel);
    },
    changed(values) {
      for (const set of [joining, joined])
        for (const channel of set)
          if (channel.reads.presence && isNamed(channel.token.caller, values)) outdated.add(channel);
      void askInTurn();
    },
  };
}

/** By their id or their address. */
function isNamed({ claims }: Caller, values: ChangedValues): boolean {
  if (values === null) return true;
  return [claims['sub'], claims['email']].some((name) => typeof name === 'string' && values.has(name));
}
