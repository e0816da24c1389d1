import { onlineManager } from '@tanstack/react-query';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import axe from 'axe-core';
import { expect, test, vi } from 'vitest';
import { ConnectionContext } from '../../../shared/lib/connection/connection-context.tsx';
import { usePerson } from '../../../shared/lib/session/session-context.tsx';
import { createFakeConnection } from '../../../shared/test/create-fake-connection.ts';
import type { FakeAnswer, FakeRequest } from '../../../shared/test/create-fake-database.ts';
import { renderWithProviders } from '../../../shared/test/render-with-providers.tsx';
import { expectConsoleError } from '../../../shared/test/setup-browser-tests.ts';
import { MailInSection } from './mail-in-section.tsx';

/** As behind the login guard. */
function Guarded() {
  return usePerson() ? <MailInSection domain="entrada.exemplo.com.br" /> : null;
}

type Row = Record<string, unknown>;
const ADDRESS = {
  local_part: 'a'.repeat(24),
  any_sender: false,
  own_sender: 'ana@a.br',
  senders: [] as string[],
};
const mail = (wish: Row = {}) => ({
  id: crypto.randomUUID(),
  sender: 'bia@b.br',
  subject: 'Pão',
  reason: 'unknown_sender',
  refused_at: '2025-03-05T10:00:00Z',
  ...wish,
});

/** The service, as far as the section tells one thing from another. */
async function open({
  address = null as Row | null,
  refused = [] as Row[],
  online = true,
  failure = null as ((name: string) => FakeAnswer | null) | null,
} = {}) {
  const sent: [string, Row][] = [];
  const held = { address, refused, failure };
  const connection = createFakeConnection(online);
  const respond = ({ path, body }: FakeRequest): FakeAnswer => {
    const name = path.replace('rpc/', '');
    const args = (body ?? {}) as Row;
    const failed = held.failure?.(name);
    if (failed) return failed;
    if (name === 'mail_address') return { body: held.address ? [held.address] : [] };
    if (name === 'list_refused_mails') return { body: held.refused };
    sent.push([name, args]);
    const senders = (held.address?.['senders'] ?? []) as string[];
    if (name === 'change_mail_address')
      held.address = { ...ADDRESS, ...held.address, local_part: 'bcd'[sent.length - 1]?.repeat(24) };
    else if (name === 'give_up_mail_address') held.address = null;
    else if (name === 'allow_mail_sender')
      held.address = { ...held.address, senders: [...senders, args['email']] };
    else if (name === 'forbid_mail_sender')
      held.address = { ...held.address, senders: senders.filter((one) => one !== args['email']) };
    else held.address = { ...held.address, any_sender: args['allowed'] };
    return { body: null };
  };
  onlineManager.setOnline(online);
  const view = await renderWithProviders(
    <ConnectionContext value={connection}>
      <Guarded />
    </ConnectionContext>,
    { respond },
  );
  return { sent, held, view, connection, user: userEvent.setup() };
}

const button = (name: string) => screen.findByRole('button', { name });
const shown = (letter: string) => screen.findByText(`${letter.repeat(24)}@entrada.exemplo.com.br`);

test('who has no address makes one, copies it, and the keyboard stays there', async () => {
  const { user, sent, view } = await open();
  await user.click(await button('Criar endereço'));
  expect(await shown('b')).toBeTruthy();
  expect(sent).toEqual([['change_mail_address', {}]]);
  expect(document.activeElement?.textContent).toBe('Por e-mail');
  const write = vi.spyOn(navigator.clipboard, 'writeText');
  await user.click(await button('Copiar endereço'));
  expect(await screen.findByText('Endereço copiado')).toBeTruthy();
  expect(write.mock.calls.flat().concat(await navigator.clipboard.readText())).toContain(
    `${'b'.repeat(24)}@entrada.exemplo.com.br`,
  );
  expect((await axe.run(view.container)).violations).toEqual([]);
});

test('an address is changed after a question, and not without', async () => {
  const { user, sent } = await open({ address: ADDRESS });
  await user.click(await button('Trocar endereço'));
  const question = within(await screen.findByRole('alertdialog', { name: 'Trocar o endereço?' }));
  await user.click(question.getByRole('button', { name: 'Cancelar' }));
  expect(sent).toEqual([]);
  await user.click(await button('Trocar endereço'));
  await user.click(
    within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Trocar endereço' }),
  );
  expect(await shown('b')).toBeTruthy();
  expect(screen.queryByText(`${'a'.repeat(24)}@entrada.exemplo.com.br`)).toBeNull();
  expect(await screen.findByText('Endereço trocado')).toBeTruthy();
});

test('an address is given up after a question', async () => {
  const { user, sent } = await open({ address: ADDRESS });
  await user.click(await button('Apagar endereço'));
  const question = within(await screen.findByRole('alertdialog', { name: 'Apagar o endereço?' }));
  expect(question.getByText(/Nada mais é salvo por e-mail/)).toBeTruthy();
  await user.click(question.getByRole('button', { name: 'Apagar endereço' }));
  expect(await button('Criar endereço')).toBeTruthy();
  expect(sent).toEqual([['give_up_mail_address', {}]]);
});

test('senders are added, taken away, and everybody is let', async () => {
  const { user, sent } = await open({ address: ADDRESS });
  expect(await screen.findByText('ana@a.br')).toBeTruthy();
  await user.type(screen.getByLabelText('Outro remetente'), 'bia');
  await user.click(await button('Permitir'));
  expect(await screen.findByText('Digite um e-mail válido')).toBeTruthy();
  expect(sent).toEqual([]);
  await user.type(screen.getByLabelText('Outro remetente'), '@B.br');
  await user.click(await button('Permitir'));
  const row = within((await screen.findByText('bia@b.br')).closest('li') as HTMLElement);
  await user.click(row.getByRole('button', { name: 'Tirar' }));
  await waitFor(() => expect(screen.queryByText('bia@b.br')).toBeNull());
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Quem pode salvar'));
  await user.click(screen.getByRole('switch', { name: 'Aceitar qualquer remetente' }));
  await waitFor(() => expect(screen.queryByText('ana@a.br')).toBeNull());
  expect(sent).toEqual([
    ['allow_mail_sender', { email: 'bia@b.br' }],
    ['forbid_mail_sender', { email: 'bia@b.br' }],
    ['allow_any_mail_sender', { allowed: true }],
  ]);
});

test('what was refused says who, when and why, and a sender who is not known can be let', async () => {
  const { user, sent } = await open({
    address: ADDRESS,
    refused: [
      mail({ subject: '<b>Pão</b>' }),
      mail({ sender: 'caio@c.br', reason: 'unverified_sender', subject: '' }),
      mail({ sender: '', reason: 'no_link', subject: 'Sem link' }),
      mail({ sender: 'dani@d.br', reason: 'um_dia_novo', subject: 'Outro' }),
    ],
  });
  const rowOf = async (text: string) => within((await screen.findByText(text)).closest('li') as HTMLElement);
  const known = await rowOf('<b>Pão</b>');
  expect(known.getByText(/· 05\/03\/2025 às/)).toBeTruthy();
  expect(known.getByText('Este remetente não está na sua lista.')).toBeTruthy();
  expect((await rowOf('caio@c.br')).getByText('(sem assunto)')).toBeTruthy();
  expect((await rowOf('Sem link')).getByText('(sem remetente)')).toBeTruthy();
  expect((await rowOf('Outro')).getByText('Não foi possível salvar este e-mail.')).toBeTruthy();
  // Whoever could not be proven will not be by being let.
  expect(screen.getAllByRole('button', { name: 'Permitir este remetente' })).toHaveLength(1);
  await user.click(known.getByRole('button', { name: 'Permitir este remetente' }));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Permitir este remetente' })).toBeNull());
  await waitFor(() => expect(document.activeElement?.textContent).toBe('O que não foi salvo'));
  expect(sent).toEqual([['allow_mail_sender', { email: 'bia@b.br' }]]);
});

test('a refusal of the service is told in its words, another failure in ours, and nothing changes', async () => {
  const { user, held } = await open({ address: ADDRESS });
  held.failure = (name) =>
    name === 'allow_mail_sender'
      ? { status: 409, body: { code: 'PT409', message: 'No máximo 20 remetentes. Tire um da lista.' } }
      : null;
  await user.type(await screen.findByLabelText('Outro remetente'), 'bia@b.br');
  await user.click(await button('Permitir'));
  expect(await screen.findByText('No máximo 20 remetentes. Tire um da lista.')).toBeTruthy();
  held.failure = (name) =>
    name === 'change_mail_address'
      ? { status: 500, body: { code: 'XX000', message: 'segredo do banco' } }
      : null;
  await user.click(await button('Trocar endereço'));
  await user.click(
    within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Trocar endereço' }),
  );
  expect(await screen.findByText('Não foi possível trocar o endereço. Tente de novo.')).toBeTruthy();
  expect(screen.queryByText(/segredo do banco/)).toBeNull();
  expect(await shown('a')).toBeTruthy();
});

test('an address that is still to be made after a failure can be asked for again', async () => {
  const { user, held } = await open();
  held.failure = (name) => (name === 'change_mail_address' ? { status: 500, body: {} } : null);
  await user.click(await button('Criar endereço'));
  expect(await screen.findByText('Não foi possível criar o endereço. Tente de novo.')).toBeTruthy();
  held.failure = null;
  await user.click(await button('Criar endereço'));
  expect(await shown('b')).toBeTruthy();
});

const UNREAD: FakeAnswer = { status: 400, body: { code: 'XX000', message: 'x' } };

test('what cannot be read is said, and read by a press', async () => {
  const { user, held } = await open({ address: ADDRESS, failure: () => UNREAD });
  expect(await screen.findByText('Não foi possível carregar seu endereço')).toBeTruthy();
  held.failure = (name) => (name === 'list_refused_mails' ? UNREAD : null);
  await user.click(await button('Tentar de novo'));
  expect(await shown('a')).toBeTruthy();
  expect(await screen.findByText('Não foi possível carregar os e-mails recusados')).toBeTruthy();
  held.failure = null;
  await user.click(await button('Tentar de novo'));
  expect(await screen.findByText('Nada foi recusado.')).toBeTruthy();
  expectConsoleError(/read failed/);
});

test('without network it says so', async () => {
  await open({ online: false });
  expect(await screen.findByText('Seu endereço aparece aqui quando houver conexão.')).toBeTruthy();
});
