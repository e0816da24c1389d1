import { describe, expect, it } from 'vitest';
import { DEFAULT_AUTH_SETTINGS } from './auth-settings.ts';
import { createRateLimits } from './create-rate-limits.ts';

const settings = { ...DEFAULT_AUTH_SETTINGS, siteUrl: 'https://linkoteca.test' };

describe('the limits', () => {
  it('count a whole network of IPv6 as one, and single addresses of IPv4', async () => {
    const limits = createRateLimits({ ...settings, requestsPerAddress: { points: 1, seconds: 60 } });
    await limits.countRequest('token', '2001:db8:1:2::1');
    await expect(limits.countRequest('token', '2001:db8:1:2:ffff:ffff:ffff:ffff')).rejects.toMatchObject({
      status: 429,
    });
    await limits.countRequest('token', '2001:db8:1:3::1');
    await limits.countRequest('token', '::1');
    await limits.countRequest('token', '10.0.0.1');
    await limits.countRequest('token', '10.0.0.2');
    await limits.countRequest('token', '::ffff:10.0.0.2');
    await limits.countRequest('token', '::ffff:10.0.0.3');
  });

  it('can be switched off one by one', async () => {
    const off = { points: 0, seconds: 0 };
    const limits = createRateLimits({
      ...settings,
      mailFrequency: 0,
      requestsPerAddress: off,
      failedPasswordsPerAccount: off,
      failedVerificationsPerAddress: off,
    });
    for (let round = 0; round < 400; round += 1) {
      await limits.countRequest('token', '10.0.0.1');
      await limits.countPasswordAttempt('a@b.test');
      await limits.countFailedVerification('10.0.0.1');
      await limits.refuseGuessing('10.0.0.1');
      await limits.takeMail('recovery', 'a@b.test');
    }
  });

  it('keep mails of different kinds and to different addresses apart', async () => {
    const limits = createRateLimits(settings);
    await limits.takeMail('recovery', 'a@b.test');
    await limits.takeMail('confirmation', 'a@b.test');
    await limits.takeMail('recovery', 'c@b.test');
    await expect(limits.takeMail('recovery', 'a@b.test')).rejects.toMatchObject({
      code: 'over_email_send_rate_limit',
      message: 'For security purposes, you can only request this after 60 seconds.',
      details: { retryAfter: 60 },
    });
    await limits.giveMailBack('recovery', 'a@b.test');
    await limits.takeMail('recovery', 'a@b.test');
  });
});
