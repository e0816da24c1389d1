import { answerJson, refuse } from '../_shared/answer-json.ts';
import { callAsService, type DatabaseAccess, InstallationUnreachable } from '../_shared/call-database.ts';
import { isOperator } from '../_shared/operator-keys.ts';
import type { LinkVerdict } from '../link-status/link-verdict.ts';

export type CheckLinksDeps = {
  readonly access: DatabaseAccess;
  readonly operatorKeys: readonly string[];
  /** Milliseconds. */
  readonly now: () => number;
  readonly budgetMs?: number;
};

/** What a call has done. `complete`: nothing more is due. */
export type CheckLinksReport = {
  readonly checked: number;
  readonly failing: number;
  readonly complete: boolean;
};

type TakenLink = { readonly link_id: string; readonly url: string; readonly round_of: string | null };
type NotedLink = LinkVerdict & Pick<TakenLink, 'link_id' | 'url'>;
type Batch = { readonly roundOf: string | null; readonly noted: readonly NotedLink[] };

/** The hosted platform ends a call that has not answered for 150 s: this long new links are taken, and the last ones have as long again. */
const BUDGET_MS = 50_000;
const PATIENCE_MS = 60_000;
const BATCH = 20;

/**
 * The function `check-links`, with one of the operator's keys alone: `POST` has the links opened that are due, of those who want it, and answers
 * `{checked, failing, complete}`. Any number may run; each link is taken by one. What opens them is `link-status`, where no secret is.
 */
export function createCheckLinks(deps: CheckLinksDeps): (request: Request) => Promise<Response> {
  return async (request) => {
    if (request.method !== 'POST') return refuse(405, 'Método não permitido', { allow: 'POST' });
    if (!(await isOperator(request.headers, deps.operatorKeys)))
      return refuse(403, 'Só o próprio servidor pode verificar links');
    try {
      const report = await checkLinks(deps);
      console.info('links checked', report);
      return answerJson(200, report);
    } catch (error) {
      if (!(error instanceof InstallationUnreachable)) throw error;
      console.error('links could not be checked', error.message);
      return refuse(503, 'O banco de dados não respondeu');
    }
  };
}

/** @throws InstallationUnreachable */
async function checkLinks(deps: CheckLinksDeps): Promise<CheckLinksReport> {
  const { access, now, budgetMs = BUDGET_MS } = deps;
  const endsAt = now() + budgetMs;
  let [checked, failing] = [0, 0];
  // While nobody at all has answered it may be our own network that is away: then nothing is noted, and all of it is due again soon.
  let isHeard = false;
  let waiting: Batch[] = [];
  while (now() < endsAt) {
    const links = (await callAsService(access, 'take_links_to_check', {
      max_links: BATCH,
    })) as readonly TakenLink[];
    if (links.length === 0) return { checked, failing, complete: true };
    const noted = await judgeLinks(access, links);
    isHeard ||= noted.some(({ status }) => status !== null);
    const latest = { roundOf: links[0]?.round_of ?? null, noted };
    const known = isHeard ? [...waiting, latest] : noted.some(hasFailed) ? [] : [latest];
    waiting = [...waiting, latest].filter((batch) => !known.includes(batch));
    for (const batch of known) {
      await callAsService(access, 'note_link_checks', { checks: batch.noted, round_of: batch.roundOf });
      checked += batch.noted.length;
      failing += batch.noted.filter(hasFailed).length;
    }
  }
  return { checked, failing, complete: false };
}

const hasFailed = ({ outcome }: LinkVerdict) => outcome === 'fails';

/** @throws InstallationUnreachable */
async function judgeLinks(
  { fetch, url, key }: DatabaseAccess,
  links: readonly TakenLink[],
): Promise<readonly NotedLink[]> {
  try {
    const response = await fetch(`${url}/functions/v1/link-status`, {
      method: 'POST',
      headers: { apikey: key, authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ urls: links.map((link) => link.url) }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    if (!response.ok) throw new Error(`status ${response.status}`);
    const { verdicts } = (await response.json()) as { readonly verdicts: readonly LinkVerdict[] };
    return links.flatMap(({ link_id, url }, at) => {
      const verdict = verdicts[at];
      return verdict ? [{ link_id, url, ...verdict }] : [];
    });
  } catch (cause) {
    throw new InstallationUnreachable('link-status: no answer', { cause });
  }
}
