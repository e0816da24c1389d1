import { expect, inject, test } from 'vitest';
import { createPerson } from './support/create-person.ts';
import { createVisitor } from './support/create-visitor.ts';

const deployment = inject('deployment');

type Device = { readonly session_id: string; readonly is_current: boolean };

test('an ended device is out: its refresh is refused, and a stranger ends and sees nothing', async () => {
  const owner = await createPerson(deployment);
  const here = createVisitor(deployment);
  await here.auth.signInWithPassword({ email: owner.email, password: owner.password });
  const there = owner.client;
  const { client: stranger } = await createPerson(deployment);

  const devices = (await here.rpc('list_devices')).data as Device[];
  // This one, the one before it, and the session that the confirmation's link opened.
  expect(devices.map(({ is_current }) => is_current)).toEqual([true, false, false]);
  const session_id = devices[1]?.session_id;
  expect(await stranger.rpc('end_device', { session_id })).toMatchObject({ data: false, error: null });
  expect(JSON.stringify(await stranger.rpc('list_devices'))).not.toContain(session_id);
  expect((await createVisitor(deployment).rpc('list_devices')).error?.code).toBe('42501');
  expect((await there.auth.getUser()).error).toBeNull();

  expect((await here.rpc('end_device', { session_id })).data).toBe(true);
  expect((await there.auth.getUser()).error).not.toBeNull();
  expect((await there.auth.refreshSession()).error).not.toBeNull();
  expect((await here.auth.getUser()).error).toBeNull();
});
