import { isSame } from '../api/handle-api-request.ts';
import { StripeFailure } from '../api/stripe-failure.ts';
import type { RequestOrigin } from '../emulator-options.ts';
import { isFresh, signForm } from '../pages/form-token.ts';
import type { PageDeps } from '../pages/page-deps.ts';
import { renderMessage } from '../pages/render-message.ts';
import { leadTo } from '../pages/render-page.ts';
import { sendEvents } from '../webhooks/send-events.ts';
import { CONTROL_ACTIONS, type ControlFields } from './perform-control.ts';
import { readState } from './read-state.ts';
import { renderControl } from './render-control.ts';

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
  const hasKey = given !== undefined && isSame(given, deps.secretKey);
  if (!isOperator && !hasKey) return unknownPath();
  const token = signForm(deps.secretKey, 'control', 0);
  if (request.method === 'GET' && path === '') return renderControl(await deps.books.read(readState), token);
  if (request.method === 'GET' && path === '/control/state') return answer(await deps.books.read(readState));
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
      { books: deps.books, moveClock: deps.moveClock, sendNow: (events) => sendEvents(deps, events) },
      fields,
    );
    return isJson || hasKey ? answer(result) : leadTo(deps.siteUrl);
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
