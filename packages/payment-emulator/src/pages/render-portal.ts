import type { PlannedChange } from '../billing/price-changes.ts';
import { itemOf } from '../billing/subscriptions.ts';
import type { Invoice, PortalSession, Price, Subscription } from '../ledger/object-kinds.ts';
import { renderCardChoice } from './card-choice.ts';
import type { CustomerAccount } from './customer-account.ts';
import { renderToken } from './form-token.ts';
import {
  describeCard,
  describeCycle,
  describeInterval,
  describeInvoiceStatus,
  describeSubscriptionStatus,
  formatAmount,
  formatDay,
} from './format-words.ts';
import { type Html, html, renderNotice } from './html.ts';
import { renderPage } from './render-page.ts';

export type PortalView = {
  readonly session: PortalSession;
  readonly account: CustomerAccount;
  readonly token: string;
  readonly url: URL;
};

/** The address of a portal's page on its own server. */
export function portalPath({ id }: Pick<PortalSession, 'id'>, step = ''): string {
  return `/payment-emulator/portal/${id}${step}`;
}

/** The portal's first page: what the customer has, and what they can do about it. */
export function renderPortal(view: PortalView): Response {
  const { session, account, url } = view;
  return renderPage({
    title: 'Sua assinatura',
    returnUrl: session.return_url,
    body: html`<h1>Sua assinatura</h1>
<p class="quiet">${account.customer.email ?? ''}</p>
${renderNotice(url)}
<section class="card"><h2>Assinatura atual</h2>${renderSubscription(view)}</section>
<section class="card"><h2>Cartão</h2><p>${describeCard(account.card)}</p>
<p class="actions"><a class="button" href="${portalPath(session, '/card')}">Trocar cartão</a></p></section>
<section class="card"><h2>Faturas</h2>${renderInvoices(account.invoices)}</section>
${session.return_url ? html`<p><a href="${session.return_url}">Voltar para a Linkoteca</a></p>` : null}`,
  });
}

function renderSubscription({ session, account, token }: PortalView): Html {
  const { subscription, price, openInvoice, refundable } = account;
  if (!subscription || !price) return html`<p>Você não tem assinatura.</p>`;
  const isAlive = subscription.ended_at === null;
  return html`<p class="price">${price.nickname} <small>${formatAmount(price.unit_amount ?? 0, price.currency)} ${describeInterval(price)}</small></p>
<p>${describeSubscriptionStatus(subscription)}. ${isAlive ? describeFuture(account, subscription, price) : null}</p>
${openInvoice && isAlive ? renderOpenInvoice(session, openInvoice, token) : null}
<div class="actions">
${isAlive ? renderActions(session, subscription, token) : null}
${refundable.length > 0 ? html`<a class="button" href="${portalPath(session, '/refund')}">Pedir reembolso</a>` : null}
</div>`;
}

function renderActions(session: PortalSession, subscription: Subscription, token: string): Html {
  if (subscription.cancel_at !== null)
    return html`<form method="post" action="${portalPath(session, '/resume')}">${renderToken(token)}<button class="main">Manter assinatura</button></form>`;
  return html`<a class="button main" href="${portalPath(session, '/plan')}">Mudar de plano</a>
<a class="button danger" href="${portalPath(session, '/cancel')}">Cancelar assinatura</a>`;
}

function describeFuture({ nextAmount }: CustomerAccount, subscription: Subscription, price: Price): string {
  if (subscription.cancel_at !== null)
    return `Termina em ${formatDay(subscription.cancel_at)} e não será cobrada de novo.`;
  const end =
    subscription.status === 'trialing' ? subscription.trial_end : itemOf(subscription).current_period_end;
  return `Próxima cobrança em ${formatDay(end ?? 0)}: ${formatAmount(nextAmount, price.currency)}.`;
}

function renderOpenInvoice(session: PortalSession, invoice: Invoice, token: string): Html {
  return html`<div class="notice fault"><p>Não conseguimos cobrar ${formatAmount(invoice.amount_remaining, invoice.currency)}. Troque o cartão ou tente de novo.</p>
<form method="post" action="${portalPath(session, '/pay')}">${renderToken(token)}<button>Pagar agora</button></form></div>`;
}

function renderInvoices(invoices: readonly Invoice[]): Html {
  if (invoices.length === 0) return html`<p>Nenhuma fatura ainda.</p>`;
  return html`<div class="wide"><table class="rows"><tbody>${invoices.map(
    (
      invoice,
    ) => html`<tr><th scope="row">${formatDay(invoice.created)}<br><span class="quiet">${invoice.number}</span></th>
<td>${describeInvoiceStatus(invoice)}</td><td>${formatAmount(invoice.total, invoice.currency)}<br><a href="/payment-emulator/invoices/${invoice.id}" aria-label="Ver recibo ${invoice.number}">Ver recibo</a></td></tr>`,
  )}</tbody></table></div>`;
}

/** The other plans, to choose one. */
export function renderPlanChoice({ session, account, url }: PortalView, prices: readonly Price[]): Response {
  const current = account.price?.id;
  const others = prices.filter(({ id }) => id !== current);
  return renderPage({
    title: 'Mudar de plano',
    body: html`<section class="card"><h1>Mudar de plano</h1>${renderNotice(url)}
<form method="get" action="${portalPath(session, '/confirm')}">
<fieldset><legend>Novo plano</legend>${others.map(
      (price, index) =>
        html`<label class="choice"><input type="radio" name="price" value="${price.id}" required${
          index === 0 ? { markup: ' checked' } : null
        }><span>${price.nickname} ${describeCycle(price)}<span class="quiet">${formatAmount(price.unit_amount ?? 0, price.currency)} ${describeInterval(price)}</span></span></label>`,
    )}</fieldset>
<div class="actions"><button class="main">Continuar</button><a class="button" href="${portalPath(session)}">Voltar</a></div>
</form></section>`,
  });
}

/** Before a cancellation: what it means, and the way back. */
export function renderCancellation(
  { session, account, token }: PortalView,
  backUrl: string,
  formTarget: string | null,
): Response {
  const end = account.subscription ? itemOf(account.subscription).current_period_end : 0;
  return renderPage({
    title: 'Cancelar assinatura',
    formTargets: [formTarget],
    body: html`<section class="card"><h1>Cancelar assinatura</h1>
<p>${account.price?.nickname} continua com você até ${formatDay(end)}. Depois disso nada mais é cobrado, e seus links continuam guardados.</p>
<div class="actions">
<form method="post" action="${portalPath(session, '/cancel')}">${renderToken(token)}<button class="main">Cancelar assinatura</button></form>
<a class="button" href="${backUrl}">Não cancelar</a></div></section>`,
  });
}

/** A new card. */
export function renderCardPage(
  { session, token, url, account }: PortalView,
  backUrl: string,
  formTarget: string | null,
): Response {
  return renderPage({
    title: 'Trocar cartão',
    formTargets: [formTarget],
    body: html`<section class="card"><h1>Trocar cartão</h1>${renderNotice(url)}
<p>Cartão atual: ${describeCard(account.card)}.</p>
<form method="post" action="${portalPath(session, '/card')}">${renderToken(token)}${renderCardChoice()}
<div class="actions"><button class="main">Salvar cartão</button><a class="button" href="${backUrl}">Voltar</a></div></form></section>`,
  });
}

/** Before a refund. */
export function renderRefund({ session, account, token }: PortalView): Response {
  const total = account.refundable.reduce(
    (sum, { amount, amount_refunded }) => sum + amount - amount_refunded,
    0,
  );
  const currency = account.price?.currency ?? 'usd';
  return renderPage({
    title: 'Pedir reembolso',
    body: html`<section class="card"><h1>Pedir reembolso</h1>
<p>Devolvemos ${formatAmount(total, currency)} ao cartão, e a assinatura termina agora. Isso vale nos primeiros 14 dias depois do primeiro pagamento.</p>
<div class="actions">
<form method="post" action="${portalPath(session, '/refund')}">${renderToken(token)}<button class="main">Pedir reembolso</button></form>
<a class="button" href="${portalPath(session)}">Voltar</a></div></section>`,
  });
}

type ChangeView = PortalView & {
  readonly price: Price;
  readonly planned: PlannedChange;
  /** What the change asks for now, in cents, with the customer's balance worked in. */
  readonly due: number;
  readonly backUrl: string;
  readonly formTarget: string | null;
};

/** Before a change of plan: every amount, and what is paid now. */
export function renderChange(view: ChangeView): Response {
  const { session, price, planned, token, backUrl, formTarget, url } = view;
  return renderPage({
    title: 'Confirmar mudança de plano',
    formTargets: [formTarget],
    body: html`<section class="card"><h1>Confirmar mudança de plano</h1>${renderNotice(url)}
<p>De ${view.account.price?.nickname} ${view.account.price ? describeCycle(view.account.price) : null} para <strong>${price.nickname} ${describeCycle(price)}</strong>, ${formatAmount(price.unit_amount ?? 0, price.currency)} ${describeInterval(price)}.</p>
${renderAmounts(view)}
<p class="quiet">${describeNext(view)}</p>
<form method="post" action="${portalPath(session, '/change')}">${renderToken(token)}
<input type="hidden" name="price" value="${price.id}"><input type="hidden" name="at" value="${planned.time}">
<div class="actions"><button class="main">Confirmar mudança</button><a class="button" href="${backUrl}">Voltar</a></div></form></section>`,
  });
}

function renderAmounts({ planned, price, account, due }: ChangeView): Html {
  const amount = (cents: number) => formatAmount(cents, price.currency);
  const balance = account.customer.balance;
  const total = planned.lines.reduce((sum, line) => sum + line.amount, 0);
  const credit = Math.min(0, total + balance);
  return html`<table class="rows"><tbody>${planned.lines.map(
    (line) =>
      html`<tr><th scope="row">${line.amount < 0 ? 'Tempo não usado' : line.isProration ? 'Resto do período' : 'Novo período'}: ${line.price.nickname} ${describeCycle(line.price)}</th><td>${amount(line.amount)}</td></tr>`,
  )}
${balance !== 0 ? html`<tr><th scope="row">Saldo</th><td>${amount(balance)}</td></tr>` : null}
<tr class="total"><th scope="row">Total a pagar agora</th><td>${amount(due)}</td></tr>
${credit < 0 ? html`<tr><th scope="row">Crédito para as próximas faturas</th><td>${amount(-credit)}</td></tr>` : null}
</tbody></table>`;
}

function describeNext({ planned, account, price }: ChangeView): string {
  const item = account.subscription && itemOf(account.subscription);
  const end = planned.newPeriod?.end ?? item?.current_period_end ?? 0;
  const cancelAt = account.subscription?.cancel_at ?? null;
  if (cancelAt !== null)
    return `Sua assinatura continua marcada para terminar em ${formatDay(planned.newPeriod?.end ?? cancelAt)}.`;
  return `A partir de ${formatDay(end)}, ${formatAmount(price.unit_amount ?? 0, price.currency)} ${describeInterval(price)}.`;
}
