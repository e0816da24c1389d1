import { itemOf } from '../billing/keep-subscription.ts';
import type { PlannedChange } from '../billing/plan-price-change.ts';
import type { Price } from '../ledger/object-kinds.ts';
import { renderToken } from './form-token.ts';
import { describeCycle, describeInterval, formatAmount, formatDay } from './format-words.ts';
import { type Html, html } from './html.ts';
import { renderNotice } from './render-notice.ts';
import { renderPage } from './render-page.ts';
import { type PortalView, portalPath } from './render-portal.ts';

export type ChangeView = PortalView & {
  readonly price: Price;
  readonly planned: PlannedChange;
  /** What the change asks for now, in cents, with the customer's balance worked in. */
  readonly due: number;
  readonly backUrl: string;
  readonly leadsTo: string | null;
};

/** Before a change of plan: every amount, and what is paid now. */
export function renderChange(view: ChangeView): Response {
  const { session, price, planned, token, backUrl, leadsTo, url } = view;
  return renderPage({
    title: 'Confirmar mudança de plano',
    leadsTo: [leadsTo],
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
