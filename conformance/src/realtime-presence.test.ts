import type { RealtimeChannel } from '@supabase/supabase-js';
import { afterEach, describe, expect, inject, test } from 'vitest';
import { joinChannel } from './support/join-channel.ts';
import { createListener, type Listener, PUBLISHED_CLIENTS } from './support/realtime-clients.ts';
import { SOON } from './support/receive-changes.ts';

const deployment = inject('deployment');
const [today, may2025] = PUBLISHED_CLIENTS;

type Happening = {
  readonly event: 'join' | 'leave';
  readonly key: string;
  readonly present: readonly Record<string, unknown>[];
};

type Watched = { readonly channel: RealtimeChannel; readonly happenings: Happening[]; syncs: number };

const open: Listener[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((listener) => listener.close()));
});

async function openListener(published = today): Promise<Listener> {
  const listener = await createListener(deployment, published);
  open.push(listener);
  return listener;
}

/** Joins a channel of a client of its own, hearing who comes and goes. */
async function watch(topic: string, published = today, key = ''): Promise<Watched> {
  const { client } = await openListener(published);
  const channel = client.channel(topic, { config: { presence: { key } } });
  const watched: Watched = { channel, happenings: [], syncs: 0 };
  channel
    .on('presence', { event: 'sync' }, () => {
      watched.syncs += 1;
    })
    .on('presence', { event: 'join' }, ({ key: who, newPresences }) => {
      watched.happenings.push({ event: 'join', key: who, present: newPresences });
    })
    .on('presence', { event: 'leave' }, ({ key: who, leftPresences }) => {
      watched.happenings.push({ event: 'leave', key: who, present: leftPresences });
    });
  await joinChannel(channel);
  return watched;
}

const stateOf = ({ channel }: Watched) =>
  Object.fromEntries(
    Object.entries(channel.presenceState<Record<string, unknown>>()).map(([key, present]) => [
      key,
      present.map(({ presence_ref: _, ...payload }) => payload),
    ]),
  );

describe.each([
  [today, may2025],
  [may2025, today],
])('presence between $version and the other client', (one, other) => {
  test('shows who comes, changes and goes to everybody in the channel, and to nobody else', async () => {
    const topic = `presença ${one.version}`;
    const ana = await watch(topic, one, 'ana');
    const bia = await watch(topic, other, 'bia');
    const elsewhere = await watch(`${topic} ao lado`, other);
    await expect.poll(() => bia.syncs, SOON).toBeGreaterThan(0);
    expect(stateOf(bia)).toEqual({});

    expect(await ana.channel.track({ estado: 'lendo', lista: ['ç'] })).toBe('ok');
    expect(await bia.channel.track({ estado: 'aqui' })).toBe('ok');
    const both = { ana: [{ estado: 'lendo', lista: ['ç'] }], bia: [{ estado: 'aqui' }] };
    await expect.poll(() => stateOf(ana), SOON).toEqual(both);
    await expect.poll(() => stateOf(bia), SOON).toEqual(both);

    expect(await ana.channel.track({ estado: 'escrevendo' })).toBe('ok');
    await expect.poll(() => stateOf(bia), SOON).toEqual({ ...both, ana: [{ estado: 'escrevendo' }] });
    await expect.poll(() => stateOf(ana), SOON).toEqual({ ...both, ana: [{ estado: 'escrevendo' }] });

    expect(await ana.channel.untrack()).toBe('ok');
    await expect.poll(() => stateOf(bia), SOON).toEqual({ bia: both.bia });
    await expect.poll(() => stateOf(ana), SOON).toEqual({ bia: both.bia });
    expect(bia.happenings.filter(({ key }) => key === 'ana')).toMatchObject([
      { event: 'join', present: [{ estado: 'lendo' }] },
      { event: 'join', present: [{ estado: 'escrevendo' }] },
      { event: 'leave', present: [{ estado: 'lendo' }] },
      { event: 'leave', present: [{ estado: 'escrevendo' }] },
    ]);
    expect(elsewhere.happenings).toEqual([]);
    expect(stateOf(elsewhere)).toEqual({});
  });

  test('ends with the channel, and with the connection', async () => {
    const topic = `saída ${one.version}`;
    const watcher = await watch(topic, other, 'quem vê');
    const leaver = await watch(topic, one, 'quem sai');
    const loser = await watch(topic, one, 'quem cai');
    await leaver.channel.track({ n: 1 });
    await loser.channel.track({ n: 2 });
    await expect.poll(() => Object.keys(stateOf(watcher)).sort(), SOON).toEqual(['quem cai', 'quem sai']);
    await leaver.channel.unsubscribe();
    await expect.poll(() => Object.keys(stateOf(watcher)), SOON).toEqual(['quem cai']);
    loser.channel.socket.disconnect();
    await expect.poll(() => stateOf(watcher), SOON).toEqual({});
  });
});

describe('presence', () => {
  test('tells a latecomer who is there already', async () => {
    const ana = await watch('tarde', today, 'ana');
    await ana.channel.track({ n: 1 });
    for (const published of PUBLISHED_CLIENTS) {
      const late = await watch('tarde', published);
      await expect.poll(() => stateOf(late), SOON).toEqual({ ana: [{ n: 1 }] });
    }
  });

  test('keeps two devices of one person apart until the last one leaves', async () => {
    const watcher = await watch('aparelhos');
    const [phone, laptop] = [
      await watch('aparelhos', today, 'ana'),
      await watch('aparelhos', may2025, 'ana'),
    ];
    await phone.channel.track({ aparelho: 'telefone' });
    await laptop.channel.track({ aparelho: 'computador' });
    await expect.poll(() => stateOf(watcher)['ana']?.length, SOON).toBe(2);
    expect(stateOf(watcher)['ana']).toEqual(
      expect.arrayContaining([{ aparelho: 'telefone' }, { aparelho: 'computador' }]),
    );
    await phone.channel.untrack();
    await expect.poll(() => stateOf(watcher), SOON).toEqual({ ana: [{ aparelho: 'computador' }] });
  });

  test('gives those without a key one of their own', async () => {
    const [ana, bia] = [await watch('sem chave'), await watch('sem chave')];
    await ana.channel.track({ n: 1 });
    await bia.channel.track({ n: 2 });
    await expect.poll(() => Object.keys(stateOf(ana)).length, SOON).toBe(2);
    for (const key of Object.keys(stateOf(ana))) expect(key).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('does not trouble those who do not ask for it, until they show themselves', async () => {
    const watcher = await watch('sem ver', today, 'ana');
    const { client } = await openListener();
    const channel = client.channel('sem ver', { config: { presence: { key: 'bia' } } });
    await joinChannel(channel);
    await watcher.channel.track({ n: 1 });
    await expect.poll(() => stateOf(watcher), SOON).toEqual({ ana: [{ n: 1 }] });
    expect(channel.presenceState()).toEqual({});
    expect(await channel.track({ n: 2 })).toBe('ok');
    await expect.poll(() => Object.keys(stateOf(watcher)).sort(), SOON).toEqual(['ana', 'bia']);
    await expect.poll(() => Object.keys(channel.presenceState()).sort(), SOON).toEqual(['ana', 'bia']);
  });

  test('closes the channel of who calls without end', async () => {
    const watcher = await watch('sem fim');
    const { client } = await openListener();
    const channel = client.channel('sem fim', { config: { presence: { key: 'ana' } } });
    const { statuses, systems } = await joinChannel(channel);
    for (let n = 0; n < 5; n += 1) expect(await channel.track({ n })).toBe('ok');
    void channel.track({ n: 5 });
    await expect.poll(() => statuses.at(-1), SOON).toBe('CLOSED');
    expect(systems.at(-1)).toMatchObject({ status: 'error', message: expect.stringMatching(/limit/) });
    await expect.poll(() => stateOf(watcher), SOON).toEqual({});
  });
});
