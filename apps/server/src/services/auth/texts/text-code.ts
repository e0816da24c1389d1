import { renderGoTemplate } from '../../../kernel/go-template/render-go-template.ts';
import type { TextChannel } from '../../../kernel/text-messages.ts';
import type { AuthContext } from '../auth-context.ts';
import { AuthError } from '../auth-error.ts';
import type { AuthSettings } from '../auth-settings.ts';
import { type HookedText, textByHook } from '../hooks/send-sms.ts';
import type { GiveBack } from '../mail-allowance.ts';
import { createMailedCode } from '../mailed-secrets.ts';

type TextContext = Pick<AuthContext, 'db' | 'settings' | 'textSender' | 'now' | 'logger'>;

/** A code on its way to a phone. */
export type CodeText = HookedText & { readonly channel: TextChannel };

/**
 * Sends a code. Call it after the transaction that issued the code has ended. Numbers of tests are sent nothing.
 * @throws sms_send_failed
 */
export async function textCode(
  context: TextContext,
  { giveBack, ...message }: CodeText & { readonly giveBack: GiveBack },
): Promise<void> {
  const { settings, textSender, now } = context;
  const { phone: to, channel, code } = message;
  if (findTestCode(settings, to, now()) !== undefined) return textSender.pretend();
  // A hook that fails is a provider that fails: its words would tell who has an account.
  if (settings.hooks.send_sms)
    return textSender.hand('hook: send_sms', () => textByHook(context, message), giveBack);
  const template = message.smsType === 'mfa' ? settings.phoneFactorTemplate : settings.smsTemplate;
  const text = renderGoTemplate(template, { Code: code });
  await textSender.send({ to, channel, text, code }, giveBack);
}

/** What the next code for a number is: that of a number of tests never changes. @param length how many digits it has */
export function chooseCode(
  settings: AuthSettings,
  phone: string,
  now: Date,
  length = settings.smsCodeLength,
): string {
  return findTestCode(settings, phone, now) ?? createMailedCode(length);
}

function findTestCode(
  { smsTestCodes: { codes, until } }: AuthSettings,
  phone: string,
  now: Date,
): string | undefined {
  if (until !== undefined && now >= until) return undefined;
  return Object.hasOwn(codes, phone) ? codes[phone] : undefined;
}

/**
 * How a request wants its code to travel: by `sms` unless it says otherwise.
 * @throws validation_failed
 */
export function readChannel(raw: string): TextChannel {
  if (raw === '' || raw === 'sms') return 'sms';
  if (raw === 'whatsapp') return raw;
  throw new AuthError('validation_failed', {
    message:
      "Invalid channel, supported values are 'sms' or 'whatsapp'. 'whatsapp' is only supported if Twilio or Twilio Verify is used as the provider.",
  });
}

/** @throws phone_provider_disabled where people do not sign in by phone */
export function requirePhones({ settings }: Pick<AuthContext, 'settings'>, message: string): void {
  if (!settings.phoneEnabled) throw new AuthError('phone_provider_disabled', { message });
}
