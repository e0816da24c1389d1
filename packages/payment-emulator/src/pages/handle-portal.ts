import { planPriceChange } from '../billing/price-changes.ts';
import { idOf } from '../ledger/ids.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { PortalDraft, Price } from '../ledger/object-kinds.ts';
import { readCustomerAccount } from './customer-account.ts';
import { isFresh, signForm } from './form-token.ts';
import { PageRefusal } from './html.ts';
import type { PageDeps } from './page-deps.ts';
import { type PortalAction, performPortalStep } from './perform-portal-step.ts';
import { redirectTo, renderMessage, renderUnknown } from './render-page.ts';
import {
  type PortalView,
  renderCancellation,
  renderCardPage,
  renderChange,
  renderPlanChoice,
  renderPortal,
  renderRefund,
} from './render-portal.ts';

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
    return deps.objectStore.read(async (ledger) => {
      const opened = await openPortal(deps, ledger, id);
      if (opened instanceof Response) return opened;
      return showStep(deps, ledger, { ...opened, url }, step);
    });
  const form = new URLSearchParams(await request.text());
  try {
    return await deps.objectStore.change((ledger) => takeForm(deps, ledger, { id, step, form }));
  } catch (error) {
    if (!(error instanceof PageRefusal)) throw error;
    return redirectBack(deps, id, error.notice, error.step);
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
    return redirectBack(deps, id, opened.draft.lastNotice ?? 'stale');
  const notice = await performPortalStep(ledger, opened.account, step as PortalAction, form);
  if (notice === undefined) return renderUnknown();
  opened.draft.version += 1;
  opened.draft.lastNotice = notice;
  const { flow } = opened.session;
  if (flow?.after_completion.redirect) return redirectTo(flow.after_completion.redirect.return_url);
  if (flow?.after_completion.type === 'hosted_confirmation')
    return redirectTo(`${deps.siteUrl}/portal/${id}/done?notice=${notice}`);
  return redirectTo(`${deps.siteUrl}/portal/${id}/home?notice=${notice}`);
}

function redirectBack(deps: PageDeps, id: string, notice: string, step = '/home'): Response {
  return redirectTo(`${deps.siteUrl}/portal/${id}${step}${step.includes('?') ? '&' : '?'}notice=${notice}`);
}

/** A portal session that still holds, or the page that says why not. */
async function openPortal(deps: PageDeps, ledger: Ledger, id: string): Promise<Opened | Response> {
  const session = await ledger.find('billing_portal.session', id);
  const draft = session && (await ledger.find('emulator.portal', `draft_of_${id}`));
  if (!session || !draft) return renderUnknown();
  const account = await readCustomerAccount(ledger, session.customer);
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
  const formTarget = flow?.after_completion.redirect?.return_url ?? null;
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
  if (shown === 'card') return renderCardPage(view, backUrl, formTarget);
  if (shown === '' || shown === 'home' || !isAlive) return renderPortal(view);
  if (shown === 'cancel') return renderCancellation(view, backUrl, formTarget);
  if (shown === 'plan') return renderPlanChoice(view, await listSoldPrices(ledger));
  if (shown === 'confirm') return showChange(deps, ledger, view, { backUrl, formTarget });
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
  { backUrl, formTarget }: { backUrl: string; formTarget: string | null },
): Promise<Response> {
  const { session, account, url } = view;
  const { subscription } = account;
  const wanted = url.searchParams.get('price') ?? session.flow?.subscription_update_confirm?.items[0]?.price;
  const price = await ledger.find('price', wanted);
  if (!subscription || !price?.active || price.id === account.price?.id)
    return redirectBack(deps, session.id, 'nothing_to_change');
  if (account.openInvoice) return redirectBack(deps, session.id, 'pay_first');
  const quantity = subscription.items.data[0]?.quantity ?? 1;
  const planned = await planPriceChange(ledger, subscription, { price, quantity });
  const total = planned.lines.reduce((sum, { amount }) => sum + amount, 0);
  const due = Math.max(0, total + account.customer.balance);
  const isFlow = idOf(session.flow?.subscription_update_confirm?.subscription) !== null;
  const back = isFlow ? backUrl : `/payment-emulator/portal/${session.id}/plan`;
  return renderChange({ ...view, price, planned, due, backUrl: back, formTarget });
}
