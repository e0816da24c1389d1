import { findPaidCharge } from '../billing/charges.ts';
import { isDeleted } from '../billing/customers.ts';
import { handleControl, unknownPath } from '../control/handle-control.ts';
import type { RequestOrigin } from '../emulator-options.ts';
import { idOf } from '../ledger/ids.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { describeInvoiceStatus, formatAmount, formatDay } from './format-words.ts';
import { handleCheckout } from './handle-checkout.ts';
import { handlePortal } from './handle-portal.ts';
import { html } from './html.ts';
import type { PageDeps } from './page-deps.ts';
import { HOME, renderMessage, renderPage, renderUnknown } from './render-page.ts';

const CHECKOUT = /^\/checkout\/(cs_test_\w+)(?:\/(code|remove-code|confirm))?$/;
const PORTAL = /^\/portal\/(bps_\w+)(?:\/(home|done|plan|confirm|change|cancel|resume|card|pay|refund))?$/;
const INVOICE = /^\/invoices\/(in_\w+)$/;

/** Answers the pages that people see, and the control page. Never rejects. */
export async function handlePageRequest(
  deps: PageDeps,
  request: Request,
  path: string,
  origin: RequestOrigin,
): Promise<Response> {
  try {
    const isKnownMethod = request.method === 'GET' || request.method === 'POST';
    if (path === '' || path === '/' || path.startsWith('/control/'))
      return await handleControl(deps, request, path === '/' ? '' : path, origin);
    const checkout = CHECKOUT.exec(path);
    const portal = PORTAL.exec(path);
    const invoice = INVOICE.exec(path);
    if (checkout?.[1] !== undefined && isKnownMethod)
      return await handleCheckout(deps, request, checkout[1], (checkout[2] ?? 'pay') as 'pay');
    if (portal?.[1] !== undefined && isKnownMethod)
      return await handlePortal(deps, request, portal[1], portal[2] ?? '');
    if (invoice?.[1] !== undefined && request.method === 'GET') {
      const id = invoice[1];
      return await deps.objectStore.read((ledger) => renderReceipt(ledger, id));
    }
    return /^\/(checkout|portal|invoices)\//.test(path) ? renderUnknown() : unknownPath();
  } catch (error) {
    deps.logger.error(
      { err: error, path: path.split('/')[1] },
      'the payment emulator could not render a page',
    );
    return renderMessage({
      title: 'Algo deu errado',
      text: 'Nada foi cobrado. Volte e tente de novo daqui a pouco.',
      status: 500,
      link: HOME,
    });
  }
}

/** An invoice and its receipt. Its id is the key to the page. */
async function renderReceipt(ledger: Ledger, id: string): Promise<Response> {
  const invoice = await ledger.find('invoice', id);
  const customer = invoice && (await ledger.find('customer', idOf(invoice.customer)));
  if (!invoice || !customer) return renderUnknown();
  const charge = await findPaidCharge(ledger, invoice);
  const amount = (cents: number) => formatAmount(cents, invoice.currency);
  const discount = (invoice.total_discount_amounts ?? []).reduce((sum, { amount: cents }) => sum + cents, 0);
  const used = invoice.total + invoice.starting_balance < 0 ? -invoice.total : invoice.starting_balance;
  return renderPage({
    title: `Recibo ${invoice.number}`,
    body: html`<section class="card"><h1>Recibo ${invoice.number}</h1>
<p class="quiet">Linkoteca · ${formatDay(invoice.created)}${isDeleted(customer) ? null : html` · ${invoice.customer_email}`}</p>
<p class="price">${amount(invoice.total)} <small>${charge?.refunded ? 'Reembolsada' : describeInvoiceStatus(invoice)}</small></p>
<div class="wide"><table class="rows"><tbody>${invoice.lines.data.map(
      (line) =>
        html`<tr><th scope="row">${describeLine(line.description ?? '')}<br><span class="quiet">${formatDay(line.period.start)} a ${formatDay(line.period.end)}</span></th><td>${amount(line.amount)}</td></tr>`,
    )}
${discount > 0 ? html`<tr><th scope="row">Desconto</th><td>−${amount(discount)}</td></tr>` : null}
${used !== 0 ? html`<tr><th scope="row">Saldo usado</th><td>${amount(used)}</td></tr>` : null}
<tr class="total"><th scope="row">${invoice.status === 'paid' ? 'Pago' : 'A pagar'}</th><td>${amount(invoice.status === 'paid' ? invoice.amount_paid : invoice.amount_remaining)}</td></tr>
${charge && charge.amount_refunded > 0 ? html`<tr><th scope="row">Devolvido</th><td>${amount(charge.amount_refunded)}</td></tr>` : null}
</tbody></table></div>
${charge?.payment_method_details?.card ? html`<p class="quiet">Pago com o cartão de teste •••• ${charge.payment_method_details.card.last4}.</p>` : null}
</section>`,
  });
}

/** The API's own lines are English, as Stripe's are. */
function describeLine(description: string): string {
  const name = description.replace(/ \(at .*\)$/, '').replace(/^\d+ × /, '');
  if (name.startsWith('Unused time on ')) return `Tempo não usado: ${name.slice('Unused time on '.length)}`;
  if (name.startsWith('Remaining time on '))
    return `Resto do período: ${name.slice('Remaining time on '.length)}`;
  if (name.startsWith('Trial period for '))
    return `Período grátis: ${name.slice('Trial period for '.length)}`;
  return name;
}
