import { renderToken } from '../pages/form-token.ts';
import { describeDisputeStatus, describeSubscriptionStatus, formatMoment } from '../pages/format-words.ts';
import { type Html, html } from '../pages/html.ts';
import { renderPage } from '../pages/render-page.ts';
import type { ControlState, SubscriptionState } from './read-state.ts';

/** The control page: what a developer turns to see the days go by. */
export function renderControl(state: ControlState, token: string): Response {
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
