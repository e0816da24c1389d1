import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import axe from 'axe-core';
import { expect, test, vi } from 'vitest';
import { usePerson } from '../../../shared/lib/session/session-context.tsx';
import { rememberUndo, undoLast } from '../../../shared/lib/writes/undo-history.ts';
import type { FakeAnswer, FakeRequest } from '../../../shared/test/create-fake-database.ts';
import { renderWithProviders } from '../../../shared/test/render-with-providers.tsx';
import { WebhooksSection } from './webhooks-section.tsx';

/** As behind the login guard. */
function Guarded() {
  return usePerson() ? <WebhooksSection /> : null;
}

type Row = Record<string, unknown>;
const webhook = (wish: Row = {}): Row => ({
  id: 'w1',
  url: 'https://recebe.exemplo.com.br/linkoteca',
  events: ['link.created', 'category.shared'],
  created_at: '2025-03-05T10:00:00Z',
  off_at: null,
  off_reason: null,
  failing_since: null,
  waiting: 0,
  delivered_at: null,
  ...wish,
});
const delivery = (wish: Row = {}): Row => ({
  id: `d${String(wish['number'] ?? 1)}`,
  number: 1,
  type: 'link.created',
  subject: 'Pão',
  created_at: '2025-03-05T10:00:00Z',
  state: 'delivered',
  attempts: 1,
  attempted_at: '2025-03-05T10:00:01Z',
  outcome: 'delivered',
  status: 204,
  next_at: null,
  ...wish,
});

/** The service, as far as the section tells one thing from another. */
async function open({ webhooks = [] as Row[], deliveries = [] as Row[] } = {}) {
  const sent: [string, Row][] = [];
  const held = { webhooks, deliveries, failure: null as FakeAnswer | null, until: Promise.resolve() };
  const respond = async ({ path, body }: FakeRequest): Promise<FakeAnswer> => {
    const name = path.replace('rpc/', '');
    const args = (body ?? {}) as Row;
    if (name === 'list_webhooks') return { body: held.webhooks };
    if (name === 'list_webhook_deliveries') {
      const before = Number(args['before'] ?? Number.POSITIVE_INFINITY);
      return { body: held.deliveries.filter((one) => Number(one['number']) < before).slice(0, 20) };
    }
    await held.until;
    if (held.failure) return held.failure;
    sent.push([name, args]);
    if (name === 'create_webhook') {
      held.webhooks = [webhook(args)];
      return { body: [{ id: 'w1', secret: 'whsec_novo' }] };
    }
    if (name === 'rotate_webhook_secret') return { body: 'whsec_trocado' };
    if (name === 'delete_webhook') held.webhooks = [];
    if (name === 'restore_webhook') held.webhooks = [webhook()];
    return { body: null };
  };
  const view = await renderWithProviders(<Guarded />, { respond });
  return { sent, held, view, user: userEvent.setup() };
}

const button = (name: string) => screen.findByRole('button', { name });
const choose = async (user: ReturnType<typeof userEvent.setup>, name: string) => {
  await user.click(await button('Mais ações'));
  await user.click(await screen.findByRole('menuitem', { name }));
};

test('who has none adds one; its secret is shown once, and gone with a press', async () => {
  const { user, sent, view } = await open();
  expect(await screen.findByText('Você não tem webhooks.')).toBeTruthy();
  await user.click(await button('Adicionar webhook'));
  const dialog = within(await screen.findByRole('dialog', { name: 'Novo webhook' }));
  await user.type(dialog.getByLabelText('Endereço'), ' https://Recebe.Exemplo.com.br/linkoteca#parte');
  await user.click(dialog.getByRole('checkbox', { name: 'Link alterado' }));
  await user.click(dialog.getByRole('button', { name: 'Salvar' }));
  const secret = await screen.findByLabelText<HTMLInputElement>('O segredo novo');
  expect(secret.value).toBe('whsec_novo');
  expect(sent).toEqual([
    [
      'create_webhook',
      {
        url: 'https://recebe.exemplo.com.br/linkoteca',
        events: ['link.created', 'link.deleted', 'category.shared'],
      },
    ],
  ]);
  expect((await axe.run(view.container)).violations).toEqual([]);
  await user.click(await button('Já copiei'));
  expect(view.container.innerHTML).not.toContain('whsec_novo');
  expect(screen.getByText('Link salvo, link excluído, categoria compartilhada')).toBeTruthy();
  await waitFor(() => expect(document.activeElement?.id).toBe('webhooks'));
});

test.each(['http://exemplo.com.br/', 'exemplo', ''])(
  'the address %j is not taken, nor is no event',
  async (address) => {
    const { user, sent } = await open();
    await user.click(await button('Adicionar webhook'));
    const dialog = within(await screen.findByRole('dialog'));
    if (address !== '') await user.type(dialog.getByLabelText('Endereço'), address);
    for (const box of dialog.getAllByRole('checkbox')) await user.click(box);
    await user.click(dialog.getByRole('button', { name: 'Salvar' }));
    expect(await dialog.findByText('Use um endereço público que comece com https://')).toBeTruthy();
    expect(dialog.getByText('Marque pelo menos um evento.')).toBeTruthy();
    expect(sent).toEqual([]);
  },
);

test('what the service refuses is told in its words, and what was typed stays', async () => {
  const { user, held } = await open();
  held.failure = { status: 409, body: { code: 'PT409', message: 'Seu plano tem 1 webhook.' } };
  await user.click(await button('Adicionar webhook'));
  await user.type(await screen.findByLabelText('Endereço'), 'https://exemplo.com.br/');
  await user.click(await button('Salvar'));
  expect(await screen.findByText('Seu plano tem 1 webhook.')).toBeTruthy();
  expect((screen.getByLabelText('Endereço') as HTMLInputElement).value).toBe('https://exemplo.com.br/');
});

test.each([
  [{}, 'Nada entregue ainda'],
  [{ delivered_at: '2025-03-05T13:00:00Z' }, /^Última entrega: 05\/03\/2025 às/],
  [
    { failing_since: '2025-03-05T13:00:00Z', waiting: 1 },
    /^Falhando desde 05\/03\/2025 às .* · 1 aviso espera$/,
  ],
  [{ failing_since: '2025-03-05T13:00:00Z', waiting: 12 }, /12 avisos esperam$/],
  [{ off_at: '2025-03-05T13:00:00Z', off_reason: 'failing' }, /^Desligado: falhou por três dias/],
  [{ off_at: '2025-03-05T13:00:00Z', off_reason: 'gone' }, /não existe mais \(410\)/],
  [{ off_at: '2025-03-05T13:00:00Z', off_reason: 'full' }, /avisos demais/],
  [{ off_at: '2025-03-05T13:00:00Z', off_reason: 'owner' }, 'Desligado por você'],
  [{ off_at: '2025-03-05T13:00:00Z', off_reason: 'um_dia_novo' }, 'Desligado'],
])('how it fares: %j', async (wish, words) => {
  await open({ webhooks: [webhook(wish)] });
  expect(await screen.findByText(words)).toBeTruthy();
});

test('it is tried, edited, turned off and on', async () => {
  const { user, sent, held } = await open({ webhooks: [webhook()] });
  await user.click(await button('Enviar teste'));
  expect(await screen.findByText('Teste enviado')).toBeTruthy();
  await choose(user, 'Editar');
  const dialog = within(await screen.findByRole('dialog', { name: 'Editar webhook' }));
  await user.click(dialog.getByRole('checkbox', { name: 'Categoria compartilhada' }));
  await user.click(dialog.getByRole('button', { name: 'Salvar' }));
  expect(await screen.findByText('Webhook salvo')).toBeTruthy();
  await choose(user, 'Desligar');
  expect(await screen.findByText('Webhook desligado')).toBeTruthy();
  held.webhooks = [webhook({ off_at: '2025-03-05T10:00:00Z', off_reason: 'owner' })];
  await choose(user, 'Desligar');
  await user.click(await button('Ligar'));
  expect(await screen.findByText('Webhook ligado')).toBeTruthy();
  const { id, url, events } = webhook();
  const change = { webhook_id: id, url, events };
  expect(sent).toEqual([
    ['send_webhook_test', { webhook_id: id }],
    ['change_webhook', { ...change, events: ['link.created'], enabled: true }],
    ['change_webhook', { ...change, enabled: false }],
    ['change_webhook', { ...change, enabled: false }],
    ['change_webhook', { ...change, enabled: true }],
  ]);
});

test('one that is off stays off when it is edited', async () => {
  const off = webhook({ off_at: '2025-03-05T10:00:00Z', off_reason: 'owner' });
  const { user, sent } = await open({ webhooks: [off] });
  await choose(user, 'Editar');
  await user.click(await button('Salvar'));
  expect(await screen.findByText('Webhook salvo')).toBeTruthy();
  const { id, url, events } = off;
  expect(sent).toEqual([['change_webhook', { webhook_id: id, url, events, enabled: false }]]);
});

test('events that were changed are not thrown away by Escape without a question', async () => {
  const { user } = await open({ webhooks: [webhook()] });
  await choose(user, 'Editar');
  const box = await screen.findByRole('checkbox', { name: 'Categoria compartilhada' });
  await user.click(box);
  await user.keyboard('{Escape}');
  expect(await screen.findByText('Descartar as mudanças?')).toBeTruthy();
  await user.keyboard('{Escape}');
  await user.click(box);
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('its secret is changed after a question', async () => {
  const { user, sent } = await open({ webhooks: [webhook()] });
  await choose(user, 'Trocar segredo');
  const question = within(await screen.findByRole('alertdialog', { name: 'Trocar o segredo?' }));
  await user.click(question.getByRole('button', { name: 'Cancelar' }));
  expect(sent).toEqual([]);
  await choose(user, 'Trocar segredo');
  await user.click(
    within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Trocar segredo' }),
  );
  expect((await screen.findByLabelText<HTMLInputElement>('O segredo novo')).value).toBe('whsec_trocado');
  expect(screen.getByText(/O segredo anterior ainda assina por 24 horas/)).toBeTruthy();
});

test('one that is deleted goes at once, and comes back with Desfazer', async () => {
  const { user, sent } = await open({ webhooks: [webhook()] });
  await choose(user, 'Excluir');
  await waitFor(() => expect(screen.queryByText('https://recebe.exemplo.com.br/linkoteca')).toBeNull());
  await waitFor(() => expect(document.activeElement?.id).toBe('webhooks'));
  await user.click(await button('Desfazer'));
  expect(await screen.findByText('https://recebe.exemplo.com.br/linkoteca')).toBeTruthy();
  expect(sent.map(([name]) => name)).toEqual(['delete_webhook', 'restore_webhook']);
});

test('one that is being deleted is brought back by the undo key, and not what was done before it', async () => {
  const earlier = vi.fn();
  const forget = rememberUndo({ undo: earlier, drop: () => undefined });
  const { user, sent, held } = await open({ webhooks: [webhook()] });
  const answer = Promise.withResolvers<void>();
  held.until = answer.promise;
  await choose(user, 'Excluir');
  undoLast();
  answer.resolve();
  await waitFor(() => expect(sent.map(([name]) => name)).toEqual(['delete_webhook', 'restore_webhook']));
  expect(earlier).not.toHaveBeenCalled();
  forget();
});

test('the log says what became of each, and sends again', async () => {
  const { user, sent, view } = await open({
    webhooks: [webhook()],
    deliveries: [
      delivery({ number: 6, state: 'waiting', attempts: 0, outcome: null, status: null, subject: 'Novo' }),
      delivery({
        number: 5,
        state: 'waiting',
        outcome: 'refused',
        status: 503,
        next_at: '2025-03-05T13:00:00Z',
        subject: 'Cheio',
      }),
      delivery({ number: 4, state: 'failed', outcome: 'timeout', status: null, subject: 'Lento' }),
      delivery({ number: 3, state: 'failed', outcome: 'unreachable', status: null, subject: '<b>Longe</b>' }),
      delivery({ number: 2, type: 'um.dia', subject: null }),
    ],
  });
  await user.click(await button('Entregas'));
  const rowOf = async (text: string | RegExp) =>
    within((await screen.findByText(text)).closest('li') as HTMLElement);
  const fresh = await rowOf('Link salvo · Novo');
  expect(fresh.getByText(/Na fila$/)).toBeTruthy();
  expect(fresh.queryByRole('button')).toBeNull();
  expect(
    (await rowOf('Link salvo · Cheio')).getByText(/respondeu 503\. Nova tentativa 05\/03\/2025/),
  ).toBeTruthy();
  expect(
    (await rowOf('Link salvo · Lento')).getByText(/não respondeu em 10 segundos\. Desistimos/),
  ).toBeTruthy();
  expect((await rowOf('Link salvo · <b>Longe</b>')).getByText(/não foi alcançado\. Desistimos/)).toBeTruthy();
  const old = await rowOf('um.dia');
  expect(old.getByText(/Entregue \(204\)$/)).toBeTruthy();
  expect((await axe.run(view.container)).violations).toEqual([]);
  await user.click(old.getByRole('button', { name: 'Enviar de novo' }));
  expect(await screen.findByText('Na fila para ser enviado de novo')).toBeTruthy();
  expect(sent).toEqual([['resend_webhook_delivery', { delivery_id: 'd2' }]]);
});

test('the log goes on a page at a time', async () => {
  const { user } = await open({
    webhooks: [webhook()],
    deliveries: Array.from({ length: 25 }, (_, n) => delivery({ number: 25 - n, subject: `Link ${25 - n}` })),
  });
  await user.click(await button('Entregas'));
  expect(await screen.findByText('Link salvo · Link 6')).toBeTruthy();
  expect(screen.queryByText('Link salvo · Link 5')).toBeNull();
  await user.click(await button('Mostrar mais'));
  expect(await screen.findByText('Link salvo · Link 1')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Mostrar mais' })).toBeNull();
});

test('a failure is told, without what the service says inside, and nothing changes', async () => {
  const { user, held } = await open({ webhooks: [webhook()] });
  held.failure = { status: 500, body: { code: 'XX000', message: 'segredo do banco' } };
  await user.click(await button('Enviar teste'));
  expect(await screen.findByText('Não foi possível enviar o teste. Tente de novo.')).toBeTruthy();
  await choose(user, 'Excluir');
  expect(await screen.findByText('Não foi possível excluir o webhook. Tente de novo.')).toBeTruthy();
  expect(screen.getByText('https://recebe.exemplo.com.br/linkoteca')).toBeTruthy();
  expect(screen.queryByText(/segredo do banco/)).toBeNull();
});
