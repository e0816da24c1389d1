import type { CDPSession, Page } from '@playwright/test';
import { type RunningServer, runServer } from './run-server.ts';
import { test as base } from './test.ts';

function nameHost(url: string): string {
  return url.replace('127.0.0.1', 'localhost');
}

/**
 * `test` with a server of its own: keys are for a host with a name, no browser makes one for an address of numbers. Phones are second factors
 * there as well; what is texted to them stays in the data folder.
 */
export const test = base.extend<object, { server: RunningServer }>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from the pattern.
    async ({}, use) => {
      const server = await runServer({
        environment: async (url) => ({
          SITE_URL: nameHost(url),
          GOTRUE_MFA_PHONE_ENROLL_ENABLED: 'true',
          GOTRUE_MFA_PHONE_VERIFY_ENABLED: 'true',
          GOTRUE_MFA_PHONE_MAX_FREQUENCY: '0s',
        }),
      });
      await use(server);
      await server.remove();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  baseURL: async ({ server }, use) => use(nameHost(server.url)),
});

/** A device that unlocks itself with a finger. @returns how to say whether the finger is its owner's from now on */
export async function plugInDevice(page: Page) {
  const browser: CDPSession = await page.context().newCDPSession(page);
  await browser.send('WebAuthn.enable');
  const { authenticatorId } = await browser.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return (isOwner: boolean) =>
    browser.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: isOwner });
}
