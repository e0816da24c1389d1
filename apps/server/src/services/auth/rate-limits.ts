import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { asAuthAdmin, type Database, type Transaction } from '../../kernel/database.ts';
import { networkOf } from '../../kernel/networks.ts';
import type { NoticeKind } from '../../kernel/settings.ts';
import { AuthError } from './auth-error.ts';
import type { AuthSettings, RateLimit } from './auth-settings.ts';
import { countAttempt, forgetAttempts, forgiveAttempt } from './stores/attempt-counter.ts';
import { returnPoints, type Spending, spendPoints } from './stores/spend-points.ts';

/** What a mail is about: each kind has its own frequency, and what proves the same thing shares one. */
export type MailKind = 'confirmation' | 'recovery' | 'email_change' | 'reauthentication' | 'factor_reset';

/** What a text message is about, as above. */
export type TextKind = 'confirmation' | 'phone_change' | 'reauthentication' | 'second_factor';

/** A text message that somebody asks for: to which number, and who asks. */
export type TextOrder = {
  readonly kind: TextKind;
  readonly phone: string;
  readonly ip: string;
  /** A second factor that counts: it has limits of its own, which strangers who write to its number do not use up. */
  readonly factorId?: string;
};

/** A mail that somebody asks for: to whom, and who asks. */
export type MailOrder = { readonly kind: MailKind; readonly email: string; readonly ip: string };

export type RateLimits = {
  /** Counts a call of one endpoint; `refresh` is a session's renewal. @throws over_request_rate_limit */
  countRequest(endpoint: string, ip: string): Promise<void>;
  /**
   * Counts a password attempt before it is checked, so that parallel guesses are counted too.
   * @param device a browser that has signed in to this account before counts for itself; all others count together.
   * @throws over_request_rate_limit
   */
  countPasswordAttempt(account: string, device?: string): Promise<void>;
  /** The attempt was right: the account's count starts again. */
  forgetPasswordAttempts(account: string, device?: string): Promise<void>;
  /** Counts an attempt at a link or code before it is checked. @throws over_request_rate_limit */
  countVerification(ip: string): Promise<void>;
  /** The attempt was right and shall not count. */
  forgiveVerification(ip: string): Promise<void>;
  /** Counts an account without an address, for all copies of the server: each of them stays for weeks. @throws over_request_rate_limit */
  countAnonymousSignIn(tx: Transaction, ip: string): Promise<void>;
  /** Counts a program that registers itself, for all copies of the server: each of them stays for days. @throws over_request_rate_limit */
  countRegistration(tx: Transaction, ip: string): Promise<void>;
  /** Counts mails, by receiver and by sender, whether or not there is an account: all of them, or none. @throws over_email_send_rate_limit */
  takeMails(orders: readonly MailOrder[]): Promise<void>;
  /** The mails did not leave: others may go at once. */
  giveMailsBack(orders: readonly MailOrder[]): Promise<void>;
  /** As for mails. Each costs money: the whole installation has a limit as well. @throws over_sms_send_rate_limit */
  takeText(order: TextOrder): Promise<void>;
  giveTextBack(order: TextOrder): Promise<void>;
  /** A text message did its work: the next of its kind need not wait, though it counts for the day. */
  allowText(kind: TextKind, phone: string): Promise<void>;
  /** Counts a mail about a change. @returns whether there is one left */
  takeNotice(kind: NoticeKind, email: string): Promise<boolean>;
  /** A mail did its work: the next of its kind need not wait, though it counts for the day. */
  allowMail(kind: MailKind, email: string): Promise<void>;
};

/** All of them are counted in the database, for all copies and past a restart (decisions 0009 and 0048). */
export function createRateLimits(
  settings: AuthSettings,
  { db, now }: { readonly db: Database; readonly now: () => Date },
): RateLimits {
  const requests = createRequestCounter(settings.requestsPerAddress, { db, now });
  const refreshes = createRequestCounter(settings.refreshesPerAddress, { db, now });

  const guess = async (key: string, limit: RateLimit) => {
    if (isOff(limit)) return;
    const retryAfter = await countAttempt(db, { key, ...limit }, now());
    if (retryAfter !== undefined) throw new AuthError('over_request_rate_limit', { retryAfter });
  };

  return {
    countRequest: (endpoint, ip) =>
      (endpoint === 'refresh' ? refreshes : requests)(`${endpoint} ${networkOf(ip)}`),
    countPasswordAttempt: (account, device = '') =>
      guess(passwordKey(account, device), settings.failedPasswordsPerAccount),
    async forgetPasswordAttempts(account, device = '') {
      if (!isOff(settings.failedPasswordsPerAccount)) await forgetAttempts(db, passwordKey(account, device));
    },
    countVerification: (ip) => guess(verificationKey(ip), settings.failedVerificationsPerAddress),
    async forgiveVerification(ip) {
      if (!isOff(settings.failedVerificationsPerAddress)) await forgiveAttempt(db, verificationKey(ip));
    },
    countAnonymousSignIn: (tx, ip) =>
      spendInDatabase(
        tx,
        { key: `anonymous from ${networkOf(ip)}`, ...settings.anonymousSignInsPerAddress },
        now(),
      ),
    countRegistration: (tx, ip) =>
      spendInDatabase(
        tx,
        { key: `program from ${networkOf(ip)}`, ...settings.oauthRegistrationsPerAddress },
        now(),
      ),
    async takeMails(orders) {
      const spendings = orders.flatMap((order) => listSpendings(settings, order));
      if (spendings.length === 0) return;
      await asAuthAdmin(db, 'count mails', async (tx) => {
        const [over] = await spendPoints(tx, spendings, now());
        if (over) throw refuse('over_email_send_rate_limit', over);
      });
    },
    async takeNotice(kind, email) {
      const limit = settings.noticesPerReceiver;
      const over = await asAuthAdmin(db, 'count a mail about a change', (tx) =>
        spendPoints(tx, [{ key: `notice ${kind} of ${email}`, ...limit }], now()),
      );
      return over.length === 0;
    },
    async takeText(order) {
      const spendings = listTextSpendings(settings, order);
      if (spendings.length === 0) return;
      await asAuthAdmin(db, 'count a text message', async (tx) => {
        const [over] = await spendPoints(tx, spendings, now());
        if (over) throw refuse('over_sms_send_rate_limit', over);
      });
    },
    async giveTextBack(order) {
      const keys = listTextSpendings(settings, order).map(({ key }) => key);
      if (keys.length > 0) await asAuthAdmin(db, 'give a text message back', (tx) => returnPoints(tx, keys));
    },
    async allowText(kind, phone) {
      if (settings.smsFrequency > 0)
        await asAuthAdmin(db, 'allow another text message', (tx) =>
          returnPoints(tx, [textFrequencyKey({ kind, phone })]),
        );
    },
    async giveMailsBack(orders) {
      const keys = orders.flatMap((order) => listSpendings(settings, order)).map(({ key }) => key);
      if (keys.length > 0) await asAuthAdmin(db, 'give mails back', (tx) => returnPoints(tx, keys));
    },
    async allowMail(kind, email) {
      if (settings.mailFrequency > 0)
        await asAuthAdmin(db, 'allow another mail', (tx) =>
          returnPoints(tx, [frequencyKey({ kind, email })]),
        );
    },
  };
}

function isOff({ points, seconds }: RateLimit): boolean {
  return points === 0 || seconds === 0;
}

function passwordKey(account: string, device: string): string {
  return `password ${account} ${device}`;
}

function verificationKey(ip: string): string {
  return `verification from ${networkOf(ip)}`;
}

async function spendInDatabase(tx: Transaction, spending: Spending, now: Date): Promise<void> {
  if (isOff(spending)) return;
  const [over] = await spendPoints(tx, [spending], now);
  if (over) throw new AuthError('over_request_rate_limit', { retryAfter: over.secondsLeft });
}

/** By receiver, so that nobody's mailbox is filled; by sender, so that nobody fills many; by both, so that a stranger cannot use up a receiver's day. */
function listSpendings(settings: AuthSettings, order: MailOrder): readonly Spending[] {
  const { email } = order;
  const sender = networkOf(order.ip);
  const frequency = { points: 1, seconds: settings.mailFrequency };
  return [
    { key: frequencyKey(order), ...frequency },
    { key: `mail day of ${email}`, ...settings.mailsPerReceiver },
    { key: `mail day from ${sender} to ${email}`, ...settings.mailsPerSenderAndReceiver },
    { key: `mail minute from ${sender}`, ...settings.mailsPerSenderShort },
    { key: `mail day from ${sender}`, ...settings.mailsPerSender },
    { key: 'mails of all', ...settings.mailsSent },
  ].filter(({ points, seconds }) => points > 0 && seconds > 0);
}

function frequencyKey({ kind, email }: Pick<MailOrder, 'kind' | 'email'>): string {
  return `mail ${kind} ${email}`;
}

/** As mails, and the installation's own at last. A number that is sent nothing costs nothing, but is asked as often as any other. */
function listTextSpendings(settings: AuthSettings, order: TextOrder): readonly Spending[] {
  const receiver = receiverOf(order);
  const sender = networkOf(order.ip);
  const seconds = order.kind === 'second_factor' ? settings.phoneFactorFrequency : settings.smsFrequency;
  return [
    { key: textFrequencyKey(order), points: 1, seconds },
    { key: `text day of ${receiver}`, ...settings.smsPerReceiver },
    { key: `text day from ${sender} to ${receiver}`, ...settings.smsPerSenderAndReceiver },
    { key: `text day from ${sender}`, ...settings.smsPerSender },
    { key: 'texts of all', ...settings.smsSent },
  ].filter(({ points, seconds }) => points > 0 && seconds > 0);
}

function textFrequencyKey(order: Omit<TextOrder, 'ip'>): string {
  return `text ${order.kind} ${receiverOf(order)}`;
}

function receiverOf({ phone, factorId }: Pick<TextOrder, 'phone' | 'factorId'>): string {
  return factorId === undefined ? phone : `factor ${factorId}`;
}

/** Counts in this process first: whoever floods one copy asks the database for nothing that is refused anyway. */
function createRequestCounter(
  limit: RateLimit,
  { db, now }: { readonly db: Database; readonly now: () => Date },
): (key: string) => Promise<void> {
  if (isOff(limit)) return async () => undefined;
  const limiter = new RateLimiterMemory({ points: limit.points, duration: limit.seconds });
  return async (key) => {
    await spend(limiter, key);
    const retryAfter = await countAttempt(db, { key: `request ${key}`, ...limit }, now());
    if (retryAfter === undefined) return;
    await limiter.block(key, retryAfter);
    throw new AuthError('over_request_rate_limit', { retryAfter });
  };
}

async function spend(limiter: RateLimiterMemory, key: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    const seconds = Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
    throw new AuthError('over_request_rate_limit', { retryAfter: seconds });
  }
}

/** For a short wait the sentence that the client libraries show, word for word. */
function refuse(
  code: 'over_email_send_rate_limit' | 'over_sms_send_rate_limit',
  { secondsLeft }: { readonly secondsLeft: number },
): AuthError {
  const message = `For security purposes, you can only request this after ${secondsLeft} seconds.`;
  return new AuthError(code, { message, retryAfter: secondsLeft });
}
