import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { usePerson } from '../../../shared/lib/session/session-context.tsx';
import { authFailure, createFakeAuth, fakeSession } from '../../../shared/test/create-fake-auth.ts';
import type { FakeAnswer, FakeRequest } from '../../../shared/test/create-fake-database.ts';
import { renderWithProviders } from '../../../shared/test/render-with-providers.tsx';
import type { Device } from '../api/devices.ts';
import { DevicesPanel } from './devices-panel.tsx';

const here: Device = {
  session_id: '11111111-0000-4000-8000-000000000000',
  is_current: true,
  signed_in_at: '2025-03-05T10:00:00Z',
  last_used_at: '2025-03-05T10:00:00Z',
  user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0',
  network: '203.0.113.0/24',
};
const phone: Device = {
  ...here,
  session_id: '22222222-0000-4000-8000-000000000000',
  is_current: false,
  user_agent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604.1',
  network: null,
};

let devices: Device[];
let calls: FakeRequest[];

beforeEach(() => {
  devices = [here, phone];
  calls = [];
});

/** As behind the login guard. */
function Guarded() {
  return usePerson() ? <DevicesPanel /> : null;
}

async function open(auth = createFakeAuth(fakeSession()), answer?: (request: FakeRequest) => FakeAnswer) {
  const view = await renderWithProviders(<Guarded />, {
    auth,
    respond: (request) => {
      calls.push(request);
      if (answer) return answer(request);
      if (request.path.endsWith('list_devices')) return { body: devices };
      devices = devices.filter(({ session_id }) => session_id !== (request.body as Device).session_id);
      return { body: true };
    },
  });
  return { ...view, user: userEvent.setup() };
}

const rowOf = async (name: string) => within((await screen.findByText(name)).closest('li') as HTMLElement);

test('says what each device is, where, and which one this is', async () => {
  await open();
  const own = await rowOf('Firefox no Linux');
  expect(own.getByText('Este dispositivo')).toBeTruthy();
  expect(own.getByText(/Rede 203\.0\.113\.… · Em uso agora/)).toBeTruthy();
  const other = await rowOf('Safari no iPhone');
  expect(other.queryByText('Este dispositivo')).toBeNull();
  expect(other.getByText(/Local desconhecido · Último uso: 05\/03\/2025 às/)).toBeTruthy();
});

test('signing out of another device ends that one alone, and it goes from the list', async () => {
  const { user, auth } = await open();
  await user.click((await rowOf('Safari no iPhone')).getByRole('button', { name: 'Sair deste dispositivo' }));
  expect(await screen.findByText('Dispositivo desconectado')).toBeTruthy();
  await waitFor(() => expect(screen.queryByText('Safari no iPhone')).toBeNull());
  const ended = calls.find(({ path }) => path.endsWith('end_device'));
  expect(ended?.body).toEqual({ session_id: phone.session_id });
  expect(auth.admin.signOut).not.toHaveBeenCalled();
  expect(screen.queryByRole('button', { name: 'Sair dos outros' })).toBeNull();
  expect(document.activeElement?.textContent).toBe('Dispositivos');
});

test('signing out of this device is an ordinary sign-out', async () => {
  const { user, auth } = await open();
  await user.click((await rowOf('Firefox no Linux')).getByRole('button', { name: 'Sair deste dispositivo' }));
  await waitFor(() => expect(auth.admin.signOut).toHaveBeenCalledExactlyOnceWith('access-token', 'local'));
  expect(calls.some(({ path }) => path.endsWith('end_device'))).toBe(false);
});

test.each([
  ['Sair dos outros', 'Sair dos outros dispositivos?', []],
  ['Sair de todos', 'Sair de todos os dispositivos?', [['access-token', 'global']]],
])(
  '%s asks first, then has the database end the others and tell their pages',
  async (button, question, signOuts) => {
    const auth = createFakeAuth(fakeSession());
    const { user } = await open(auth);
    const ended = () => calls.filter(({ path }) => path.endsWith('end_other_devices'));
    await user.click(await screen.findByRole('button', { name: button }));
    const dialog = within(await screen.findByRole('alertdialog', { name: question }));
    await user.click(dialog.getByRole('button', { name: 'Cancelar' }));
    expect(ended()).toEqual([]);
    await user.click(screen.getByRole('button', { name: button }));
    const again = within(await screen.findByRole('alertdialog', { name: question }));
    await user.click(again.getByRole('button', { name: button }));
    await waitFor(() => expect(ended()).toHaveLength(1));
    await waitFor(() => expect(auth.admin.signOut.mock.calls).toEqual(signOuts));
  },
);

test('signing out everywhere goes on where the other pages cannot be told', async () => {
  const auth = createFakeAuth(fakeSession());
  const { user } = await open(auth, ({ path }) =>
    path.endsWith('list_devices') ? { body: devices } : { status: 500, body: { message: 'x' } },
  );
  await user.click(await screen.findByRole('button', { name: 'Sair de todos' }));
  const dialog = within(await screen.findByRole('alertdialog'));
  await user.click(dialog.getByRole('button', { name: 'Sair de todos' }));
  await waitFor(() => expect(auth.admin.signOut).toHaveBeenCalledExactlyOnceWith('access-token', 'global'));
});

test('a refusal is told and the device stays', async () => {
  const auth = createFakeAuth(fakeSession());
  auth.admin.signOut.mockResolvedValue({ error: authFailure('unexpected_failure') });
  const { user } = await open(auth, ({ path }) =>
    path.endsWith('list_devices') ? { body: devices } : { status: 500, body: { message: 'x' } },
  );
  await user.click((await rowOf('Safari no iPhone')).getByRole('button', { name: 'Sair deste dispositivo' }));
  expect(await screen.findByText('Não foi possível sair do dispositivo. Tente de novo.')).toBeTruthy();
  expect(screen.getByText('Safari no iPhone')).toBeTruthy();
});

const confirmEnd = async (user: Awaited<ReturnType<typeof open>>['user'], button: string) => {
  await user.click(await screen.findByRole('button', { name: button }));
  const dialog = within(await screen.findByRole('alertdialog'));
  await user.click(dialog.getByRole('button', { name: button }));
};

test('the others that were signed out go from the list, and it is said', async () => {
  const { user } = await open(undefined, ({ path }) => {
    if (path.endsWith('end_other_devices')) devices = [here];
    return { body: path.endsWith('list_devices') ? devices : null };
  });
  await confirmEnd(user, 'Sair dos outros');
  expect(await screen.findByText('Os outros dispositivos foram desconectados')).toBeTruthy();
  await waitFor(() => expect(screen.queryByText('Safari no iPhone')).toBeNull());
  expect(screen.getByText('Firefox no Linux')).toBeTruthy();
});

test.each(['Sair dos outros', 'Sair de todos'])(
  '%s that is refused says so, and nobody has left',
  async (button) => {
    const auth = createFakeAuth(fakeSession());
    auth.admin.signOut.mockResolvedValue({ error: authFailure('unexpected_failure', 'x', 500) });
    const { user } = await open(auth, ({ path }) =>
      path.endsWith('list_devices') ? { body: devices } : { status: 500, body: { message: 'x' } },
    );
    await confirmEnd(user, button);
    expect(await screen.findByText('Não foi possível sair dos dispositivos. Tente de novo.')).toBeTruthy();
    expect(screen.queryByText('Os outros dispositivos foram desconectados')).toBeNull();
    expect(screen.queryByText('Logout realizado')).toBeNull();
    expect(screen.getByText('Safari no iPhone')).toBeTruthy();
    expect(auth.signOut).not.toHaveBeenCalled();
  },
);
