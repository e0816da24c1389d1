import type { RealtimeChannel } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { joinChannel } from './support/join-channel.ts';
import { createListener, type Listener, PUBLISHED_CLIENTS } from './support/realtime-clients.ts';
import { SOON } from './support/receive-changes.ts';

const deployment = inject('deployment');
const [today, may2025] = PUBLISHED_CLIENTS;

type Message = { type: string; event: string; payload: unknown; meta?: unknown };

/** Registers for broadcasts. @returns what is heard, oldest first. */
function hearBroadcasts(channel: RealtimeChannel, event = '*'): Message[] {
  const heard: Message[] = [];
  channel.on('broadcast', { event }, (message) => heard.push(message as unknown as Message));
  return heard;
}

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${deployment.url}/realtime/v1/api/broadcast${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

const PAYLOAD = { texto: 'Olá, 🌎 "aspas" \\ \u2028', lista: [1, null, { a: false }], nada: null };

let ana: Listener;
let bia: Listener;
let old: Listener;
beforeAll(async () => {
  ana = await createListener(deployment, today);
  bia = await createListener(deployment, today);
  old = await createListener(deployment, may2025);
});
afterAll(() => Promise.all([ana, bia, old].map((listener) => listener.close())));

describe('a broadcast', () => {
  test.each([
    ['today’s client', () => ana],
    ['the client of May 2025', () => old],
  ])('of %s reaches both kinds of client, unchanged, but not its sender', async (_which, sender) => {
    const topic = `sala de ${_which}`;
    const channels = [ana, bia, old].map(({ client }) => client.channel(topic));
    const heard = channels.map((channel) => hearBroadcasts(channel));
    const elsewhere = bia.client.channel(`${topic} ao lado`);
    const heardElsewhere = hearBroadcasts(elsewhere);
    await Promise.all([...channels, elsewhere].map(joinChannel));
    const own = [ana, bia, old].indexOf(sender());
    const channel = channels[own] as RealtimeChannel;
    expect(await channel.send({ type: 'broadcast', event: 'olá ✓', payload: PAYLOAD })).toBe('ok');
    await channel.send({ type: 'broadcast', event: 'vazia' });
    for (const [index, messages] of heard.entries()) {
      if (index === own) continue;
      await expect.poll(() => messages.length, SOON).toBe(2);
      expect(messages[0]).toMatchObject({ type: 'broadcast', event: 'olá ✓', payload: PAYLOAD });
      expect(messages[1]).toMatchObject({ type: 'broadcast', event: 'vazia' });
    }
    expect(heard[own]).toEqual([]);
    expect(heardElsewhere).toEqual([]);
    for (const listener of [ana, bia, old]) await listener.client.removeAllChannels();
  });

  test.each([
    ['today’s client', () => ana],
    ['the client of May 2025', () => old],
  ])('comes back to %s that asks for its own, and is acknowledged where asked', async (_which, sender) => {
    const channel = sender().client.channel('própria', { config: { broadcast: { self: true, ack: true } } });
    const heard = hearBroadcasts(channel, 'minha');
    const all = hearBroadcasts(channel);
    await joinChannel(channel);
    expect(await channel.send({ type: 'broadcast', event: 'outra', payload: {} })).toBe('ok');
    expect(await channel.send({ type: 'broadcast', event: 'minha', payload: PAYLOAD })).toBe('ok');
    await expect.poll(() => all.length, SOON).toBe(2);
    expect(heard).toEqual([expect.objectContaining({ event: 'minha', payload: PAYLOAD })]);
    await sender().client.removeChannel(channel);
  });

  test('of bytes reaches those who can take bytes, and does not trouble the others', async () => {
    const channels = [ana, bia, old].map(({ client }) => client.channel('bytes'));
    const [, heard = [], heardByOld] = channels.map((channel) => hearBroadcasts(channel));
    await Promise.all(channels.map(joinChannel));
    const [channel] = channels as [RealtimeChannel];
    const bytes = Uint8Array.from({ length: 1_000 }, (_, index) => index % 256);
    await channel.send({ type: 'broadcast', event: 'bytes', payload: bytes.buffer });
    await channel.send({ type: 'broadcast', event: 'fim', payload: {} });
    await expect.poll(() => heardByOld?.map(({ event }) => event), SOON).toEqual(['fim']);
    await expect.poll(() => heard.length, SOON).toBe(2);
    expect(new Uint8Array(heard[0]?.payload as ArrayBuffer)).toEqual(bytes);
  });

  test('keeps its order among a hundred, and arrives whole at 200 kilobytes', async () => {
    const [from, to, toOld] = [ana, bia, old].map(({ client }) => client.channel('muitas')) as [
      RealtimeChannel,
      RealtimeChannel,
      RealtimeChannel,
    ];
    const heard = [to, toOld].map((channel) => hearBroadcasts(channel));
    await Promise.all([from, to, toOld].map(joinChannel));
    const long = 'ç'.repeat(100_000);
    for (let n = 0; n < 60; n += 1)
      await from.send({ type: 'broadcast', event: 'n', payload: { n, ...(n === 30 && { long }) } });
    for (const messages of heard) {
      await expect.poll(() => messages.length, SOON).toBe(60);
      expect(messages.map(({ payload }) => (payload as { n: number }).n)).toEqual(
        Array.from({ length: 60 }, (_, n) => n),
      );
      expect(messages[30]?.payload).toEqual({ n: 30, long });
    }
  });

  test('sent before the channel is joined goes over HTTP, with either client', async () => {
    const channel = bia.client.channel('por http');
    const heard = hearBroadcasts(channel);
    await joinChannel(channel);
    for (const { client } of [ana, old]) {
      const unjoined = client.channel('por http');
      expect(await unjoined.send({ type: 'broadcast', event: 'http', payload: PAYLOAD })).toBe('ok');
    }
    await expect.poll(() => heard.length, SOON).toBe(2);
    for (const message of heard) expect(message).toMatchObject({ event: 'http', payload: PAYLOAD });
  });

  test('by httpSend carries JSON and bytes', async () => {
    const topic = 'http/próprio é? & #1';
    const channel = bia.client.channel(topic);
    const heard = hearBroadcasts(channel);
    await joinChannel(channel);
    const sender = ana.client.channel(topic);
    expect(await sender.httpSend('um/é', PAYLOAD)).toEqual({ success: true });
    expect(await sender.httpSend('dois', new Uint8Array([1, 2, 255]))).toEqual({ success: true });
    await expect.poll(() => heard.length, SOON).toBe(2);
    expect(heard[0]).toMatchObject({ event: 'um/é', payload: PAYLOAD });
    expect(new Uint8Array(heard[1]?.payload as ArrayBuffer)).toEqual(new Uint8Array([1, 2, 255]));
  });
});

describe('a channel', () => {
  test.each(PUBLISHED_CLIENTS)(
    'of $version that was removed hears nothing, and may be joined again',
    async (published) => {
      const { client, close } = await createListener(deployment, published);
      const [first, second] = [client.channel('um'), client.channel('dois')];
      const heard = [first, second].map((channel) => hearBroadcasts(channel));
      await Promise.all([first, second].map(joinChannel));
      expect(await client.removeChannel(first)).toBe('ok');
      expect(client.getChannels()).toHaveLength(1);
      await ana.client.channel('um').httpSend('x', {});
      await ana.client.channel('dois').httpSend('x', {});
      await expect.poll(() => heard[1]?.length, SOON).toBe(1);
      expect(heard[0]).toEqual([]);
      const again = client.channel('um');
      const heardAgain = hearBroadcasts(again);
      await joinChannel(again);
      await ana.client.channel('um').httpSend('y', {});
      await expect.poll(() => heardAgain.length, SOON).toBe(1);
      expect(await client.removeAllChannels()).toEqual(['ok', 'ok']);
      expect(client.getChannels()).toEqual([]);
      await close();
    },
  );
});

describe('broadcasts over HTTP', () => {
  const apikey = deployment.anonKey;
  const message = { topic: 'http', event: 'x', payload: { n: 1 } };

  test('take several messages at once and answer 202 without a body', async () => {
    const [one, two] = [bia.client.channel('http'), bia.client.channel('http 2')];
    const heard = [one, two].map((channel) => hearBroadcasts(channel));
    await Promise.all([one, two].map(joinChannel));
    const response = await post('', { messages: [message, { ...message, topic: 'http 2' }] }, { apikey });
    expect(response.status).toBe(202);
    expect(await response.text()).toBe('');
    for (const messages of heard) {
      await expect.poll(() => messages.length, SOON).toBe(1);
      expect(messages[0]).toMatchObject({ type: 'broadcast', event: 'x', payload: { n: 1 } });
    }
  });

  test.each([
    ['no key', {}, 401],
    ['a key of nobody', { apikey: 'chave' }, 401],
    ['a forged token', { apikey, authorization: `Bearer ${apikey.slice(0, -3)}AAA` }, 401],
  ])('with %s are refused', async (_what, headers, status) => {
    const response = await post('', { messages: [message] }, headers);
    expect(response.status).toBe(status);
    expect((await post('/http/events/x', { n: 1 }, headers)).status).toBe(status);
  });

  test.each([
    ['no messages', {}],
    ['messages that are no list', { messages: 'x' }],
    ['no topic', { messages: [{ event: 'x', payload: {} }] }],
    ['no event', { messages: [{ topic: 'x', payload: {} }] }],
    ['no payload', { messages: [{ topic: 'x', event: 'x' }] }],
    ['a topic that is no text', { messages: [{ ...message, topic: 7 }] }],
  ])('with %s are not accepted', async (_what, body) => {
    expect((await post('', body, { apikey })).status).toBe(422);
  });

  test.each(['{', '', '[', 'null', '"x"', '7'])(
    'with the body %j are refused, not crashed on',
    async (body) => {
      const { status } = await post('', body, { apikey });
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(500);
    },
  );

  test('that are too large are refused', async () => {
    const { status } = await post(
      '',
      { messages: [{ ...message, payload: { x: 'x'.repeat(6_000_000) } }] },
      { apikey },
    );
    expect([413, 422]).toContain(status);
  });
});
