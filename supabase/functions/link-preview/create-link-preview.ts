import { FIELD_LIMITS } from '../../../packages/domain/src/limits.ts';
import { countCharacters } from '../../../packages/domain/src/text.ts';
import { normalizeUrl } from '../../../packages/domain/src/urls.ts';
import { readPerson } from '../_shared/read-person.ts';
import type { FetchPage } from './fetch-page.ts';
import { describeFault, PreviewError, type PreviewFault } from './preview-error.ts';
import { type Preview, previewPage } from './preview-page.ts';

/** What became of a request. Only the host is told: the rest of an address is the person's own business. */
export type PreviewReport = {
  readonly person: string | undefined;
  readonly host: string | undefined;
  readonly outcome: 'fetched' | 'remembered' | PreviewFault;
  readonly milliseconds: number;
};

export type LinkPreviewDeps = {
  readonly fetchPage: FetchPage;
  /** Previews of a while ago, by address. */
  readonly memory?: {
    get(address: string): Preview | undefined;
    set(address: string, preview: Preview): unknown;
  };
  readonly report?: (report: PreviewReport, request: Request) => void;
};

/** An address of 500 characters, in JSON and with room to spare. */
const MAX_BODY_CHARACTERS = 8_192;

/**
 * The function `link-preview`: `POST {"url"}` by a signed-in person answers `{"url","title","description"}` of the page,
 * anything else `{"error"}` with a sentence in Portuguese.
 */
export function createLinkPreview(deps: LinkPreviewDeps): (request: Request) => Promise<Response> {
  return async (request) => {
    const start = performance.now();
    const person = readPerson(request.headers);
    let host: string | undefined;
    const report = (outcome: PreviewReport['outcome']) => {
      const milliseconds = Math.round(performance.now() - start);
      deps.report?.({ person, host, outcome, milliseconds }, request);
    };
    try {
      if (request.method !== 'POST') throw new PreviewError('method');
      if (person === undefined) throw new PreviewError('person');
      const url = await readUrl(request);
      host = url.host;
      const known = deps.memory?.get(url.href);
      const preview = known ?? (await previewPage(deps.fetchPage, url, request.signal));
      // Setting it again would renew its age.
      if (!known) deps.memory?.set(url.href, preview);
      report(known ? 'remembered' : 'fetched');
      return answer(200, preview);
    } catch (error) {
      if (!(error instanceof PreviewError)) throw error;
      report(error.fault);
      const { status, text } = describeFault(error.fault);
      return answer(status, { error: text });
    }
  };
}

/** The address of a body `{"url"}`. @throws PreviewError */
export async function readUrl(request: Request): Promise<URL> {
  const body = await readBody(request);
  const typed = typeof body === 'object' && body !== null && 'url' in body ? body.url : undefined;
  if (typeof typed !== 'string') throw new PreviewError('url');
  const address = normalizeUrl(typed);
  if (address === null || countCharacters(address) > FIELD_LIMITS.linkUrl) throw new PreviewError('url');
  return new URL(address);
}

async function readBody(request: Request): Promise<unknown> {
  if (Number(request.headers.get('content-length')) > MAX_BODY_CHARACTERS) throw new PreviewError('size');
  const text = await request.text();
  if (text.length > MAX_BODY_CHARACTERS) throw new PreviewError('size');
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new PreviewError('body', { cause });
  }
}

function answer(status: number, body: object): Response {
  const headers = { 'cache-control': 'no-store', ...(status === 405 ? { allow: 'POST' } : {}) };
  return Response.json(body, { status, headers });
}
