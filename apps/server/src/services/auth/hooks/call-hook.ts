import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import * as v from 'valibot';
import { asAuthAdmin } from '../../../kernel/database.ts';
import type { HookName, HookSettings } from '../../../kernel/settings.ts';
import { signWebhook } from '../../../kernel/sign-webhook.ts';
import type { AuthContext } from '../auth-context.ts';
import { AuthError } from '../auth-error.ts';

/** As GoTrue has them. */
const FUNCTION_TIMEOUT_MS = 2000;
const HTTP_TIMEOUT_MS = 5000;
const HTTP_ATTEMPTS = 3;
const MAX_ANSWER_BYTES = 200 * 1024;

type HookContext = Pick<AuthContext, 'db' | 'settings' | 'now' | 'logger'>;

/** The names that hooks are told of themselves. */
const METADATA_NAMES: Readonly<Record<HookName, string>> = {
  custom_access_token: 'customize-access-token',
  before_user_created: 'before-user-created',
  after_user_created: 'after-user-created',
  password_verification_attempt: 'password-verification',
  mfa_verification_attempt: 'mfa-verification',
  send_email: 'send-email',
  send_sms: 'send-sms',
};

/** A hook's own refusal, in any of its answers. */
const REFUSAL = v.object({
  error: v.object({
    http_code: v.optional(v.pipe(v.number(), v.integer(), v.minValue(400), v.maxValue(599)), 500),
    message: v.optional(v.string(), ''),
  }),
});

/**
 * Asks a hook of the operator's, outside of any transaction: nobody's connection waits for it.
 * @param input what it is asked, beside `metadata`
 * @param ip of the request, where there is one
 * @returns what it answered; undefined for nothing
 * @throws what the hook itself refuses with (`unknown`, or `unexpected_failure` from 500 on); hook_timeout, hook_timeout_after_retry,
 *   hook_payload_over_size_limit, hook_payload_invalid_content_type; unexpected_failure for a hook that fails
 */
export async function callHook(
  context: HookContext,
  name: HookName,
  hook: HookSettings,
  { input, ip }: { readonly input: Readonly<Record<string, unknown>>; readonly ip?: string },
): Promise<unknown> {
  const metadata = {
    uuid: randomUUID(),
    time: context.now().toISOString(),
    name: METADATA_NAMES[name],
    ...(ip === undefined ? {} : { ip_address: ip }),
  };
  const body = { metadata, ...input };
  const answer =
    hook.kind === 'function'
      ? await callFunction(context, name, hook, body)
      : await callAddress(context, name, hook, JSON.stringify(body));
  const refusal = v.safeParse(REFUSAL, answer);
  if (!refusal.success) return answer;
  const { http_code: status, message } = refusal.output.error;
  throw new AuthError(status >= 500 ? 'unexpected_failure' : 'unknown', { status, message });
}

function failed(name: HookName, cause: unknown): AuthError {
  return new AuthError('unexpected_failure', { message: `Error running hook: ${name}`, cause });
}

/** As the owner of the accounts, who needs the right to execute it; the operator grants it. */
async function callFunction(
  { db }: HookContext,
  name: HookName,
  { schema, name: functionName }: Extract<HookSettings, { kind: 'function' }>,
  body: object,
): Promise<unknown> {
  const target = `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(functionName)}`;
  try {
    return await asAuthAdmin(db, `hook ${name}`, async (tx) => {
      await tx.query({
        text: `select set_config('statement_timeout', $1, true)`,
        values: [String(FUNCTION_TIMEOUT_MS)],
      });
      const { rows } = await tx.query<{ answer: unknown }>({
        text: `select ${target}($1::jsonb) as answer`,
        values: [JSON.stringify(body)],
      });
      return rows[0]?.answer ?? undefined;
    });
  } catch (cause) {
    throw failed(name, cause);
  }
}

async function callAddress(
  context: HookContext,
  name: HookName,
  hook: Extract<HookSettings, { kind: 'http' }>,
  body: string,
): Promise<unknown> {
  const signal = AbortSignal.timeout(HTTP_TIMEOUT_MS);
  for (let attempt = 1; attempt <= HTTP_ATTEMPTS; attempt += 1) {
    if (attempt > 1) await wait(context.settings.hookPauseMs);
    const response = await send(context, hook, body, signal).catch((cause: unknown) => {
      if (signal.aborted)
        throw new AuthError('hook_timeout', {
          message: `Failed to reach hook within maximum time of ${HTTP_TIMEOUT_MS / 1000} seconds`,
          cause,
        });
      context.logger.warn({ err: cause }, `auth: the hook ${name} could not be reached`);
      return undefined;
    });
    if (response === undefined) continue;
    const isLater = [429, 503].includes(response.status) && response.headers.has('retry-after');
    if (!isLater) return readAnswer(name, response);
    await response.body?.cancel();
  }
  throw new AuthError('hook_timeout_after_retry');
}

function send(
  { now }: HookContext,
  { url, secrets }: Extract<HookSettings, { kind: 'http' }>,
  body: string,
  signal: AbortSignal,
): Promise<Response> {
  const headers = signWebhook({ id: randomUUID(), sentAt: now(), body }, secrets, ', ');
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
    // What is signed for one place goes to no other.
    redirect: 'error',
    signal,
  });
}

async function readAnswer(name: HookName, response: Response): Promise<unknown> {
  const type = response.headers.get('content-type');
  if (![200, 202, 204].includes(response.status)) {
    await response.body?.cancel();
    throw failed(name, new Error(`the hook answered ${response.status}`));
  }
  if (response.status === 204 && type === null) return undefined;
  if (type?.split(';')[0]?.trim().toLowerCase() !== 'application/json')
    throw new AuthError('hook_payload_invalid_content_type', {
      message: `Invalid JSON response. Received content-type: ${type ?? 'none'}`,
    });
  const text = await readBounded(response);
  try {
    return text.trim() === '' ? undefined : JSON.parse(text);
  } catch (cause) {
    throw failed(name, cause);
  }
}

async function readBounded(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    // Leaving the loop lets go of the rest.
    if (size > MAX_ANSWER_BYTES) throw new AuthError('hook_payload_over_size_limit');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
