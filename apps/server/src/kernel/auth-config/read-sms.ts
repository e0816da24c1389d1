import * as v from 'valibot';
import type { AuthConfig, SmsTestCodes, TwilioSettings } from '../settings.ts';
import { wholeNumber } from './auth-values.ts';
import { type Environment, given, readPath, type Table, variableOf } from './read-key.ts';

type ReadSms = {
  readonly config: Pick<AuthConfig, 'smsCodeLength' | 'smsCodeLifetime' | 'smsTestCodes' | 'twilio'>;
  /** Each begins with the name of its key, and repeats no value: some are secret. */
  readonly faults: readonly string[];
};

/** A number in the form of E.164 without its plus, and a code. */
const TEST_CODE = /^\+?([1-9]\d{1,14})\s*:\s*(\d{4,10})$/;
/** RFC 3339. */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

/** What GoTrue has beyond the keys of the platform's command line. */
const NUMBERS = [
  { field: 'smsCodeLifetime', name: 'GOTRUE_SMS_OTP_EXP', schema: wholeNumber(60, 86_400) },
  { field: 'smsCodeLength', name: 'GOTRUE_SMS_OTP_LENGTH', schema: wholeNumber(6, 10) },
] as const;

/**
 * What `[auth.sms]` says in tables of its own: who sends text messages, and numbers that get none. GoTrue's variables are over the file.
 * (Source: GoTrue, `SmsProviderConfiguration`; the platform's config.toml reference.)
 */
export function readSms(file: Table, environment: Environment): ReadSms {
  const faults: string[] = [];
  const config: { -readonly [Field in keyof ReadSms['config']]: ReadSms['config'][Field] } = {};
  for (const { field, name, schema } of NUMBERS) {
    const text = given(environment, name);
    if (text === undefined) continue;
    const result = v.safeParse(schema, text);
    if (result.success) config[field] = result.output;
    else faults.push(`${name} ${result.issues[0].message}`);
  }
  const testCodes = readTestCodes(file, environment);
  if (testCodes && 'fault' in testCodes) faults.push(testCodes.fault);
  else if (testCodes) config.smsTestCodes = testCodes;
  const twilio = readTwilio(file, environment);
  faults.push(...twilio.faults);
  if (twilio.settings) config.twilio = twilio.settings;
  return { config, faults };
}

function readTestCodes(
  file: Table,
  environment: Environment,
): SmsTestCodes | { readonly fault: string } | undefined {
  const variable = given(environment, 'GOTRUE_SMS_TEST_OTP');
  const place = variable === undefined ? 'auth.sms.test_otp' : 'GOTRUE_SMS_TEST_OTP';
  const pairs = variable?.split(',') ?? listTable(file, environment);
  if (pairs.length === 0) return undefined;
  const read = pairs.map((pair) => TEST_CODE.exec(pair.trim()));
  if (read.includes(null))
    return {
      fault: `${place} deve ser números de telefone (E.164), cada um com um código de 4 a 10 dígitos`,
    };
  const until = given(environment, 'GOTRUE_SMS_TEST_OTP_VALID_UNTIL');
  if (until !== undefined && (!INSTANT.test(until) || Number.isNaN(Date.parse(until))))
    return { fault: 'GOTRUE_SMS_TEST_OTP_VALID_UNTIL deve ser um instante como 2026-12-31T23:59:59Z' };
  return {
    codes: Object.fromEntries(read.map((match) => [match?.[1] ?? '', match?.[2] ?? ''])),
    until: until === undefined ? undefined : new Date(until),
  };
}

/** The table's lines as the variable has them. */
function listTable(file: Table, environment: Environment): readonly string[] {
  const path = 'auth.sms.test_otp';
  let table: unknown = file;
  for (const name of path.split('.'))
    table = typeof table === 'object' && table !== null ? (table as Table)[name] : undefined;
  if (typeof table !== 'object' || table === null) return [];
  return Object.keys(table).map(
    (number) => `${number}:${readPath(table as Table, number, environment) ?? ''}`,
  );
}

/** Our account there, by the platform's name and GoTrue's. What it must have is named where it is missing. */
const TWILIO_KEYS = [
  ['accountSid', 'account_sid'],
  ['authToken', 'auth_token'],
  ['messageServiceSid', 'message_service_sid'],
] as const satisfies readonly (readonly [keyof TwilioSettings, string])[];

function readTwilio(
  file: Table,
  environment: Environment,
): { readonly settings?: TwilioSettings; readonly faults: readonly string[] } {
  const place = 'auth.sms.twilio';
  const read = (key: string) =>
    given(environment, variableOf(`${place}.${key}`)) ??
    given(environment, `GOTRUE_SMS_TWILIO_${key.toUpperCase()}`) ??
    readPath(file, `${place}.${key}`, environment) ??
    '';
  const provider = given(environment, 'GOTRUE_SMS_PROVIDER');
  if (provider !== undefined && provider !== 'twilio')
    return { faults: ['GOTRUE_SMS_PROVIDER só pode ser twilio: este servidor ainda não tem outra escolha'] };
  const ofCommandLine = given(environment, variableOf(`${place}.enabled`));
  const inFile = readPath(file, `${place}.enabled`, environment);
  const enabled = ofCommandLine ?? (provider === undefined ? inFile : 'true') ?? 'false';
  if (enabled !== 'true' && enabled !== 'false')
    return { faults: [`${place}.enabled deve ser true ou false`] };
  if (enabled === 'false') return { faults: [] };
  const missing = TWILIO_KEYS.filter(([, key]) => read(key) === '').map(([, key]) => `${place}.${key}`);
  if (missing.length > 0)
    return { faults: missing.map((path) => `${path} não pode ser vazio onde ${place} está ligado`) };
  const [accountSid, authToken, messageServiceSid] = TWILIO_KEYS.map(([, key]) => read(key));
  return {
    settings: {
      accountSid: accountSid ?? '',
      authToken: authToken ?? '',
      messageServiceSid: messageServiceSid ?? '',
      contentSid: read('content_sid'),
    },
    faults: [],
  };
}
