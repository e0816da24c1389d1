import { createLinkPreview } from '../../../../../../supabase/functions/link-preview/create-link-preview.ts';
import { createPinnedFetch } from '../outbound/create-pinned-fetch.ts';
import type { TestInternet } from './start-internet.ts';

const CLAIMS = Buffer.from(JSON.stringify({ role: 'authenticated', sub: 'maria' })).toString('base64url');

export type PreviewOutcome = {
  readonly status: number;
  readonly body: { readonly url?: string; readonly title?: string | null; readonly error?: string };
  /** What the operator's log says became of it. */
  readonly outcome: string | undefined;
};

/** Asks for a preview as a signed-in person, through the function and the fetch that production uses. */
export async function callPreview(
  internet: Pick<TestInternet, 'resolve' | 'connect'>,
  url: string,
  signal?: AbortSignal,
): Promise<PreviewOutcome> {
  let outcome: string | undefined;
  const preview = createLinkPreview({
    fetchPage: createPinnedFetch(internet),
    report: (report) => {
      outcome = report.outcome;
    },
  });
  const response = await preview(
    new Request('http://functions.internal/functions/v1/link-preview', {
      method: 'POST',
      headers: { authorization: `Bearer head.${CLAIMS}.signature` },
      body: JSON.stringify({ url }),
      ...(signal ? { signal } : {}),
    }),
  );
  const body = (await response.json()) as PreviewOutcome['body'];
  return { status: response.status, body, outcome };
}
