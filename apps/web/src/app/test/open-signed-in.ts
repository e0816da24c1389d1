import userEvent from '@testing-library/user-event';
import { createFakeAuth, fakeSession } from '../../shared/test/create-fake-auth.ts';
import { renderApp } from './render-app.tsx';

/** Opens the app at a path as somebody who is in, with hands. */
export function openSignedIn(path: string) {
  const app = renderApp(path, { auth: createFakeAuth(fakeSession()) });
  return { ...app, user: userEvent.setup() };
}
