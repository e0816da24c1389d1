import { findTestCard, saveCard, type TestCard } from '../billing/cards.ts';
import { buildCustomer, isDeleted } from '../billing/customers.ts';
import { findRedeemableCoupon } from '../billing/discounts.ts';
import { startSubscription } from '../billing/start-subscription.ts';
import { createId } from '../ledger/ids.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { CheckoutDraft, CheckoutSession, Customer } from '../ledger/object-kinds.ts';
import { readCardChoice } from './card-choice.ts';
import { isFresh, signForm } from './form-token.ts';
import { type NoticeCode, noticeOfDecline } from './format-words.ts';
import type { PageDeps } from './page-deps.ts';
import { computeTotals, renderCheckout, renderConfirmation } from './render-checkout.ts';
import { redirectTo, renderMessage, renderUnknown } from './render-page.ts';

type Step = 'pay' | 'code' | 'remove-code' | 'confirm';
type Opened = {
  readonly session: CheckoutSession;
  readonly draft: CheckoutDraft;
  readonly customer: Customer | undefined;
  readonly token: string;
};

const EMAIL = /^[^\s@]{1,64}@[^\s@]+\.[^\s@]+$/;

/** Answers the pages of one checkout and takes their forms. */
export async function handleCheckout(
  deps: PageDeps,
  request: Request,
  id: string,
  step: Step,
): Promise<Response> {
  const url = new URL(request.url);
  if (request.method === 'GET')
    return deps.objectStore.read(async (ledger) => {
      const opened = await openCheckout(deps, ledger, id);
      if (opened instanceof Response) return opened;
      const view = { ...opened, url };
      if (step === 'confirm' && opened.draft.awaitingCard !== null) return renderConfirmation(ledger, view);
      return renderCheckout(ledger, view);
    });
  const form = new URLSearchParams(await request.text());
  return deps.objectStore.change(async (ledger) => {
    const opened = await openCheckout(deps, ledger, id);
    // Whoever clicks twice has paid once: both clicks lead to the same page.
    if (opened instanceof Response) return (await findCompletion(ledger, id)) ?? opened;
    if (!isFresh(form.get('token'), opened.token))
      return redirectTo(`${deps.siteUrl}/checkout/${id}${opened.draft.redirectedTo ?? '?notice=stale'}`);
    opened.draft.version += 1;
    ledger.save('emulator.checkout', opened.draft);
    if (step === 'code') return applyCode(deps, ledger, opened, form);
    if (step === 'remove-code') return removeCode(deps, opened);
    if (step === 'confirm') return confirm(deps, ledger, opened, form);
    return pay(deps, ledger, opened, form);
  });
}

/** A checkout that can still be paid, or the page that says why not. */
async function openCheckout(deps: PageDeps, ledger: Ledger, id: string): Promise<Opened | Response> {
  const session = await ledger.find('checkout.session', id);
  const draft = session && (await ledger.list('emulator.checkout', { match: { session: id }, limit: 1 }))[0];
  if (!session || !draft) return renderUnknown();
  if (session.status === 'complete')
    return renderMessage({
      title: 'Pagamento concluído',
      text: 'Esta assinatura já foi paga.',
      link: { url: fillSuccessUrl(session), label: 'Voltar para a Linkoteca' },
    });
  const customer = session.customer === null ? undefined : await ledger.find('customer', session.customer);
  const isOver = session.status !== 'open' || session.expires_at <= ledger.time;
  if (isOver || (customer && isDeleted(customer)))
    return renderMessage({
      title: 'Esta página expirou',
      text: 'Nada foi cobrado. Volte à Linkoteca e escolha o plano de novo.',
      status: 410,
      link: session.cancel_url ? { url: session.cancel_url, label: 'Voltar para a Linkoteca' } : null,
    });
  const token = signForm(deps.secretKey, `checkout/${id}`, draft.version);
  return { session, draft, customer, token };
}

async function findCompletion(ledger: Ledger, id: string): Promise<Response | undefined> {
  const session = await ledger.find('checkout.session', id);
  return session?.status === 'complete' ? redirectTo(fillSuccessUrl(session)) : undefined;
}

function fillSuccessUrl(session: CheckoutSession): string {
  return (session.success_url ?? '').replaceAll('{CHECKOUT_SESSION_ID}', session.id);
}

function redirectBack(deps: PageDeps, { session, draft }: Opened, notice?: NoticeCode, step = ''): Response {
  draft.redirectedTo = `${step}${notice === undefined ? '' : `?notice=${notice}`}`;
  return redirectTo(`${deps.siteUrl}/checkout/${session.id}${draft.redirectedTo}`);
}

async function applyCode(
  deps: PageDeps,
  ledger: Ledger,
  opened: Opened,
  form: URLSearchParams,
): Promise<Response> {
  const { session, draft } = opened;
  const code = (form.get('code') ?? '').trim().toUpperCase();
  const [promotion] = await ledger.list('promotion_code', { match: { code }, limit: 1 });
  if (!session.allow_promotion_codes || !promotion || !(await findRedeemableCoupon(ledger, promotion)))
    return redirectBack(deps, opened, 'code_unknown');
  draft.promotionCode = promotion.id;
  return redirectBack(deps, opened);
}

function removeCode(deps: PageDeps, opened: Opened): Response {
  opened.draft.promotionCode = null;
  return redirectBack(deps, opened);
}

async function pay(deps: PageDeps, ledger: Ledger, opened: Opened, form: URLSearchParams): Promise<Response> {
  const { session, draft, customer } = opened;
  const known = customer?.email ?? session.customer_email;
  const email = known ?? (form.get('email') ?? '').trim();
  if (!known) draft.email = email.slice(0, 254);
  if (!EMAIL.test(email)) return redirectBack(deps, opened, 'email_invalid');
  const { card, fault } = readCardChoice(form, ledger.time);
  if (fault !== undefined) return redirectBack(deps, opened, fault);
  if (card.asksConfirmation) {
    draft.awaitingCard = card.token;
    return redirectBack(deps, opened, undefined, '/confirm');
  }
  return charge(deps, ledger, opened, card);
}

async function confirm(
  deps: PageDeps,
  ledger: Ledger,
  opened: Opened,
  form: URLSearchParams,
): Promise<Response> {
  const { draft } = opened;
  const card = findTestCard(draft.awaitingCard ?? '');
  draft.awaitingCard = null;
  if (!card) return redirectBack(deps, opened, 'stale');
  if (form.get('answer') !== 'yes') return redirectBack(deps, opened, 'confirmation_refused');
  return charge(deps, ledger, opened, card);
}

/** A refused card leaves nothing behind: at Stripe, too, the subscription comes with the payment. */
async function charge(deps: PageDeps, ledger: Ledger, opened: Opened, card: TestCard): Promise<Response> {
  const { session, draft, customer } = opened;
  if (card.decline !== null && !card.sparesFirstCharge)
    return redirectBack(deps, opened, noticeOfDecline(card.decline));
  const email = customer?.email ?? session.customer_email ?? draft.email;
  await completeCheckout(ledger, { session, draft, card, email });
  return redirectTo(fillSuccessUrl(session));
}

type CheckoutPayment = {
  readonly session: CheckoutSession;
  readonly draft: CheckoutDraft;
  readonly card: TestCard;
  readonly email: string | null;
};

/** Pays a checkout: the customer, their card and their subscription come to be, and the session is complete. */
async function completeCheckout(
  ledger: Ledger,
  { session, draft, card, email }: CheckoutPayment,
): Promise<void> {
  const totals = await computeTotals(ledger, draft);
  const customer = await findOrCreateCustomer(ledger, session, email);
  const method = saveCard(ledger, customer, card);
  const { subscription, invoice } = await startSubscription(
    ledger,
    {
      customer,
      price: totals.price,
      quantity: draft.quantity,
      trialEnd: draft.trialEnd,
      metadata: draft.subscriptionMetadata,
      paymentMethod: method.id,
    },
    totals.redeemed,
  );
  session.status = 'complete';
  session.payment_status = invoice.amount_paid > 0 ? 'paid' : 'no_payment_required';
  session.customer = customer.id;
  session.customer_details = {
    address: null,
    business_name: null,
    email: customer.email,
    individual_name: null,
    name: customer.name ?? null,
    phone: null,
    tax_exempt: 'none',
    tax_ids: [],
  };
  session.subscription = subscription.id;
  session.invoice = invoice.id;
  session.amount_total = totals.today;
  session.total_details = {
    amount_discount: totals.isTrial ? 0 : totals.discount,
    amount_shipping: 0,
    amount_tax: 0,
  };
  session.url = null;
  await countRedemption(ledger, totals.redeemed?.promotionCode ?? null);
  ledger.save('checkout.session', session, { dueAt: null });
  ledger.emit('checkout.session.completed', session);
}

async function findOrCreateCustomer(
  ledger: Ledger,
  session: CheckoutSession,
  email: string | null,
): Promise<Customer> {
  if (session.customer !== null) return ledger.require('customer', session.customer);
  const customer = buildCustomer(ledger, createId('cus'));
  customer.email = email;
  ledger.save('customer', customer);
  ledger.emit('customer.created', customer);
  return customer;
}

async function countRedemption(ledger: Ledger, promotionCode: string | null): Promise<void> {
  const promotion = await ledger.find('promotion_code', promotionCode);
  if (!promotion) return;
  promotion.times_redeemed += 1;
  ledger.save('promotion_code', promotion);
}
