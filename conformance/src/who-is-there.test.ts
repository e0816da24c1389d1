import type { RealtimeChannel } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { Person } from './support/create-person.ts';
import { joinChannel } from './support/join-channel.ts';
import { createListener, type Listener, PUBLISHED_CLIENTS } from './support/realtime-clients.ts';
import { SOON } from './support/receive-changes.ts';
import { type SharedFolder, shareFolder } from './support/share-folder.ts';

const deployment = inject('deployment');

let shared: SharedFolder;
const open: Listener[] = [];
beforeAll(async () => {
  shared = await shareFolder(deployment);
});
afterAll(() => Promise.all(open.map((listener) => listener.close())));

/** Somebody who looks at the shared category, by a client of their own. */
async function arrive(person: Person, published = PUBLISHED_CLIENTS[0]) {
  const { data } = await person.client.auth.getSession();
  const listener = await createListener(deployment, published, data.session?.access_token ?? null);
  open.push(listener);
  const channel = listener.client.channel(`category:${shared.categoryId}`, {
    config: { private: true, presence: { key: person.id } },
  });
  channel.on('presence', { event: 'sync' }, () => undefined);
  const joined = await joinChannel(channel);
  expect(await channel.track({})).toBe('ok');
  return { channel, joined };
}
const there = (channel: RealtimeChannel) => Object.keys(channel.presenceState()).sort();
const idsOf = (...people: readonly Person[]) => people.map(({ id }) => id).sort();

describe.each(PUBLISHED_CLIENTS)('who looks at a category of a shared folder, by $version', (published) => {
  test('is told to those who may write in it, and nobody else gets in', async () => {
    const [owner, editor] = await Promise.all(
      [shared.owner, shared.editor].map((person) => arrive(person, published)),
    );
    for (const one of [owner, editor])
      await expect.poll(() => one && there(one.channel), SOON).toEqual(idsOf(shared.owner, shared.editor));
    for (const person of [shared.viewer, shared.removed, shared.stranger])
      await expect(arrive(person, published)).rejects.toThrow('Unauthorized');
    await Promise.all([owner, editor].map((one) => one?.channel.unsubscribe()));
  });
});

test('who is removed, or may only look from then on, is out at once, whatever their client does', async () => {
  const owner = await arrive(shared.owner);
  const { client } = shared.owner;
  for (const change of [
    (email: string) =>
      client.from('folder_members').update({ role: 'viewer' }).eq('email', email).throwOnError(),
    (email: string) => client.from('folder_members').delete().eq('email', email).throwOnError(),
  ]) {
    await client
      .from('folder_members')
      .update({ role: 'editor' })
      .eq('email', shared.editor.email)
      .throwOnError();
    const editor = await arrive(shared.editor);
    await expect.poll(() => there(owner.channel), SOON).toEqual(idsOf(shared.owner, shared.editor));
    await change(shared.editor.email);
    await expect.poll(() => there(owner.channel), SOON).toEqual([shared.owner.id]);
    await expect.poll(() => editor.joined.statuses.at(-1), SOON).toBe('CLOSED');
    await expect(arrive(shared.editor)).rejects.toThrow('Unauthorized');
  }
});
