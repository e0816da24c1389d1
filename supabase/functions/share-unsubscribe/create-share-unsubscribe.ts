import { callDatabase } from '../_shared/call-database.ts';
import { readJson } from '../_shared/read-body.ts';

export type ShareUnsubscribeDeps = {
  readonly fetch: typeof fetch;
  readonly supabaseUrl: string;
  readonly serviceRoleKey: string;
  readonly siteUrl: string;
};

const MAX_BODY_CHARACTERS = 1_000;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Which mails a key ends: without more those about sharing, with `mail=daily` the daily one alone. */
const ENDED_BY = { share: 'unsubscribe_share_mail', daily: 'unsubscribe_daily_mail' } as const;

/** What is asked for: the key, whether mails end or come again, and which. */
type Wish = { readonly token: string; readonly stop: boolean; readonly mail: keyof typeof ENDED_BY };

/**
 * The function `share-unsubscribe`, for whoever holds the key of a mail, signed in or not. `POST ?token=…` ends the invitation mails to its
 * address, and with `&mail=daily` the daily mail instead, whatever the body: mail programs send `List-Unsubscribe=One-Click` (RFC 8058).
 * `POST {"token","stop","mail"}` is what the page sends; `stop` false allows them again. Answers `{"email","stopped"}`. `GET` changes nothing,
 * since scanners open every link of a mail: it leads to the page.
 */
export function createShareUnsubscribe(deps: ShareUnsubscribeDeps): (request: Request) => Promise<Response> {
  return async (request) => {
    const { searchParams } = new URL(request.url);
    const inAddress = readWish(Object.fromEntries(searchParams));
    if (request.method === 'GET' || request.method === 'HEAD') return leadToPage(deps.siteUrl, inAddress);
    if (request.method !== 'POST') return refuse(405, 'Método não permitido');
    const { token, stop, mail } = searchParams.has('token')
      ? inAddress
      : readWish(await readJson(request, MAX_BODY_CHARACTERS));
    if (!UUID.test(token)) return refuse(404, 'Este link não vale mais');

    const { fetch, supabaseUrl: url, serviceRoleKey: key } = deps;
    const answered = await callDatabase({ fetch, url, key }, ENDED_BY[mail], { token, stop });
    if (!answered.ok) {
      console.error('an address could not be unsubscribed', answered);
      return refuse(503, 'Não foi possível salvar sua escolha agora');
    }
    if (typeof answered.value !== 'string') return refuse(404, 'Este link não vale mais');
    return answer(200, { email: answered.value, stopped: stop });
  };
}

function readWish(given: unknown): Wish {
  const { token, stop, mail } = (typeof given === 'object' && given !== null ? given : {}) as {
    readonly [Name in keyof Wish]?: unknown;
  };
  return {
    token: typeof token === 'string' ? token : '',
    stop: stop !== false,
    mail: mail === 'daily' ? 'daily' : 'share',
  };
}

function leadToPage(siteUrl: string, { token, mail }: Wish): Response {
  const location = `${siteUrl}/unsubscribe?token=${encodeURIComponent(token)}${mail === 'daily' ? '&mail=daily' : ''}`;
  return new Response(null, { status: 303, headers: { location, 'cache-control': 'no-store' } });
}

function refuse(status: number, error: string): Response {
  return answer(status, { error });
}

function answer(status: number, body: object): Response {
  const headers = { 'cache-control': 'no-store', ...(status === 405 ? { allow: 'GET, POST' } : {}) };
  return Response.json(body, { status, headers });
}
