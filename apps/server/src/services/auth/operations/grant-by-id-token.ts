import * as v from 'valibot';
import { asAuthAdmin } from '../../../kernel/database.ts';
import type { Operation } from '../auth-context.ts';
import { AuthError, OAuthError } from '../auth-error.ts';
import { authenticate } from '../authenticate.ts';
import { flag, readBody, text } from '../body-fields.ts';
import { deviceOf } from '../device-of.ts';
import { verifyGoogleIdToken } from '../google/verify-google-id-token.ts';
import { linkToAccount } from '../link-to-account.ts';
import { presentSession } from '../present/present-session.ts';
import { signInByProvider } from '../sign-in-by-provider.ts';
import { findUser } from '../stores/find-user.ts';
import { openSession } from '../stores/open-session.ts';

const BODY = v.object({
  provider: text,
  issuer: text,
  id_token: text,
  access_token: text,
  nonce: text,
  link_identity: flag,
});

/** POST /token?grant_type=id_token: a token that the client got from Google by itself (One Tap, a phone's own dialog). */
export const grantByIdToken: Operation = async (context, request) => {
  const body = readBody(BODY, request.body);
  if (body.id_token === '') throw new OAuthError('invalid_request', 'id_token required');
  if (body.provider === '' && body.issuer === '')
    throw new OAuthError('invalid_request', 'provider or client_id and issuer required');
  const { google } = context;
  const isOurs = body.provider === 'google' || (body.provider === '' && body.issuer === google?.issuer);
  if (!google || !isOurs) throw new AuthError('provider_disabled');
  const linkTo = body.link_identity ? (await authenticate(context, request)).user.id : undefined;
  const presented = { idToken: body.id_token, accessToken: body.access_token, nonce: body.nonce };
  const profile = await verifyGoogleIdToken(context, google, presented);

  const now = context.now();
  const signedIn = await asAuthAdmin(context.db, 'sign in by an ID token', async (tx) => {
    const user =
      linkTo === undefined
        ? await signInByProvider(tx, context.settings, profile, now)
        : await linkToAccount(tx, { userId: linkTo, profile }, now);
    const opening = {
      userId: user.id,
      method: 'oauth',
      provider: 'google',
      device: deviceOf(request),
    } as const;
    const opened = await openSession(tx, opening, now);
    return { user: (await findUser(tx, { id: user.id })) ?? user, opened };
  });
  return { body: await presentSession(context, signedIn.user, signedIn.opened) };
};
