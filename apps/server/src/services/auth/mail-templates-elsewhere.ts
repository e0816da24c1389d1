import type { FastifyBaseLogger } from 'fastify';
import type { MailOverride } from '../../kernel/settings.ts';
import { HOSTED_MAILS } from './hosted-mail-templates.ts';
import { readMailOverride, readNoticeOverride } from './mail-overrides.ts';

export type TemplatesElsewhere = {
  /**
   * What an operator wrote for a mail, with what is at its address in it. Where that cannot be had, or is no template, it is what was there before, or
   * our own mail.
   */
  load(name: string, override: MailOverride): Promise<MailOverride>;
};

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 262_144;
/** For so long is a template taken as it was, and one that could not be had left alone. */
const KEEP_MS = 10 * 60_000;
const LEAVE_MS = 30_000;

type Kept = { readonly content: MailOverride['content']; readonly at: number; readonly forMs: number };

/**
 * Templates that GoTrue's variables name by an address (`GOTRUE_MAILER_TEMPLATES_…`): read when the first mail needs them.
 * @param siteUrl where an address without a host is
 */
export function createTemplatesElsewhere({
  siteUrl,
  now,
  logger,
}: {
  readonly siteUrl: string;
  readonly now: () => Date;
  readonly logger: Pick<FastifyBaseLogger, 'error'>;
}): TemplatesElsewhere {
  const kept = new Map<string, Kept>();
  return {
    async load(name, { contentAddress, ...override }) {
      if (contentAddress === undefined) return override;
      const before = kept.get(name);
      const at = now().getTime();
      if (before === undefined || Math.abs(at - before.at) >= before.forMs)
        kept.set(
          name,
          await read(name, new URL(contentAddress, siteUrl)).then(
            (content) => ({ content, at, forMs: KEEP_MS }),
            (err: unknown) => {
              logger.error({ err }, `auth: the template of the mail ${name} could not be read`);
              return { content: before?.content, at, forMs: LEAVE_MS };
            },
          ),
        );
      const content = kept.get(name)?.content;
      return content === undefined ? override : { ...override, content };
    },
  };
}

async function read(name: string, url: URL): Promise<MailOverride['content']> {
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`the server of the template answered ${response.status}`);
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    // Leaving the loop lets go of the rest.
    if (size > MAX_BYTES) throw new Error('the template is too long');
    chunks.push(chunk);
  }
  const written = { subject: undefined, content: Buffer.concat(chunks).toString('utf8') };
  const hosted = HOSTED_MAILS.find((mail) => mail === name);
  return (hosted ? readMailOverride(hosted, written) : readNoticeOverride(written))?.content;
}
