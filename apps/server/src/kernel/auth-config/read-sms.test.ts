import { parse } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { renderGoTemplate } from '../go-template/render-go-template.ts';
import { readAuthConfig } from './read-auth-config.ts';

const read = (toml: string, environment: Record<string, string> = {}) =>
  readAuthConfig(parse(toml), environment, ['google']);

const TWILIO = `[auth.sms.twilio]
enabled = true
account_sid = "AC1"
message_service_sid = "MG2"
auth_token = "env(SEGREDO)"`;

describe('text messages', () => {
  it('are sent by an account at Twilio', () => {
    const settings = { accountSid: 'AC1', messageServiceSid: 'MG2', authToken: 'um segredo', contentSid: '' };
    expect(read(TWILIO, { SEGREDO: 'um segredo' })).toMatchObject({
      config: { twilio: settings },
      faults: [],
      unknown: [],
    });
    const gotrue = {
      GOTRUE_SMS_PROVIDER: 'twilio',
      GOTRUE_SMS_TWILIO_ACCOUNT_SID: 'AC1',
      GOTRUE_SMS_TWILIO_AUTH_TOKEN: 'um segredo',
      GOTRUE_SMS_TWILIO_MESSAGE_SERVICE_SID: 'MG2',
      GOTRUE_SMS_TWILIO_CONTENT_SID: 'HX3',
    };
    expect(read('', gotrue).config.twilio).toEqual({ ...settings, contentSid: 'HX3' });
    const off = { ...gotrue, SUPABASE_AUTH_SMS_TWILIO_ENABLED: 'false' };
    expect(read(TWILIO, off)).toMatchObject({ config: {}, faults: [] });
    expect(read(TWILIO, off).config.twilio).toBeUndefined();
  });

  it('need the whole account, and no other provider', () => {
    expect(read(TWILIO).faults).toEqual([
      'auth.sms.twilio.auth_token não pode ser vazio onde auth.sms.twilio está ligado',
    ]);
    expect(read('[auth.sms.twilio]\nenabled = true').faults).toHaveLength(3);
    expect(read('[auth.sms.twilio]\nenabled = "sim"').faults).toEqual([
      'auth.sms.twilio.enabled deve ser true ou false',
    ]);
    expect(read('', { GOTRUE_SMS_PROVIDER: 'vonage' }).faults).toEqual([
      expect.stringContaining('GOTRUE_SMS_PROVIDER só pode ser twilio'),
    ]);
  });

  it('may be left out for numbers of tests, until a day', () => {
    const file = '[auth.sms.test_otp]\n4152127777 = "123456"\n5511999990000 = "654321"';
    const codes = { '4152127777': '123456', '5511999990000': '654321' };
    expect(read(file)).toEqual({
      config: { smsTestCodes: { codes, until: undefined } },
      settings: {},
      faults: [],
      unknown: [],
    });
    const variables = {
      GOTRUE_SMS_TEST_OTP: '+4152127777:123456, 5511999990000 : 654321',
      GOTRUE_SMS_TEST_OTP_VALID_UNTIL: '2026-12-31T23:59:59Z',
    };
    expect(read('', variables).config.smsTestCodes).toEqual({
      codes,
      until: new Date('2026-12-31T23:59:59Z'),
    });
  });

  it.each([
    ['[auth.sms.test_otp]\n4152127777 = "segredo"', {}, 'auth.sms.test_otp'],
    ['[auth.sms.test_otp]\nana = "123456"', {}, 'auth.sms.test_otp'],
    ['', { GOTRUE_SMS_TEST_OTP: '4152127777' }, 'GOTRUE_SMS_TEST_OTP'],
    [
      '[auth.sms.test_otp]\n4152127777 = "123456"',
      { GOTRUE_SMS_TEST_OTP_VALID_UNTIL: 'logo' },
      'GOTRUE_SMS_TEST_OTP_VALID_UNTIL',
    ],
    ['', { GOTRUE_SMS_OTP_EXP: '1' }, 'GOTRUE_SMS_OTP_EXP'],
    ['', { GOTRUE_SMS_OTP_LENGTH: '4' }, 'GOTRUE_SMS_OTP_LENGTH'],
    ['[auth.sms]\nenable_signup = "sim"', {}, 'auth.sms.enable_signup'],
    ['[auth.sms]\nmax_frequency = "logo"', {}, 'auth.sms.max_frequency'],
    ['[auth.sms]\ntemplate = "Olá"', {}, 'auth.sms.template'],
    ['[auth.sms]\ntemplate = "{{ .Token }}"', {}, 'auth.sms.template'],
    [`[auth.sms]\ntemplate = "${'x'.repeat(400)} {{ .Code }}"`, {}, 'auth.sms.template'],
  ])('that cannot be are refused by name: %j %j', (toml, environment, name) => {
    const { config, faults } = read(toml, environment);
    expect(config).toEqual({});
    expect(faults.map((fault) => fault.split(' ')[0])).toEqual([name]);
    expect(faults.join()).not.toContain('segredo');
  });

  it('say what the operator writes, with codes as long and as lasting as wished', () => {
    const variables = {
      GOTRUE_SMS_OTP_EXP: '120',
      GOTRUE_SMS_OTP_LENGTH: '8',
      GOTRUE_SMS_AUTOCONFIRM: 'true',
    };
    const { config, faults } = read('[auth.sms]\ntemplate = "Código: {{ .Code }}."', variables);
    expect(faults).toEqual([]);
    expect(config).toMatchObject({ smsCodeLifetime: 120, smsCodeLength: 8, confirmPhone: false });
    expect(config.smsTemplate && renderGoTemplate(config.smsTemplate, { Code: '12' })).toBe('Código: 12.');
  });
});
