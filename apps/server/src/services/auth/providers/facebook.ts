import { createHmac } from 'node:crypto';
import { oauth2Provider, takeText } from './oauth2.ts';

const PUBLIC = 'https://www.facebook.com';
const FIELDS = 'id,name,email,picture.width(256).height(256)';

type User = {
  readonly id?: unknown;
  readonly name?: unknown;
  readonly email?: unknown;
  readonly picture?: { readonly data?: { readonly url?: unknown } };
};

/**
 * Facebook: for the web plain OAuth 2.0, without PKCE. It tells an address only when the person has confirmed it. Requests carry a proof
 * that our secret is known, so that a stolen token is of no use without it.
 * (Source: Meta, "Manually Build a Login Flow" and "Secure Graph API Calls".)
 */
export const facebook = oauth2Provider({
  name: 'facebook',
  issuer: PUBLIC,
  scopes: ['email', 'public_profile'],
  hasPkce: false,
  locate: (base) => {
    const graph = base === PUBLIC ? 'https://graph.facebook.com' : base;
    return { authorize: `${base}/dialog/oauth`, token: `${graph}/oauth/access_token`, api: graph };
  },
  readPerson: async (ask, { accessToken, clientSecret }) => {
    const proof = createHmac('sha256', clientSecret).update(accessToken).digest('hex');
    const user = (await ask(`/me?fields=${FIELDS}&appsecret_proof=${proof}`)) as User;
    const email = takeText(user.email);
    return {
      subject: takeText(user.id),
      email,
      emailVerified: email !== '',
      name: takeText(user.name),
      picture: takeText(user.picture?.data?.url),
    };
  },
});
