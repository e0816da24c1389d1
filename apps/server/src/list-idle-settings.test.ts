import { expect, it } from 'vitest';
import { listIdleSettings } from './list-idle-settings.ts';

const none = { google: undefined, captcha: undefined, s3: undefined };

it('names what is set and not used, without its values', () => {
  const captcha = { provider: 'turnstile', siteKey: 'site', secret: 'segredo' } as const;
  expect(listIdleSettings({ ...none, captcha })).toEqual(['CAPTCHA_*']);
  expect(listIdleSettings(none)).toEqual([]);
});
