import { type BrowserContext, test as base, expect, type Page } from '@playwright/test';
import { type Account, openAccount } from './open-account.ts';
import { type RunningServer, runServer } from './run-server.ts';

/** What browser and app note about an answer that was refused: the test has asked for it, the screen shows it. */
const EXPECTED_NOISE =
  /Failed to load resource|WebSocket connection to .* failed|^\[linkoteca\] (read|write) failed/;

function nameHost(url: string): string {
  return url.replace('127.0.0.1', 'localhost');
}

/** Opens a page in a browser of its own, as on another device. Both are closed with the sentence. */
export type OpenElsewhere = () => Promise<Page>;

/**
 * Playwright's `test` with the real server (one a worker) and a person who has an account. A page that logs an
 * error, breaks its security policy or throws fails its test, whatever else it shows.
 */
export const test = base.extend<
  { account: Account; openElsewhere: OpenElsewhere; quietPage: undefined },
  { server: RunningServer; namedServer: RunningServer; nextAccount: () => Promise<Account> }
>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from the pattern.
    async ({}, use) => {
      const server = await runServer();
      await use(server);
      await server.remove();
    },
    { scope: 'worker', timeout: 120_000 },
  ],

  // For few sentences (key-test.ts), and here all the same: a worker is thrown away for a sentence whose workers differ in anything.
  namedServer: [
    // biome-ignore lint/correctness/noEmptyPattern: as above.
    async ({}, use) => {
      const server = await runServer({
        environment: async (url) => ({
          SITE_URL: nameHost(url),
          GOTRUE_MFA_PHONE_ENROLL_ENABLED: 'true',
          GOTRUE_MFA_PHONE_VERIFY_ENABLED: 'true',
          GOTRUE_MFA_PHONE_MAX_FREQUENCY: '0s',
        }),
      });
      await use({ ...server, url: nameHost(server.url) });
      await server.remove();
    },
    { scope: 'worker', timeout: 120_000 },
  ],

  baseURL: async ({ server }, use) => use(server.url),

  // One ahead: the next person's account is opened while this one's sentence runs.
  nextAccount: [
    async ({ server }, use) => {
      const begin = () => {
        const opening = openAccount(server);
        // Somebody else's: a sentence that restarts the server must not break it.
        server.holdRestart(opening);
        return opening;
      };
      let next = begin();
      await use(() => {
        const account = next;
        next = begin();
        return account;
      });
      await next.catch(() => undefined);
    },
    { scope: 'worker' },
  ],

  account: async ({ nextAccount }, use) => use(await nextAccount()),

  // Left open, it would go on listening and asking beside every sentence that follows.
  openElsewhere: async ({ browser }, use) => {
    const contexts: BrowserContext[] = [];
    await use(async () => {
      const context = await browser.newContext();
      contexts.push(context);
      return context.newPage();
    });
    await Promise.all(contexts.map((context) => context.close()));
  },

  quietPage: [
    async ({ context }, use) => {
      const complaints: string[] = [];
      context.on('weberror', (error) => complaints.push(String(error.error())));
      context.on('console', (message) => {
        if (message.type() === 'error' && !EXPECTED_NOISE.test(message.text()))
          complaints.push(message.text());
      });
      await use(undefined);
      expect(complaints).toEqual([]);
    },
    { auto: true },
  ],
});

/** `test.use(WITH_MOVEMENT)`: transitions run as for most people; other sentences have asked for less of them (playwright.config.ts). */
export const WITH_MOVEMENT = { contextOptions: { reducedMotion: 'no-preference' } } as const;

export { expect };
