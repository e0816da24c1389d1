import { isSameSecret } from '../api/handle-api-request.ts';
import { StripeFailure } from '../api/stripe-failure.ts';
import { itemOf } from '../billing/subscriptions.ts';
import type { RequestOrigin } from '../emulator-options.ts';
import { idOf } from '../ledger/ids.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { isFresh, renderToken, signForm } from '../pages/form-token.ts';
import { describeDisputeStatus, describeSubscriptionStatus, formatMoment } from '../pages/format-words.ts';
import { type Html, html } from '../pages/html.ts';
import type { PageDeps } from '../pages/page-deps.ts';
import { redirectTo, renderMessage, renderPage } from '../pages/render-page.ts';
import { sendEvents } from '../webhooks/deliver-events.ts';
import { CONTROL_ACTIONS, type ControlFields } from './control-actions.ts';

/**
 * The control page and its endpoints: the clock, the webhook, and what only banks and operators can do. They answer
 * the installation's operator and whoever knows the secret key; to everybody else they do not exist.
 */
export async function handleControl(
  deps: PageDeps,
  request: Request,
  path: string,
  { isOperator }: RequestOrigin,
): Promise<Response> {
  const given = /^Bearer (\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1];
  const hasKey = given !== undefined && isSameSecret(given, deps.secretKey);
  if (!isOperator && !hasKey) return unknownPath();
  const token = signForm(deps.secretKey, 'control', 0);
  if (request.method === 'GET' && path === '')
    return renderControl(await deps.objectStore.read(readState), token);
  if (request.method === 'GET' && path === '/control/state')
    return answer(await deps.objectStore.read(readState));
  const action = request.method === 'POST' ? CONTROL_ACTIONS[path.replace(/^\/control\//, '')] : undefined;
  if (!action) return unknownPath();
  const isJson = request.headers.get('content-type')?.startsWith('application/json') ?? false;
  const fields = isJson
    ? await readJson(request)
    : Object.fromEntries(new URLSearchParams(await request.text()));
  // A page elsewhere can make a browser of this machine send a form, but neither JSON nor the token.
  if (!hasKey && !isJson && !isFresh(fields?.['token'] ?? null, token))
    return isJson
      ? answer({ error: 'token' }, 403)
      : renderMessage({
          title: 'Ação recusada',
          text: 'Abra a página de novo e tente outra vez.',
          status: 403,
        });
  if (fields === undefined) return answer({ error: 'The body must be a JSON object.' }, 400);
  try {
    const result = await action(
      {
        objectStore: deps.objectStore,
        moveClock: deps.moveClock,
        sendNow: (events) => sendEvents(deps, events),
      },
      fields,
    );
    return isJson || hasKey ? answer(result) : redirectTo(deps.siteUrl);
  } catch (error) {
    if (!(error instanceof StripeFailure)) throw error;
    const { message, fields: failure } = error;
    return isJson || hasKey
      ? answer({ error: message }, failure.status)
      : renderMessage({
          title: 'Não foi possível',
          text: 'Esta ação não é possível agora.',
          status: failure.status,
        });
  }
}

async function readJson(request: Request): Promise<ControlFields | undefined> {
  const text = await request.text();
  try {
    const value: unknown = text === '' ? {} : JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, String(field)]));
  } catch {
    return undefined;
  }
}

function answer(body: object, status = 200): Response {
  return Response.json(body, { status, headers: { 'cache-control': 'no-store' } });
}

/** The server answers as for any address that it does not know. */
export function unknownPath(): Response {
  return new Response(null, { status: 404, headers: { 'x-unknown-path': '1' } });
}

/** The control page: what a developer turns to see the days go by. */
function renderControl(state: ControlState, token: string): Response {
  const { webhooks } = state;
  const form = (action: string, label: string, fields: Readonly<Record<string, string>>): Html =>
    html`<form method="post" action="/payment-emulator/control/${action}">${renderToken(token)}${Object.entries(
      fields,
    ).map(
      ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
    )}<button>${label}</button></form>`;
  return renderPage({
    title: 'Emulador de pagamentos',
    isNarrow: false,
    body: html`<h1>Emulador de pagamentos</h1>
<section class="card"><h2>Relógio</h2><p class="price">${formatMoment(state.now)}</p>
<div class="actions">${form('advance', 'Avançar um dia', { days: '1' })}${form('advance', 'Avançar um mês', { months: '1' })}${form('advance', 'Avançar até a próxima cobrança', { to: 'next' })}</div></section>
<section class="card"><h2>Avisos ao servidor</h2>
<p>${webhooks.held ? 'Retidos: nenhum aviso é entregue.' : 'Entregues normalmente.'} Na fila: ${webhooks.pending}. Desistidos: ${webhooks.givenUp}.</p>
<div class="actions">${
      webhooks.held
        ? form('webhooks', 'Liberar avisos', { held: 'false' })
        : form('webhooks', 'Reter avisos', { held: 'true' })
    }${form('deliver', 'Entregar em ordem inversa', { order: 'reverse' })}${form('deliver', 'Entregar tudo duas vezes', { times: '2' })}</div></section>
<section class="card"><h2>Depois da última tentativa de cobrança</h2>
<p>A assinatura ${state.dunning === 'canceled' ? 'é encerrada' : 'fica sem pagar'}.</p>
<div class="actions">${
      state.dunning === 'canceled'
        ? form('dunning', 'Deixar sem pagar', { after: 'unpaid' })
        : form('dunning', 'Encerrar', { after: 'canceled' })
    }</div></section>
<section class="card"><h2>Assinaturas</h2>${
      state.subscriptions.length === 0
        ? html`<p>Nenhuma assinatura ainda.</p>`
        : state.subscriptions.map((subscription) => renderSubscription(subscription, form))
    }</section>
${
  state.disputes.length === 0
    ? null
    : html`<section class="card"><h2>Contestações</h2>${state.disputes.map(
        ({ id, status }) => html`<p>${id}: ${describeDisputeStatus(status)}</p>
<div class="actions">${form('close-dispute', 'Ganhar contestação', { dispute: id, status: 'won' })}${form('close-dispute', 'Perder contestação', { dispute: id, status: 'lost' })}</div>`,
      )}</section>`
}`,
  });
}

function renderSubscription(
  { id, email, customer, price, status, currentPeriodEnd, cancelAt }: SubscriptionState,
  form: (action: string, label: string, fields: Readonly<Record<string, string>>) => Html,
): Html {
  return html`<p><strong>${email ?? customer}</strong><br><span class="quiet">${id} · ${price} · ${describeSubscriptionStatus({ status })} · ${
    cancelAt === null ? 'renova' : 'termina'
  } em ${formatMoment(cancelAt ?? currentPeriodEnd)}</span></p>
<div class="actions">${form('refund', 'Reembolsar', { subscription: id })}${form('dispute', 'Contestar', { subscription: id })}${form('delete-customer', 'Apagar cliente', { customer })}</div>`;
}

export type ControlState = {
  /** What the emulator's clock says; seconds since 1970. */
  readonly now: number;
  readonly webhooks: { readonly held: boolean; readonly pending: number; readonly givenUp: number };
  readonly dunning: 'canceled' | 'unpaid';
  readonly subscriptions: readonly SubscriptionState[];
  readonly disputes: readonly { readonly id: string; readonly status: string }[];
};

type SubscriptionState = {
  readonly id: string;
  readonly customer: string;
  readonly email: string | null;
  readonly price: string;
  readonly status: string;
  readonly currentPeriodEnd: number;
  readonly cancelAt: number | null;
};

const MAX_SHOWN = 100;

/** How everything stands, for the control page and for tests. */
async function readState(ledger: Ledger): Promise<ControlState> {
  const settings = await ledger.require('emulator.settings', 'emulator_settings');
  const count = async (status: string) =>
    (await ledger.list('emulator.delivery', { match: { status }, limit: 1000 })).length;
  const subscriptions: SubscriptionState[] = [];
  for (const subscription of await ledger.list('subscription', { limit: MAX_SHOWN })) {
    const { id, status, cancel_at: cancelAt } = subscription;
    const item = itemOf(subscription);
    const customer = idOf(subscription.customer) ?? '';
    const email = (await ledger.find('customer', customer))?.email ?? null;
    subscriptions.push({
      id,
      customer,
      email,
      price: item.price.id,
      status,
      currentPeriodEnd: item.current_period_end,
      cancelAt,
    });
  }
  return {
    now: Math.floor(ledger.time),
    webhooks: { held: settings.isHeld, pending: await count('pending'), givenUp: await count('given_up') },
    dunning: settings.afterDunning,
    subscriptions,
    disputes: (await ledger.list('dispute', { limit: MAX_SHOWN })).map(({ id, status }) => ({ id, status })),
  };
}
