import { itemOf } from '../billing/keep-subscription.ts';
import { type PlannedChange, planPriceChange } from '../billing/price-changes.ts';
import { idOf } from '../ledger/ids.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { PortalDraft, Price } from '../ledger/object-kinds.ts';
import { isFresh, renderToken, signForm } from './form-token.ts';
import { describeCycle, describeInterval, formatAmount, formatDay } from './format-words.ts';
import { type Html, html, PageRefusal, renderNotice } from './html.ts';
import type { PageDeps } from './page-deps.ts';
import { type PortalAction, performPortalStep } from './perform-portal-step.ts';
import { renderMessage, renderUnknown } from './render-message.ts';
import { leadTo, renderPage } from './render-page.ts';
import {
  type PortalView,
  portalPath,
  renderCancellation,
  renderCardPage,
  renderPlanChoice,
  renderPortal,
  renderRefund,
} from './render-portal.ts';
import { readAccount } from './subscription-summary.ts';

type Opened = Omit<PortalView, 'url'> & { readonly draft: PortalDraft };

/** Answers the pages of one portal session and takes their forms. */
export async function handlePortal(
  deps: PageDeps,
  request: Request,
  id: string,
  step: string,
): Promise<Response> {
  const url = new URL(request.url);
  if (request.method === 'GET')
    return deps.books.read(async (ledger) => {
      const opened = await openPortal(deps, ledger, id);
      if (opened instanceof Response) return opened;
      return showStep(deps, ledger, { ...opened, url }, step);
    });
  const form = new URLSearchParams(await request.text());
  try {
    return await deps.books.change((ledger) => takeForm(deps, ledger, { id, step, form }));
  } catch (error) {
    if (!(error instanceof PageRefusal)) throw error;
    return leadBack(deps, id, error.notice, error.step);
  }
}

async function takeForm(
  deps: PageDeps,
  ledger: Ledger,
  { id, step, form }: { id: string; step: string; form: URLSearchParams },
): Promise<Response> {
  const opened = await openPortal(deps, ledger, id);
  if (opened instanceof Response) return opened;
  // Whoever clicks twice did it once: the second click only shows how things stand.
  if (!isFresh(form.get('token'), opened.token))
    return leadBack(deps, id, opened.draft.lastNotice ?? 'stale');
  const notice = await performPortalStep(ledger, opened.account, step as PortalAction, form);
  if (notice === undefined) return renderUnknown();
  opened.draft.version += 1;
  opened.draft.lastNotice = notice;
  const { flow } = opened.session;
  if (flow?.after_completion.redirect) return leadTo(flow.after_completion.redirect.return_url);
  if (flow?.after_completion.type === 'hosted_confirmation')
    return leadTo(`${deps.siteUrl}/portal/${id}/done?notice=${notice}`);
  return leadTo(`${deps.siteUrl}/portal/${id}/home?notice=${notice}`);
}

function leadBack(deps: PageDeps, id: string, notice: string, step = '/home'): Response {
  return leadTo(`${deps.siteUrl}/portal/${id}${step}${step.includes('?') ? '&' : '?'}notice=${notice}`);
}

/** A portal session that still holds, or the page that says why not. */
async function openPortal(deps: PageDeps, ledger: Ledger, id: string): Promise<Opened | Response> {
  const session = await ledger.find('billing_portal.session', id);
  const draft = session && (await ledger.find('emulator.portal', `draft_of_${id}`));
  if (!session || !draft) return renderUnknown();
  const account = await readAccount(ledger, session.customer);
  if (draft.expiresAt <= ledger.time || !account)
    return renderMessage({
      title: 'Esta página expirou',
      text: 'Volte à Linkoteca e abra o gerenciamento da assinatura de novo.',
      status: 410,
      link: session.return_url ? { url: session.return_url, label: 'Voltar para a Linkoteca' } : null,
    });
  return { session, account, draft, token: signForm(deps.secretKey, `portal/${id}`, draft.version) };
}

async function showStep(deps: PageDeps, ledger: Ledger, view: PortalView, step: string): Promise<Response> {
  const { session, account } = view;
  const home = `/payment-emulator/portal/${session.id}`;
  const { flow } = session;
  const leadsTo = flow?.after_completion.redirect?.return_url ?? null;
  const backUrl = flow ? (session.return_url ?? `${home}/home`) : home;
  const isAlive = account.subscription !== undefined && account.subscription.ended_at === null;
  // The first page of a session with a flow is the flow's own.
  const shown = step === '' && flow ? stepOfFlow(flow.type) : step;
  if (shown === 'done')
    return renderMessage({
      title: 'Pronto!',
      text: 'Você já pode fechar esta página.',
      link: returnLink(view),
    });
  if (shown === 'card') return renderCardPage(view, backUrl, leadsTo);
  if (shown === '' || shown === 'home' || !isAlive) return renderPortal(view);
  if (shown === 'cancel') return renderCancellation(view, backUrl, leadsTo);
  if (shown === 'plan') return renderPlanChoice(view, await listSoldPrices(ledger));
  if (shown === 'confirm') return showChange(deps, ledger, view, { backUrl, leadsTo });
  if (shown === 'refund' && account.refundable.length > 0) return renderRefund(view);
  return renderPortal(view);
}

function returnLink({ session }: PortalView) {
  return session.return_url ? { url: session.return_url, label: 'Voltar para a Linkoteca' } : null;
}

function stepOfFlow(type: string): string {
  if (type === 'payment_method_update') return 'card';
  if (type === 'subscription_cancel') return 'cancel';
  return type === 'subscription_update_confirm' ? 'confirm' : 'plan';
}

async function listSoldPrices(ledger: Ledger): Promise<Price[]> {
  return (await ledger.list('price', { match: { active: true } })).reverse();
}

async function showChange(
  deps: PageDeps,
  ledger: Ledger,
  view: PortalView,
  { backUrl, leadsTo }: { backUrl: string; leadsTo: string | null },
): Promise<Response> {
  const { session, account, url } = view;
  const { subscription } = account;
  const wanted = url.searchParams.get('price') ?? session.flow?.subscription_update_confirm?.items[0]?.price;
  const price = await ledger.find('price', wanted);
  if (!subscription || !price?.active || price.id === account.price?.id)
    return leadBack(deps, session.id, 'nothing_to_change');
  if (account.openInvoice) return leadBack(deps, session.id, 'pay_first');
  const quantity = subscription.items.data[0]?.quantity ?? 1;
  const planned = await planPriceChange(ledger, subscription, { price, quantity });
  const total = planned.lines.reduce((sum, { amount }) => sum + amount, 0);
  const due = Math.max(0, total + account.customer.balance);
  const isFlow = idOf(session.flow?.subscription_update_confirm?.subscription) !== null;
  const back = isFlow ? backUrl : `/payment-emulator/portal/${session.id}/plan`;
  return renderChange({ ...view, price, planned, due, backUrl: back, leadsTo });
}

type ChangeView = PortalView & {
  readonly price: Price;
  readonly planned: PlannedChange;
  /** What the change asks for now, in cents, with the customer's balance worked in. */
  readonly due: number;
  readonly backUrl: string;
  readonly leadsTo: string | null;
};

/** Before a change of plan: every amount, and what is paid now. */
function renderChange(view: ChangeView): Response {
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
