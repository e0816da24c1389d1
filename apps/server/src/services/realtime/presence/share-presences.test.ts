import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PeerMessage } from '../cluster/cluster-bus.ts';
import {
  createPresenceRegister,
  type PresenceDiff,
  type PresenceEntry,
  type PresenceRegister,
} from './create-presence-register.ts';
import { publishPresence, sharePresences } from './share-presences.ts';

const PLACE = { topic: 'sala', isPrivate: false };

function createCopy(copyId: string) {
  const sent: PeerMessage[] = [];
  const bus = { copyId, publish: (message: PeerMessage) => void sent.push(message) };
  const register = createPresenceRegister((diff) => publishPresence(bus, diff));
  const shared = sharePresences(bus, register);
  return { copyId, sent, register, shared };
}

const entryOf = (copyId: string, name: string): PresenceEntry => ({
  id: `${copyId}:${name}`,
  copyId,
  key: name,
  ref: `${copyId} ${name}`,
  metaJson: `{"phx_ref":"${copyId} ${name}"}`,
});

const keysOf = (register: PresenceRegister, place = PLACE) =>
  Object.keys(JSON.parse(register.renderState(place))).sort();

describe('a copy that may have missed something', () => {
  let here: ReturnType<typeof createCopy>;
  let there: ReturnType<typeof createCopy>;
  beforeEach(() => {
    here = createCopy('a');
    there = createCopy('b');
    for (const name of ['Ana', 'Bia', 'Caio']) here.register.put(PLACE, entryOf('a', name));
    there.register.put(PLACE, entryOf('b', 'Zeca'));
    here.shared.joined('b');
    pass();
  });
  afterEach(() => {
    here.register.stop();
    there.register.stop();
  });

  const pass = () => {
    for (const message of here.sent.splice(0)) there.shared.message('a', JSON.parse(JSON.stringify(message)));
  };

  it('learns all that the other holds, and keeps its own', () => {
    expect(keysOf(there.register)).toEqual(['Ana', 'Bia', 'Caio', 'Zeca']);
  });

  it('learns of a private place apart from the public one of the same name', () => {
    const secret = { ...PLACE, isPrivate: true };
    here.register.put(secret, entryOf('a', 'Duda'));
    here.shared.joined('b');
    pass();
    expect(keysOf(there.register, secret)).toEqual(['Duda']);
    expect(keysOf(there.register)).toEqual(['Ana', 'Bia', 'Caio', 'Zeca']);
  });

  it('lets go of whose leaving it has not heard, and of nobody else', () => {
    here.register.remove(PLACE, 'a:Bia');
    here.sent.length = 0;
    here.shared.joined('b');
    pass();
    expect(keysOf(there.register)).toEqual(['Ana', 'Caio', 'Zeca']);
  });

  it('is not confused by what happens while it is being told', () => {
    here.shared.joined('b');
    const [first, ...rest] = here.sent.splice(0);
    const diff = (part: Partial<PresenceDiff>) => ({
      kind: 'presence',
      ...PLACE,
      joins: [],
      leaves: [],
      ...part,
    });
    for (const message of [
      first as PeerMessage,
      diff({ leaves: [entryOf('a', 'Ana')] }),
      ...rest.map((message) => ({ ...message, joins: [] })),
    ])
      there.shared.message('a', message);
    expect(keysOf(there.register)).toEqual(['Zeca']);
  });

  it('forgets everybody of a copy that goes', () => {
    there.shared.left('a');
    expect(keysOf(there.register)).toEqual(['Zeca']);
  });
});
