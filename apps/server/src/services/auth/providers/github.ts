import { oauth2Provider, takeText } from './oauth2.ts';

const PUBLIC = 'https://github.com';

type User = {
  readonly id?: unknown;
  readonly login?: unknown;
  readonly name?: unknown;
  readonly avatar_url?: unknown;
};
type Address = { readonly email?: unknown; readonly primary?: unknown; readonly verified?: unknown };

/** GitHub, or an enterprise server at the operator's address. Addresses are asked for by themselves; the one that counts is the primary one. */
export const github = oauth2Provider({
  name: 'github',
  issuer: PUBLIC,
  scopes: ['user:email'],
  hasPkce: true,
  locate: (base) => ({
    authorize: `${base}/login/oauth/authorize`,
    token: `${base}/login/oauth/access_token`,
    api: base === PUBLIC ? 'https://api.github.com' : `${base}/api/v3`,
  }),
  readPerson: async (ask) => {
    const [user, addresses] = (await Promise.all([ask('/user'), ask('/user/emails')])) as [
      User,
      readonly Address[],
    ];
    const primary = Array.isArray(addresses)
      ? (addresses as readonly Address[]).find((address) => address.primary === true)
      : undefined;
    return {
      subject: typeof user.id === 'number' ? String(user.id) : '',
      email: takeText(primary?.email),
      emailVerified: primary?.verified === true,
      name: takeText(user.name) || takeText(user.login),
      userName: takeText(user.login),
      picture: takeText(user.avatar_url),
    };
  },
});
