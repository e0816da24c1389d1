import { onlineManager } from '@tanstack/react-query';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import axe from 'axe-core';
import { expect, test } from 'vitest';
import { usePerson } from '../../../shared/lib/session/session-context.tsx';
import { createFakeConnection } from '../../../shared/test/create-fake-connection.ts';
import type { FakeAnswer, FakeRequest } from '../../../shared/test/create-fake-database.ts';
import { renderWithProviders } from '../../../shared/test/render-with-providers.tsx';
import { expectConsoleError } from '../../../shared/test/setup-browser-tests.ts';
import { DailyMailSection } from './daily-mail-section.tsx';

/** As behind the login guard. */
function Guarded() {
  return usePerson() ? <DailyMailSection /> : null;
}

/** The service, as far as the switch tells one thing from another. */
async function open({
  isOn = false,
  online = true,
  failure = null as ((name: string) => FakeAnswer | Promise<FakeAnswer> | null) | null,
} = {}) {
  const sent: unknown[] = [];
  const held = { isOn, failure };
  const respond = ({ path, body }: FakeRequest): FakeAnswer | Promise<FakeAnswer> => {
    const name = path.replace('rpc/', '');
    const failed = held.failure?.(name);
    if (failed) return failed;
    if (name === 'set_daily_mail') {
      sent.push(body);
      held.isOn = (body as { readonly enabled: boolean }).enabled;
      return { body: null };
    }
    return { body: held.isOn };
  };
  onlineManager.setOnline(online);
  const view = await renderWithProviders(<Guarded />, {
    respond,
    connection: createFakeConnection(online),
  });
  return { sent, held, view, user: userEvent.setup() };
}

const find = () => screen.findByRole<HTMLInputElement>('switch', { name: 'Resumo diário' });

test('it is off until it is switched on, and off again by another press', async () => {
  const { user, sent, view } = await open();
  const control = await find();
  expect(control.checked).toBe(false);
  await user.click(control);
  expect(await screen.findByText('Resumo diário ligado')).toBeTruthy();
  expect(screen.getByText('O primeiro chega amanhã de manhã, se houver novidade.')).toBeTruthy();
  expect((await find()).checked).toBe(true);
  expect((await axe.run(view.container)).violations).toEqual([]);
  await user.click(control);
  expect(await screen.findByText('Resumo diário desligado')).toBeTruthy();
  expect((await find()).checked).toBe(false);
  expect(sent).toEqual([{ enabled: true }, { enabled: false }]);
});

test('it is reached and turned by the keyboard, and says what it is', async () => {
  const { user, sent } = await open({ isOn: true });
  const control = await find();
  expect(control.checked).toBe(true);
  await user.tab();
  expect(document.activeElement).toBe(control);
  await user.keyboard(' ');
  await screen.findByText('Resumo diário desligado');
  expect(sent).toEqual([{ enabled: false }]);
  expect(document.getElementById(control.getAttribute('aria-describedby') ?? '')?.textContent).toMatch(
    /^No máximo um e-mail por dia/,
  );
});

test('it shows what is being written, and a second press meanwhile does nothing', async () => {
  const { promise, resolve } = Promise.withResolvers<FakeAnswer>();
  const asked: string[] = [];
  const { user } = await open({
    failure: (name) => {
      if (name !== 'set_daily_mail') return null;
      asked.push(name);
      return promise;
    },
  });
  const control = await find();
  await user.click(control);
  expect(control.checked).toBe(true);
  await user.click(control);
  resolve({ status: 500, body: { code: 'XX000', message: 'segredo do banco' } });
  expect(await screen.findByText('Não foi possível mudar o resumo diário')).toBeTruthy();
  expect(screen.queryByText(/segredo do banco/)).toBeNull();
  await waitFor(() => expect(control.checked).toBe(false));
  expect(asked).toHaveLength(1);
});

test('without network it goes back, with a word', async () => {
  const { user, sent } = await open();
  const control = await find();
  onlineManager.setOnline(false);
  await user.click(control);
  expect(await screen.findByText('Não foi possível mudar o resumo diário')).toBeTruthy();
  expect(control.checked).toBe(false);
  expect(sent).toEqual([]);
});

const UNREAD: FakeAnswer = { status: 400, body: { code: 'XX000', message: 'x' } };

test('what cannot be read is said, and read by a press', async () => {
  const { user, held } = await open({ isOn: true, failure: () => UNREAD });
  expect((await screen.findByRole('alert')).textContent).toContain(
    'Não foi possível ver se o resumo diário está ligado.',
  );
  held.failure = null;
  await user.click(screen.getByRole('button', { name: 'Tentar de novo' }));
  expect((await find()).checked).toBe(true);
  expectConsoleError(/read failed/);
});

test('before it is read without network it says so', async () => {
  await open({ online: false });
  expect(await screen.findByText('O resumo diário aparece aqui quando houver conexão.')).toBeTruthy();
});
