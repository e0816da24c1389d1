import { handleControl, unknownPath } from '../control/handle-control.ts';
import type { RequestOrigin } from '../emulator-options.ts';
import { handleCheckout } from './handle-checkout.ts';
import { handlePortal } from './handle-portal.ts';
import type { PageDeps } from './page-deps.ts';
import { HOME, renderMessage, renderUnknown } from './render-message.ts';
import { renderReceipt } from './render-receipt.ts';

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
      return await deps.books.read((ledger) => renderReceipt(ledger, id));
    }
    return /^\/(checkout|portal|invoices)\//.test(path) ? renderUnknown() : unknownPath();
  } catch (error) {
    deps.logger.error({ err: error, path: path.split('/')[1] }, 'the payment emulator could not draw a page');
    return renderMessage({
      title: 'Algo deu errado',
      text: 'Nada foi cobrado. Volte e tente de novo daqui a pouco.',
      status: 500,
      link: HOME,
    });
  }
}
