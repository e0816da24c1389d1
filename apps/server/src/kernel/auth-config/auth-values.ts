import * as v from 'valibot';
import { readGoDuration } from '../go-duration.ts';
import { GoTemplateError } from '../go-template/lex-go-template.ts';
import { type GoTemplate, parseGoTemplate } from '../go-template/parse-go-template.ts';
import { renderGoTemplate } from '../go-template/render-go-template.ts';
import { isLoopbackHost } from '../networks.ts';
import type { AuthConfig } from '../settings.ts';

/** Ten years: beyond any date that matters here. */
const MAX_DURATION_MS = 10 * 366 * 24 * 3_600_000;

/** A yes or no. */
export const flag = v.pipe(
  v.picklist(['true', 'false'], 'deve ser true ou false'),
  v.transform((text) => text === 'true'),
);
/** A page of the site. */
export const pagePath = v.pipe(
  v.string(),
  v.regex(/^\/(?!\/)[\w\-./~]{0,200}$/, 'deve ser um caminho do site, como /oauth/consent'),
);

/** A variable that says the opposite of the key. */
export const opposite = v.pipe(
  flag,
  v.transform((value) => !value),
);

export function wholeNumber(least: number, most: number) {
  const message = `deve ser um número inteiro de ${least} a ${most}`;
  return v.pipe(
    v.string(),
    v.regex(/^\d{1,9}$/, message),
    v.transform(Number),
    v.minValue(least, message),
    v.maxValue(most, message),
  );
}

/** As Go writes them, in seconds: `1m0s`, `24h`. */
export const duration = v.pipe(
  v.string(),
  v.transform((text) => readGoDuration(text) ?? Number.NaN),
  v.check((ms) => ms <= MAX_DURATION_MS, 'deve ser uma duração como 60s, 5m ou 24h'),
  v.transform((ms) => ms / 1000),
);

/** The host that passkeys are for, and of which a page's host is part. (Source: WebAuthn, RP ID.) */
export const relyingPartyId = v.pipe(
  v.string(),
  v.regex(
    /^[a-z\d](?:[a-z\d-]*[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]*[a-z\d])?)*$/,
    'deve ser um nome de computador, como links.exemplo.com',
  ),
  v.maxLength(253, 'deve ter até 253 caracteres'),
);

/** What authenticators show to people. */
export const relyingPartyName = v.pipe(v.string(), v.maxLength(100, 'deve ter até 100 caracteres'));

/** An app for Android names itself by the hash of its certificate. */
const APP_ORIGIN = /^android:apk-key-hash:[\w-]{20,100}$/;

/** Pages that may ask for a passkey, with commas between. */
export const relyingPartyOrigins = v.pipe(
  v.string(),
  v.transform((text) => text.split(',').map((origin) => origin.trim())),
  v.check(
    (origins) => origins.every((origin) => APP_ORIGIN.test(origin) || isOrigin(origin)),
    'deve ser só origens, como https://links.exemplo.com (http:// só neste computador)',
  ),
);

function isOrigin(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.origin !== text) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackHost(url.hostname));
}

/** The platform's names, and GoTrue's own for the same sets of characters. */
const PASSWORD_REQUIREMENTS: Readonly<Record<string, AuthConfig['passwordCharacters']>> = {
  '': [],
  letters_digits: ['letters', 'digits'],
  lower_upper_letters_digits: ['lower', 'upper', 'digits'],
  lower_upper_letters_digits_symbols: ['lower', 'upper', 'digits', 'symbols'],
};
export const passwordRequirements = v.pipe(
  v.picklist(
    Object.keys(PASSWORD_REQUIREMENTS),
    `deve ser vazio ou um de ${Object.keys(PASSWORD_REQUIREMENTS).filter(Boolean).join(', ')}`,
  ),
  v.transform((name) => PASSWORD_REQUIREMENTS[name] ?? []),
);

/** So many within a window. @param seconds its length */
export function within(seconds: number) {
  return v.pipe(
    wholeNumber(1, 1_000_000),
    v.transform((points) => ({ points, seconds })),
  );
}
export const inFiveMinutes = within(300);

/** Asked for, it is as fresh as this server asks for anyway. */
export const passwordChangeFreshness = v.pipe(
  flag,
  v.transform((isAsked) => (isAsked ? undefined : Number.POSITIVE_INFINITY)),
);

/** Longer ones are cut into several messages, each of which is paid for. */
const MAX_SMS_LENGTH = 320;
const CODE = '0123456789';

/** A text message with `{{ .Code }}` in it. */
export const smsTemplate = v.pipe(
  v.string(),
  v.rawTransform(({ dataset, addIssue, NEVER }): GoTemplate => {
    const fail = (message: string) => {
      addIssue({ message });
      return NEVER;
    };
    try {
      const template = parseGoTemplate(dataset.value, { as: 'text', variables: ['Code'] });
      const text = renderGoTemplate(template, { Code: CODE });
      if (!text.includes(CODE)) return fail('deve conter {{ .Code }}');
      return text.length > MAX_SMS_LENGTH
        ? fail(`deve ter até ${MAX_SMS_LENGTH} caracteres com o código`)
        : template;
    } catch (error) {
      if (!(error instanceof GoTemplateError)) throw error;
      return fail(error.message);
    }
  }),
);
