import { findObject } from '../api/find-object.ts';
import { findRedeemableCoupon, type RedeemableCoupon } from '../billing/discounts.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { CheckoutDraft, CheckoutSession, Customer, Price } from '../ledger/object-kinds.ts';
import { renderCardChoice } from './card-choice.ts';
import { renderToken } from './form-token.ts';
import { describeInterval, formatAmount, formatDay } from './format-words.ts';
import { type Html, html, renderNotice } from './html.ts';
import { renderPage } from './render-page.ts';

export type CheckoutView = {
  readonly session: CheckoutSession;
  readonly draft: CheckoutDraft;
  readonly customer: Customer | undefined;
  readonly token: string;
  readonly url: URL;
};

/** The checkout: what is bought on the left, who pays with what on the right. */
export async function renderCheckout(ledger: Ledger, view: CheckoutView): Promise<Response> {
  const totals = await computeTotals(ledger, view.draft);
  const { session, url } = view;
  return renderPage({
    title: `Assinar ${totals.price.nickname}`,
    returnUrl: session.cancel_url,
    formTargets: [session.success_url],
    isNarrow: false,
    body: html`<div class="split">
<section aria-label="Resumo do pedido">${renderSummary(view, totals)}</section>
<section class="card" aria-label="Pagamento">${renderNotice(url)}${renderPayment(view, totals)}</section>
</div>`,
  });
}

function renderSummary({ session, draft, token }: CheckoutView, totals: CheckoutTotals): Html {
  const { price, redeemed, subtotal, discount, today, isTrial } = totals;
  const amount = (cents: number) => formatAmount(cents, price.currency);
  const path = `checkout/${session.id}`;
  return html`<h1>Assinar ${price.nickname}</h1>
<p class="price">${amount(subtotal)} <small>${describeInterval(price)}</small></p>
${isTrial ? html`<p>Grátis até ${formatDay(draft.trialEnd ?? 0)}. Depois, ${amount(subtotal)} ${describeInterval(price)}.</p>` : null}
<table class="rows"><tbody>
<tr><th scope="row">${price.nickname}<br><span class="quiet">Cobrança ${describeInterval(price)}</span></th><td>${amount(subtotal)}</td></tr>
${
  redeemed
    ? html`<tr><th scope="row">${redeemed.coupon.name ?? 'Desconto'}<br><span class="quiet">${describeDuration(redeemed.coupon.duration)}</span></th><td>−${amount(discount)}</td></tr>`
    : null
}
<tr class="total"><th scope="row">Total de hoje</th><td>${amount(today)}</td></tr>
</tbody></table>
${session.allow_promotion_codes ? renderPromotion(path, token, redeemed?.promotionCode ?? null) : null}`;
}

function describeDuration(duration: string): string {
  return duration === 'once' ? 'Só na primeira cobrança' : 'Nas próximas cobranças';
}

function renderPromotion(path: string, token: string, applied: string | null): Html {
  if (applied !== null)
    return html`<form method="post" action="/payment-emulator/${path}/remove-code">${renderToken(token)}<button>Remover código promocional</button></form>`;
  return html`<form method="post" action="/payment-emulator/${path}/code">${renderToken(token)}
<label class="field">Código promocional<span class="inline"><input name="code" autocomplete="off" maxlength="40"><button>Aplicar</button></span></label></form>`;
}

function renderPayment({ session, draft, customer, token }: CheckoutView, totals: CheckoutTotals): Html {
  const email = customer?.email ?? session.customer_email;
  return html`<form method="post" action="/payment-emulator/checkout/${session.id}">${renderToken(token)}
<h2>Pagar com cartão</h2>
${
  email
    ? html`<p><span class="quiet">E-mail</span><br>${email}</p>`
    : html`<label class="field">E-mail<input type="email" name="email" required maxlength="254" value="${draft.email ?? ''}"></label>`
}
${renderCardChoice()}
<p class="quiet">${describePromise(totals)}</p>
<button class="main whole">Assinar</button>
</form>`;
}

function describePromise({ price, subtotal, today, isTrial }: CheckoutTotals): string {
  const regular = `${formatAmount(subtotal, price.currency)} ${describeInterval(price)}, até você cancelar.`;
  if (isTrial) return `Nada é cobrado hoje. Depois do período grátis, ${regular}`;
  return `Ao assinar, você paga ${formatAmount(today, price.currency)} agora. Depois, ${regular}`;
}

/** The page of the card's bank: its owner confirms the payment or does not (3D Secure). */
export async function renderConfirmation(
  ledger: Ledger,
  { session, draft, token }: CheckoutView,
): Promise<Response> {
  const { today, price } = await computeTotals(ledger, draft);
  const path = `/payment-emulator/checkout/${session.id}/confirm`;
  return renderPage({
    title: 'Confirme o pagamento',
    formTargets: [session.success_url],
    body: html`<section class="card"><h1>Confirme o pagamento</h1>
<p>O banco do cartão de teste pede a sua confirmação: ${formatAmount(today, price.currency)} para ${price.nickname}.</p>
<div class="actions">
<form method="post" action="${path}">${renderToken(token)}<button class="main" name="answer" value="yes">Confirmar pagamento</button></form>
<form method="post" action="${path}">${renderToken(token)}<button name="answer" value="no">Recusar pagamento</button></form>
</div></section>`,
  });
}

type CheckoutTotals = {
  readonly price: Price;
  readonly redeemed: RedeemableCoupon | undefined;
  readonly isTrial: boolean;
  /** Cents: what the price asks for, what the discount takes off, and what is paid today. */
  readonly subtotal: number;
  readonly discount: number;
  readonly today: number;
};

/** What a checkout costs as it stands. */
export async function computeTotals(ledger: Ledger, draft: CheckoutDraft): Promise<CheckoutTotals> {
  const price = await findObject(ledger, 'price', draft.price);
  const redeemed = await findDraftCoupon(ledger, draft);
  const subtotal = (price.unit_amount ?? 0) * draft.quantity;
  const { percent_off: percent = null, amount_off: amount = null } = redeemed?.coupon ?? {};
  const discount =
    percent === null ? Math.min(amount ?? 0, subtotal) : Math.round((subtotal * percent) / 100);
  const isTrial = draft.trialEnd !== null;
  return { price, redeemed, isTrial, subtotal, discount, today: isTrial ? 0 : subtotal - discount };
}

async function findDraftCoupon(ledger: Ledger, draft: CheckoutDraft): Promise<RedeemableCoupon | undefined> {
  const promotion = await ledger.find('promotion_code', draft.promotionCode);
  if (promotion) return findRedeemableCoupon(ledger, promotion);
  const coupon = await ledger.find('coupon', draft.coupon);
  return coupon ? { coupon, promotionCode: null } : undefined;
}
