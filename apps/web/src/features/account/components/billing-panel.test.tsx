import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import axe from 'axe-core';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { renderWithProviders } from '../../../shared/test/render-with-providers.tsx';
import { expectConsoleError } from '../../../shared/test/setup-browser-tests.ts';
import { answerFunctions, inTurn, refuse } from '../test/answer-functions.ts';
import { BillingPanel } from './billing-panel.tsx';

afterEach(() => vi.unstubAllGlobals());

const plus = {
  plan: 'plus',
  subscription_status: 'active',
  current_period_end: '2025-12-11T10:30:00Z',
  billing_interval: 'year',
  amount_cents: 1990,
  currency: 'usd',
};
const payer = { ...plus, stripe_customer_id: 'cus_1' };

/** Renders the tab for a person with this subscriber record, before the functions given. */
async function renderTab(
  subscriber: Readonly<Record<string, unknown>> | null,
  functions: Parameters<typeof answerFunctions>[0] = {},
) {
  const leavePage = vi.fn();
  const asked = answerFunctions(functions);
  const router = createRouter({
    routeTree: createRootRoute({ component: () => <BillingPanel leavePage={leavePage} /> }),
    history: createMemoryHistory(),
  });
  let record = subscriber;
  await renderWithProviders(<RouterProvider router={router as never} />, {
    respond: ({ path }) => {
      if (path === 'subscribers') return { body: record ? [record] : [] };
      if (path === 'profiles') return { body: [{ plan: 'free' }] };
      return { body: [{ folder_count: 1, category_count: 1, link_count: 3 }] };
    },
  });
  return { asked, leavePage, change: (next: typeof record) => (record = next) };
}

const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }));

describe('the billing tab', () => {
  test('on the free plan has nothing to manage and asks for no invoices', async () => {
    const { asked } = await renderTab(null, { 'list-invoices': () => Response.json({ invoices: [] }) });
    expect(await screen.findByRole('link', { name: 'Ver planos pagos' })).toBeTruthy();
    expect(screen.queryByRole('button')).toBeNull();
    expect(screen.queryByText('Faturas')).toBeNull();
    expect(asked.of('list-invoices')).toEqual([]);
  });

  test('tells what is really charged, and when', async () => {
    await renderTab({ ...plus, amount_cents: 4990, currency: 'brl' });
    expect(await screen.findByText('R$ 49,90 por ano')).toBeTruthy();
    expect(screen.getByText('Próxima cobrança em 11 de dezembro de 2025')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Alterar Plano' })).toBeTruthy();
  });

  test('of a subscription that has ended names neither a price nor a mark', async () => {
    await renderTab({ ...plus, subscription_status: 'canceled' });
    expect(await screen.findByText('Assinatura cancelada')).toBeTruthy();
    expect(screen.getByText(/limites do plano Free/)).toBeTruthy();
    expect(screen.queryByText('Seu plano')).toBeNull();
    expect(screen.queryByText(/por ano/)).toBeNull();
  });

  test.each([
    ['payment_failed', {}, 'Atualizar pagamento'],
    ['active', { cancel_at_period_end: true }, 'Manter assinatura'],
  ])('status %s with %j can be mended in the portal', async (status, fields, words) => {
    const url = 'https://billing.exemplo/p/1';
    const { leavePage } = await renderTab(
      { ...plus, subscription_status: status, ...fields },
      { 'customer-portal': () => Response.json({ url }) },
    );
    await press(words);
    await waitFor(() => expect(leavePage).toHaveBeenCalledWith(url));
  });

  test('Gerenciar Assinatura opens the portal once, which comes back to this tab', async () => {
    const url = `${window.location.origin}/payment-emulator/portal/1`;
    const { asked, leavePage } = await renderTab(plus, { 'customer-portal': () => Response.json({ url }) });
    const button = await screen.findByRole('button', { name: 'Gerenciar Assinatura' });
    act(() => {
      button.click();
      button.click();
    });
    await waitFor(() => expect(leavePage.mock.calls).toEqual([[url]]));
    expect(asked.of('customer-portal').map(({ body }) => body)).toEqual([
      { returnUrl: `${window.location.origin}/profile?tab=billing` },
    ]);
  });

  test.each([
    ['says why', () => refuse('Você ainda não tem assinatura', 404), 'Você ainda não tem assinatura'],
    ['says nothing', () => new Response(null, { status: 500 }), null],
    ['leads nowhere', () => Response.json({}), null],
    ['leads elsewhere', () => Response.json({ url: 'javascript:alert(1)' }), null],
  ])('a portal that %s stays closed', async (_name, answer, words) => {
    const { leavePage } = await renderTab(plus, { 'customer-portal': answer });
    await press('Gerenciar Assinatura');
    expect(await screen.findByText('Erro ao abrir o portal de cliente')).toBeTruthy();
    if (words) expect(screen.getByText(words)).toBeTruthy();
    expect(screen.queryByText(/Failed|Invalid/)).toBeNull();
    expect(leavePage).not.toHaveBeenCalled();
    expect(await screen.findByRole('button', { name: 'Gerenciar Assinatura' })).toBeTruthy();
  });

  test('Sincronizar has the server compare, then shows what changed', async () => {
    const { asked, change } = await renderTab(plus, {
      'check-subscription': () => Response.json({ subscribed: true, plan: 'pro' }),
    });
    await screen.findByText('Plano Plus');
    change({ ...plus, plan: 'pro' });
    await press('Sincronizar');
    expect(await screen.findByText('Dados da assinatura atualizados')).toBeTruthy();
    expect(await screen.findByText('Plano Pro')).toBeTruthy();
    expect(asked.of('check-subscription')).toHaveLength(1);
  });

  test('Sincronizar that fails says so and changes nothing', async () => {
    await renderTab(plus, { 'check-subscription': () => refuse('Tente daqui a um minuto', 429) });
    await press('Sincronizar');
    expect(await screen.findByText('Erro ao atualizar dados da assinatura')).toBeTruthy();
    expect(screen.getByText('Tente daqui a um minuto')).toBeTruthy();
    expect(screen.getByText('Plano Plus')).toBeTruthy();
    expect(await screen.findByRole('button', { name: 'Sincronizar' })).toBeTruthy();
  });
});

const invoice = {
  id: 'in_1',
  number: 'LINK-0001',
  date: '2025-11-11T10:30:00Z',
  amountCents: 1990,
  currency: 'usd',
  status: 'paid',
  receiptUrl: 'https://invoice.exemplo/in_1',
  refundable: true,
};
const listOf = (...invoices: readonly Readonly<Record<string, unknown>>[]) => Response.json({ invoices });

describe('the invoices', () => {
  test('are listed with amount, state and receipt; an address that leads elsewhere is no link', async () => {
    const odd = { ...invoice, id: 'in_0', number: null, status: 'nova', refundable: false };
    await renderTab(payer, {
      'list-invoices': () => listOf(invoice, { ...odd, receiptUrl: 'javascript:1' }),
    });
    const rows = await screen.findAllByRole('listitem');
    expect(rows).toHaveLength(2);
    const [first, second] = rows.map((row) => within(row));
    expect(rows[0]?.textContent).toMatch(/^11 de novembro de 2025LINK-0001US\$ 19,90Paga/);
    const receipt = first?.getByRole('link', { name: /^Recibo de 11\/11\/2025/ });
    expect(receipt?.getAttribute('href')).toBe('https://invoice.exemplo/in_1');
    expect(receipt?.getAttribute('rel')).toContain('noopener');
    expect(second?.queryByRole('link')).toBeNull();
    expect(screen.getAllByRole('button', { name: 'Pedir reembolso' })).toHaveLength(1);
  });

  test('may be none', async () => {
    await renderTab(payer, { 'list-invoices': () => listOf() });
    expect(await screen.findByText('Nenhuma fatura ainda')).toBeTruthy();
  });

  test('that cannot be read say so, and are asked for again', async () => {
    const broken = () => new Response(null, { status: 500 });
    await renderTab(payer, { 'list-invoices': inTurn(broken, broken, () => listOf(invoice)) });
    expect(await screen.findByText('Não foi possível carregar as faturas')).toBeTruthy();
    expectConsoleError(/read failed/);
    await press('Tentar de novo');
    expect(await screen.findByText('LINK-0001')).toBeTruthy();
  });

  test('a refund says what it brings, is asked for once, and shows the plan that is left', async () => {
    const { asked, change } = await renderTab(payer, {
      'list-invoices': inTurn(
        () => listOf(invoice, { ...invoice, id: 'in_0', refundable: false }),
        () => listOf({ ...invoice, status: 'refunded', refundable: false }),
      ),
      'request-refund': () => Response.json({ refunded: true }),
    });
    await press('Pedir reembolso');
    const dialog = await screen.findByRole('alertdialog', { name: 'Pedir reembolso?' });
    expect(dialog.textContent).toMatch(/tudo o que você pagou .* sua assinatura termina agora/);
    const due = within(dialog).getAllByRole('listitem');
    expect(due.map((each) => each.textContent)).toEqual(['11 de novembro de 2025US$ 19,90']);
    expect(dialog.textContent).toContain('Suas pastas, categorias e links continuam aqui.');
    expect(asked.of('request-refund')).toEqual([]);
    change({ ...payer, subscription_status: 'refunded' });
    const confirm = within(dialog).getByRole('button', { name: 'Pedir reembolso' });
    act(() => {
      confirm.click();
      confirm.click();
    });
    expect(await screen.findByText('Reembolso feito')).toBeTruthy();
    expect(await screen.findByText('Reembolsado')).toBeTruthy();
    expect(await screen.findByText('Reembolsada')).toBeTruthy();
    expect(asked.of('request-refund')).toHaveLength(1);
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Pedir reembolso' })).toBeNull());
    // The button that asked is gone: the keyboard stays with the invoices.
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Faturas'));
  });

  test('a refund under way keeps its question until it is known how it ended', async () => {
    const answer = Promise.withResolvers<Response>();
    await renderTab(payer, {
      'list-invoices': () => listOf(invoice),
      'request-refund': () => answer.promise,
    });
    await press('Pedir reembolso');
    const dialog = await screen.findByRole('alertdialog');
    fireEvent.click(within(dialog).getByRole('button', { name: 'Pedir reembolso' }));
    await within(dialog).findByRole('button', { name: 'Pedindo reembolso...' });
    fireEvent.click(within(dialog).getByRole('button', { name: 'Cancelar' }));
    expect(dialog.hasAttribute('data-open')).toBe(true);
    answer.resolve(Response.json({ refunded: true }));
    expect(await screen.findByText('Reembolso feito')).toBeTruthy();
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  });

  test('a refund of what was given back in part names what is left', async () => {
    const part = { ...invoice, status: 'partially_refunded', refundAmountCents: 1490 };
    await renderTab(payer, { 'list-invoices': () => listOf(part) });
    await press('Pedir reembolso');
    const due = within(await screen.findByRole('alertdialog')).getAllByRole('listitem');
    expect(due.map((each) => each.textContent)).toEqual(['11 de novembro de 2025US$ 14,90']);
  });

  test('a refund that comes too late is refused in words, and nothing else changes', async () => {
    await renderTab(payer, {
      'list-invoices': () => listOf(invoice),
      'request-refund': () => refuse('O prazo de 14 dias terminou.', 409),
    });
    await press('Pedir reembolso');
    const dialog = await screen.findByRole('alertdialog');
    fireEvent.click(within(dialog).getByRole('button', { name: 'Pedir reembolso' }));
    expect(await screen.findByText('Não foi possível fazer o reembolso')).toBeTruthy();
    expect(screen.getByText('O prazo de 14 dias terminou.')).toBeTruthy();
    expect(screen.getByText('Próxima cobrança em 11 de dezembro de 2025')).toBeTruthy();
  });

  test.each([
    ['too late', () => Promise.reject(new DOMException('signal timed out', 'TimeoutError'))],
    ['from a proxy', () => new Response(null, { status: 504 })],
    ['never', () => Promise.reject(new TypeError('Failed to fetch'))],
  ])('a refund whose answer comes %s may have been made, and the list tells', async (_how, answer) => {
    await renderTab(payer, {
      'list-invoices': inTurn(
        () => listOf(invoice),
        () => listOf({ ...invoice, status: 'refunded', refundable: false }),
      ),
      'request-refund': answer,
    });
    await press('Pedir reembolso');
    const dialog = await screen.findByRole('alertdialog');
    fireEvent.click(within(dialog).getByRole('button', { name: 'Pedir reembolso' }));
    expect(await screen.findByText('Não foi possível confirmar o reembolso')).toBeTruthy();
    expect(screen.getByText(/^Ele pode ter sido feito\. Confira as faturas abaixo/)).toBeTruthy();
    expect(await screen.findByText('Reembolsada')).toBeTruthy();
    expect(screen.queryByText(/Nada mudou/)).toBeNull();
  });

  test('and the question before a refund stand in nobody’s way', async () => {
    vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
    const failed = { ...payer, subscription_status: 'payment_failed' };
    const { asked } = await renderTab(failed, { 'list-invoices': () => listOf(invoice) });
    const violations = async () => {
      // Colours, and whether a dialog covers what it hides, need a layout, and landmarks a page: the browser tests judge them.
      const rules = Object.fromEntries(
        ['color-contrast', 'aria-hidden-focus', 'region'].map((id) => [id, { enabled: false }]),
      );
      return (await axe.run(document.body, { rules })).violations.map(({ id }) => id);
    };
    await screen.findByText('LINK-0001');
    expect(await violations()).toEqual([]);
    await press('Pedir reembolso');
    await screen.findByRole('alertdialog');
    expect(await violations()).toEqual([]);
    expect(asked.of('request-refund')).toEqual([]);
  });

  test('Cancelar asks for nothing', async () => {
    const { asked } = await renderTab(payer, { 'list-invoices': () => listOf(invoice) });
    await press('Pedir reembolso');
    await press('Cancelar');
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    expect(asked.of('request-refund')).toEqual([]);
  });
});
