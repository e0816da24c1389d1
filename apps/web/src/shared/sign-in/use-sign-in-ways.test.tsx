import { waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { createFakeAuth, fakeSession } from '../test/create-fake-auth.ts';
import { renderWithProviders } from '../test/render-with-providers.tsx';
import { useSignInWays } from './use-sign-in-ways.ts';

function Probe({ say }: { readonly say: (ways: object) => void }) {
  const { hasPassword, providers, offered } = useSignInWays();
  say({ hasPassword, providers: providers.map(({ name }) => name), offered: offered?.name });
  return null;
}

/** What the hook says at each drawing, of somebody with these providers, where Google and GitHub are offered. */
async function follow(providers: string[] | undefined) {
  const seen: object[] = [];
  const session = fakeSession();
  const auth = createFakeAuth({
    ...session,
    user: { ...session.user, app_metadata: providers ? { providers } : {} },
  });
  const config = { signInProviders: ['google', 'github'] };
  await renderWithProviders(<Probe say={(ways) => seen.push(ways)} />, { auth, config });
  return seen;
}

test.each([
  [['email'], { hasPassword: true, providers: [], offered: undefined }],
  [['google'], { hasPassword: false, providers: ['google'], offered: 'google' }],
  [['github', 'email', 'azure'], { hasPassword: true, providers: ['azure', 'github'], offered: 'github' }],
  [['azure'], { hasPassword: false, providers: ['azure'], offered: undefined }],
  [[], { hasPassword: true, providers: [], offered: undefined }],
  [undefined, { hasPassword: true, providers: [], offered: undefined }],
])('whoever has the ways %j', async (ways, known) => {
  const seen = await follow(ways);
  // Until it is known there is a password to be asked for, and nobody else to be sent to.
  expect(seen[0]).toEqual({ hasPassword: true, providers: [], offered: undefined });
  await waitFor(() => expect(seen.at(-1)).toEqual(known));
});
