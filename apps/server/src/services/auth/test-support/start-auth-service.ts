import { createThrowawayDatabase, PATIENT } from '@linkoteca/test-kit/create-throwaway-database';
import fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import type pg from 'pg';
import { createLogger } from '../../../kernel/create-logger.ts';
import { createDatabase } from '../../../kernel/database.ts';
import { createKeyring, type Keyring } from '../../../kernel/keyring.ts';
import type { Mail, Mailer } from '../../../kernel/mail.ts';
import type { Texter, TextMessage } from '../../../kernel/text-messages.ts';
import type { AuthDeps } from '../auth-context.ts';
import { type AuthSettings, DEFAULT_AUTH_SETTINGS } from '../auth-settings.ts';
import { createAuthService } from '../create-auth-service.ts';
import { exchangePersonalTokens } from '../personal-tokens/exchange-tokens.ts';

export const SITE_URL = 'https://linkoteca.test';
export const PASSWORD = 'uma senha boa';

/** A clock that tests turn by hand: it starts at the real time, because tokens are also checked by the clients' clocks. */
export type TestClock = {
  now(): Date;
  advance(seconds: number): void;
  /** From now on only `advance` moves it, until it is released. */
  hold(): void;
  release(): void;
};

export type TestService = {
  readonly server: FastifyInstance;
  /** All that it answers to, as the router has it: method and path below the service's prefix. */
  readonly routes: readonly string[];
  readonly keyring: Keyring;
  readonly clock: TestClock;
  /** Superuser connections: to look and to prepare. */
  readonly admin: pg.Pool;
  /** Every mail so far, oldest first. */
  readonly mails: Mail[];
  /** Every text message so far, oldest first. */
  readonly texts: TextMessage[];
  /** Failures that were logged. */
  readonly failures: unknown[];
  /** Makes the mail server fail, hang, or work again. */
  setMailer(send: Mailer['send']): void;
  /** The same for whoever sends text messages. */
  setTexter(send: Texter['send']): void;
  stop(): Promise<void>;
};

export type TestServiceOptions = {
  readonly settings?: Partial<AuthSettings>;
  readonly providerTable?: AuthDeps['providerTable'];
  readonly mailer?: Mailer;
};

const PREFIX = '/auth/v1';

const OFF = { points: 0, seconds: 0 };
/** What tests that are not about it would only wait for. */
const UNLIMITED = {
  mailFrequency: 0,
  mailsPerReceiver: OFF,
  mailsPerSenderShort: OFF,
  mailsPerSender: OFF,
  mailsPerSenderAndReceiver: OFF,
  smsFrequency: 0,
  smsSent: OFF,
  smsPerReceiver: OFF,
  smsPerSender: OFF,
  smsPerSenderAndReceiver: OFF,
  answerStepMs: 0,
  // What became of a message is known before the answer, however busy the machine is.
  mailWaitMs: 20_000,
  passwordHashing: { ...DEFAULT_AUTH_SETTINGS.passwordHashing, memoryKiB: 64, passes: 1 },
} as const satisfies Partial<AuthSettings>;

/** The service over a throwaway database. Mails and texts are kept in memory; one may be asked for as often as one likes. */
export async function startAuthService(options: TestServiceOptions = {}): Promise<TestService> {
  const database = await createThrowawayDatabase();
  const db = createDatabase({ ...database.authenticator, ...PATIENT, max: 8 });
  db.pool.on('error', () => undefined);
  const keyring = await createKeyring({ secrets: ['a secret that is only used by the tests of auth'] });
  const mails: Mail[] = [];
  const texts: TextMessage[] = [];
  const failures: unknown[] = [];
  let ahead = 0;
  let held: number | undefined;
  const clock: TestClock = {
    now: () => new Date((held ?? Date.now()) + ahead),
    advance: (seconds) => {
      ahead += Math.round(seconds * 1000);
    },
    hold: () => {
      held = Date.now();
    },
    release: () => {
      held = undefined;
    },
  };
  const keep: Mailer['send'] = async (mail) => {
    mails.push(mail);
  };
  let send = options.mailer ? options.mailer.send : keep;
  let text: Texter['send'] = async (message) => {
    texts.push(message);
  };
  const log = (failure: unknown) => {
    failures.push(failure);
  };

  const loggerInstance = createLogger('error', {
    write: (line) => log(JSON.parse(line)),
  }) as FastifyBaseLogger;
  const server = fastify({ forceCloseConnections: true, loggerInstance });
  const deps = {
    db,
    keyring,
    mailer: { send: (mail) => send(mail) },
    texter: { send: (message) => text(message) },
    settings: { ...DEFAULT_AUTH_SETTINGS, siteUrl: SITE_URL, ...UNLIMITED, ...options.settings },
    ...(options.providerTable ? { providerTable: options.providerTable } : {}),
    now: clock.now,
    logger: { info: () => undefined, warn: () => undefined, error: log },
  } satisfies AuthDeps;
  const routes: string[] = [];
  server.addHook('onRoute', ({ method, url }) => {
    for (const one of [method].flat()) routes.push(`${one} ${url.slice(PREFIX.length)}`);
  });
  // As in the whole server: in front of every service.
  exchangePersonalTokens(server, deps);
  await server.register(createAuthService(deps), { prefix: PREFIX });
  return {
    server,
    routes,
    keyring,
    clock,
    admin: database.admin,
    mails,
    texts,
    failures,
    setMailer: (next) => {
      send = next;
    },
    setTexter: (next) => {
      text = next;
    },
    stop: async () => {
      await server.close();
      await db.pool.end();
      await database.drop();
    },
  };
}
