import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { networkOf } from '../../kernel/network-of.ts';
import { AuthError } from './auth-error.ts';
import type { AuthSettings, RateLimit } from './auth-settings.ts';

/** What a mail is about: each kind has its own frequency, and what proves the same thing shares one. */
export type MailKind = 'confirmation' | 'recovery' | 'email_change' | 'reauthentication';

export type RateLimits = {
  /** Counts a call of one endpoint. @throws over_request_rate_limit */
  countRequest(endpoint: string, ip: string): Promise<void>;
  /** Counts a password attempt before it is judged, so that parallel guesses are counted too. @throws over_request_rate_limit */
  countPasswordAttempt(email: string): Promise<void>;
  /** The attempt was right: the account starts afresh. */
  forgetPasswordAttempts(email: string): Promise<void>;
  /** Tells whether an address may still try links and codes. @throws over_request_rate_limit */
  refuseGuessing(ip: string): Promise<void>;
  countFailedVerification(ip: string): Promise<void>;
  /** Takes the one mail an address may get in a while, whether or not it has an account. @throws over_email_send_rate_limit */
  takeMail(kind: MailKind, email: string): Promise<void>;
  /** The mail did not leave, or did its work: the next one may go at once. */
  giveMailBack(kind: MailKind, email: string): Promise<void>;
};

/** Counts in this process's memory: several copies of the server each count for themselves (decision 0009). */
export function createRateLimits(settings: AuthSettings): RateLimits {
  const requests = createLimiter(settings.requestsPerAddress);
  const passwords = createLimiter(settings.failedPasswordsPerAccount);
  const guesses = createLimiter(settings.failedVerificationsPerAddress);
  const mails = createLimiter({
    points: settings.mailFrequency > 0 ? 1 : 0,
    seconds: settings.mailFrequency,
  });

  return {
    countRequest: (endpoint, ip) => spend(requests, `${endpoint} ${networkOf(ip)}`, refuseRequest),
    countPasswordAttempt: (email) => spend(passwords, email, refuseRequest),
    forgetPasswordAttempts: (email) => forget(passwords, email),
    async refuseGuessing(ip) {
      const state = await guesses?.get(networkOf(ip));
      if (state && state.consumedPoints >= settings.failedVerificationsPerAddress.points)
        throw refuseRequest(secondsLeft(state));
    },
    async countFailedVerification(ip) {
      await guesses?.penalty(networkOf(ip));
    },
    takeMail: (kind, email) => spend(mails, `${kind} ${email}`, refuseMail),
    giveMailBack: (kind, email) => forget(mails, `${kind} ${email}`),
  };
}

function createLimiter({ points, seconds }: RateLimit): RateLimiterMemory | undefined {
  return points > 0 && seconds > 0 ? new RateLimiterMemory({ points, duration: seconds }) : undefined;
}

async function spend(
  limiter: RateLimiterMemory | undefined,
  key: string,
  refuse: (seconds: number) => AuthError,
): Promise<void> {
  try {
    await limiter?.consume(key);
  } catch (refusal) {
    if (refusal instanceof RateLimiterRes) throw refuse(secondsLeft(refusal));
    throw refusal;
  }
}

async function forget(limiter: RateLimiterMemory | undefined, key: string): Promise<void> {
  await limiter?.delete(key);
}

function secondsLeft({ msBeforeNext }: RateLimiterRes): number {
  return Math.max(1, Math.ceil(msBeforeNext / 1000));
}

function refuseRequest(seconds: number): AuthError {
  return new AuthError('over_request_rate_limit', { retryAfter: seconds });
}

/** The sentence the client libraries show, to the letter. */
function refuseMail(seconds: number): AuthError {
  const message = `For security purposes, you can only request this after ${seconds} seconds.`;
  return new AuthError('over_email_send_rate_limit', { message, retryAfter: seconds });
}
