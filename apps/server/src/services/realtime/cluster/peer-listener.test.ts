import { expect, it } from 'vitest';
import { HELLO, HERE, type PeerMessage, prefixOf } from './cluster-bus.ts';
import { createPeerListener } from './peer-listener.ts';
import { createPeerRegistry } from './peer-registry.ts';

const OWN = '00000000-0000-4000-8000-000000000001';
const OTHER = '00000000-0000-4000-8000-000000000002';
const NEWS: PeerMessage = { kind: 'test' };

function listen() {
  const told: string[] = [];
  const sent: PeerMessage[] = [];
  const listener = createPeerListener({
    copyId: OWN,
    registry: createPeerRegistry(OWN, () => new Date(0)),
    events: {
      message: () => told.push('message'),
      joined: () => told.push('joined'),
      left: () => told.push('left'),
    },
    send: (message) => sent.push(message),
    logger: { warn: () => undefined },
  });
  const receive = (number: number, ...messages: PeerMessage[]) =>
    listener.receive(prefixOf(OTHER), Buffer.from(JSON.stringify({ number, messages })));
  return { told, sent, receive };
}

it('a copy of which a batch was missed is told everything again, once: it may have asked in that', () => {
  const { told, receive } = listen();
  receive(1, HELLO);
  receive(2, NEWS);
  expect(told.splice(0)).toEqual(['joined', 'message']);
  receive(4, HERE);
  expect(told.splice(0)).toEqual(['joined']);
  receive(5, NEWS);
  expect(told.splice(0)).toEqual(['message']);
});

it('one that asks again behind the gap is told once', () => {
  const { told, sent, receive } = listen();
  receive(1, HELLO);
  receive(9, HELLO);
  expect(told).toEqual(['joined', 'joined']);
  expect(sent).toEqual([HERE, HERE]);
});

it('a copy heard for the first time in the middle of its numbers has missed nothing of ours', () => {
  const { told, sent, receive } = listen();
  receive(7, NEWS);
  expect(told).toEqual(['joined', 'message']);
  expect(sent).toEqual([HELLO]);
});
