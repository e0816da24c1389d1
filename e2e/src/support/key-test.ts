import type { CDPSession, Page } from '@playwright/test';
import { openAccount } from './open-account.ts';
import { test as base } from './test.ts';

/**
 * `test` with a server of its own: keys are for a host with a name, no browser makes one for an address of numbers. Phones are second factors
 * there as well; what is texted to them stays in the data folder.
 */
export const test = base.extend({
  account: async ({ namedServer }, use) => use(await openAccount(namedServer)),
  baseURL: async ({ namedServer }, use) => use(namedServer.url),
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
