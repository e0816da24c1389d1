import { type DueAccessRequestMail, processAccessRequestMails } from '../_shared/access-request-mails.ts';
import { callDatabase, type DatabaseAccess } from '../_shared/call-database.ts';
import { type DueDailyMail, processDailyMails } from '../_shared/daily-mails.ts';
import { deliverByApi, type MailApi } from '../_shared/deliver-by-api.ts';
import { type DueFolderMail, processFolderMails } from '../_shared/folder-mails.ts';
import { isOperator } from '../_shared/operator-keys.ts';
import type { MailQueue } from '../_shared/process-mail-queue.ts';
import { readJson } from '../_shared/read-body.ts';
import { readPerson } from '../_shared/read-person.ts';
import { type DueShareMail, processShareMails } from '../_shared/share-mails.ts';

export type ShareNotificationDeps = {
  readonly fetch: typeof fetch;
  readonly supabaseUrl: string;
  readonly anonKey: string;
  readonly serviceRoleKey: string;
  readonly operatorKeys: readonly string[];
  readonly siteUrl: string;
  /** Without it mails wait in the queue for somebody else: our own server works it off by itself. */
  readonly mailApi: Omit<MailApi, 'fetch'> | undefined;
  /** Lets work go on after the answer. */
  readonly waitUntil: (work: Promise<unknown>) => unknown;
};

type Notice = { readonly categoryId: string; readonly emails: readonly string[] };

/** A thousand addresses and a description, with room to spare: the database says how many are too many. */
const MAX_BODY_CHARACTERS = 300_000;
const SIGN_IN = 'Você precisa estar autenticado para realizar esta operação';
const MALFORMED = 'O pedido está malformado';
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * The function `share-notification` (specification, section 7): `POST {"categoryId","emails",…}` by the owner answers `{"queued": n}`, how many
 * of the addresses stand in the category's list and are new there. Names in the body are not looked at: the mail says what the
 * database says. With one of the operator's keys it processes what is due, for a schedule to call: mails about folders, to owners who are
 * asked for access and the daily ones, which the database queues by itself, as well.
 */
export function createShareNotification(
  deps: ShareNotificationDeps,
): (request: Request) => Promise<Response> {
  return async (request) => {
    if (request.method !== 'POST') return refuse(405, 'Método não permitido');
    if (await isOperator(request.headers, deps.operatorKeys))
      return answer(200, { sent: await sendDue(deps) });
    const authorization = request.headers.get('authorization');
    if (readPerson(request.headers) === undefined || authorization === null) return refuse(401, SIGN_IN);
    const notice = readNotice(await readJson(request, MAX_BODY_CHARACTERS));
    if (notice === undefined) return refuse(400, MALFORMED);

    const queued = await enqueue(deps, authorization, notice);
    if (queued instanceof Response) return queued;
    deps.waitUntil(sendDue(deps, notice.categoryId));
    return answer(200, { queued });
  };
}

function readNotice(body: unknown): Notice | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const { categoryId, emails } = body as { readonly categoryId?: unknown; readonly emails?: unknown };
  if (typeof categoryId !== 'string' || !UUID.test(categoryId) || !Array.isArray(emails)) return undefined;
  return emails.every((email) => typeof email === 'string') ? { categoryId, emails } : undefined;
}

/** As the caller, so that the database verifies the token and decides whose category it is. @returns how many are queued, or the refusal. */
async function enqueue(deps: ShareNotificationDeps, authorization: string, { categoryId, emails }: Notice) {
  const { fetch, supabaseUrl: url, anonKey: key } = deps;
  const args = { category_id: categoryId, emails };
  const answered = await callDatabase({ fetch, url, key, authorization }, 'queue_share_notifications', args);
  if (answered.ok) return answered.value;
  const { status, sentence } = answered;
  if (sentence !== undefined) return refuse(status, sentence);
  if (status === 401) return refuse(401, SIGN_IN);
  if (status === 400) return refuse(400, MALFORMED);
  console.error('the invitation mails could not be queued', { status });
  return refuse(503, 'Não foi possível enviar os avisos agora');
}

/** Sends what is due, of one category or all there is; nothing where somebody else does. @returns how many went. */
async function sendDue(deps: ShareNotificationDeps, category?: string): Promise<number> {
  const { fetch, mailApi, supabaseUrl: url, serviceRoleKey: key, siteUrl } = deps;
  if (mailApi === undefined) return 0;
  const access = { fetch, url, key };
  const { claim, ...queue } = openQueue(access, 'share_notification');
  const round: Omit<Parameters<typeof processShareMails>[0], 'queue'> = {
    deliver: (mail, id) => deliverByApi({ fetch, ...mailApi }, { mail, purpose: 'share-notification', id }),
    siteUrl,
    functionsUrl: `${url}/functions/v1`,
    unrecorded: new Map(),
  };
  const claimShares = (max: number) =>
    claim<DueShareMail>('claim_share_notifications', { max, for_category: category ?? null });
  const sent = await processShareMails({ ...round, queue: { ...queue, claim: claimShares } });
  if (category !== undefined) return sent;
  const claimFolders = (max: number) => claim<DueFolderMail>('claim_folder_notifications', { max });
  const invited = await processFolderMails({ ...round, queue: { ...queue, claim: claimFolders } });
  const requests = openQueue(access, 'access_request_mail');
  const claimRequests = (max: number) =>
    requests.claim<DueAccessRequestMail>('claim_access_request_mails', { max });
  const asked = await processAccessRequestMails({ ...round, queue: { ...requests, claim: claimRequests } });
  const daily = openQueue(access, 'daily_mail');
  const claimDaily = (max: number) => daily.claim<DueDailyMail>('claim_daily_mails', { max });
  const told = await processDailyMails({ ...round, queue: { ...daily, claim: claimDaily } });
  return sent + invited + asked + told;
}

function refuse(status: number, error: string): Response {
  return answer(status, { error });
}

function answer(status: number, body: object): Response {
  const headers = { 'cache-control': 'no-store', ...(status === 405 ? { allow: 'POST' } : {}) };
  return Response.json(body, { status, headers });
}

type Queue = Omit<MailQueue<{ readonly id: string }>, 'claim'> & {
  claim<Due>(name: string, args: object): Promise<readonly Due[]>;
};

/** A queue as the service role reaches it. @param what is begun and finished, as the functions of the database call it. */
function openQueue(
  access: DatabaseAccess,
  what: 'share_notification' | 'access_request_mail' | 'daily_mail',
): Queue {
  const call = async (name: string, args: object): Promise<unknown> => {
    const answer = await callDatabase(access, name, args);
    if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
    return answer.value;
  };
  return {
    claim: async <Due>(name: string, args: object) => (await call(name, args)) as readonly Due[],
    begin: async (id) => (await call(`begin_${what}`, { id })) === true,
    finish: (id, outcome) => call(`finish_${what}`, { id, outcome }),
  };
}
