import { answerJson, refuse } from '../_shared/answer-json.ts';
import { readJson } from '../_shared/read-body.ts';
import { readClaims } from '../_shared/read-person.ts';
import type { FetchPage } from '../link-preview/fetch-page.ts';
import { judgeLink } from './judge-link.ts';
import type { LinkVerdict } from './link-verdict.ts';

export type LinkStatusDeps = {
  readonly fetchPage: FetchPage;
  readonly budgetMs?: number;
};

/** As many as a call of `check-links` takes at once, with room. */
const MOST_LINKS = 100;
const MAX_BODY_CHARACTERS = 200_000;
/** Less than whoever calls waits; the hosted platform ends a call that has not answered for 150 s. */
const BUDGET_MS = 50_000;
/** Sites that are asked at once; each site is asked one thing at a time. */
const SITES_AT_ONCE = 8;

/**
 * The function `link-status`, with the service key alone: `POST {"urls"}` opens these addresses and answers `{"verdicts"}`, in their order. It
 * knows nobody's name and no secret, as every function that opens what strangers made.
 */
export function createLinkStatus(deps: LinkStatusDeps): (request: Request) => Promise<Response> {
  return async (request) => {
    if (request.method !== 'POST') return refuse(405, 'Método não permitido', { allow: 'POST' });
    // As little verified here as in every function: the gateway has done so.
    if (readClaims(request.headers)?.['role'] !== 'service_role')
      return refuse(403, 'Só o próprio servidor pode verificar links');
    const urls = readUrls(await readJson(request, MAX_BODY_CHARACTERS));
    if (urls === undefined) return refuse(400, 'O pedido está malformado');
    const signal = AbortSignal.any([request.signal, AbortSignal.timeout(deps.budgetMs ?? BUDGET_MS)]);
    return answerJson(200, { verdicts: await judgeLinks(deps.fetchPage, urls, signal) });
  };
}

function readUrls(body: unknown): readonly string[] | undefined {
  const urls = (body as { readonly urls?: unknown } | null | undefined)?.urls;
  if (!Array.isArray(urls) || urls.length > MOST_LINKS) return undefined;
  return urls.every((url): url is string => typeof url === 'string') ? urls : undefined;
}

/** Looks at all of them, site by site. What is not looked at in time is unsure. */
async function judgeLinks(
  fetchPage: FetchPage,
  urls: readonly string[],
  signal: AbortSignal,
): Promise<readonly LinkVerdict[]> {
  const sites = [...Map.groupBy(urls.keys(), (at) => URL.parse(urls[at] ?? '')?.host).values()];
  const verdicts: LinkVerdict[] = [];
  const work = async () => {
    for (let site = sites.shift(); site; site = sites.shift()) {
      let last: LinkVerdict | undefined;
      let hasAnswered = true;
      const listen: FetchPage = async (...request) => {
        const response = await fetchPage(...request);
        hasAnswered = true;
        return response;
      };
      for (const at of site) {
        // A site that does not answer is not asked again right away; one that leads on to such a site has answered.
        if (!last || hasAnswered || last.outcome !== 'fails') {
          hasAnswered = false;
          last = await judgeLink(listen, urls[at] ?? '', signal);
        }
        verdicts[at] = last;
      }
    }
  };
  await Promise.all(Array.from({ length: SITES_AT_ONCE }, work));
  return verdicts;
}
