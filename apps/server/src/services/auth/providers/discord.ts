import { oauth2Provider, takeText } from './oauth2.ts';

type User = {
  readonly id?: unknown;
  readonly username?: unknown;
  readonly global_name?: unknown;
  readonly avatar?: unknown;
  readonly email?: unknown;
  readonly verified?: unknown;
};

/** Discord: it says of an address whether the person has confirmed it. */
export const discord = oauth2Provider({
  name: 'discord',
  issuer: 'https://discord.com',
  scopes: ['email', 'identify'],
  hasPkce: true,
  locate: (base) => ({
    authorize: `${base}/api/oauth2/authorize`,
    token: `${base}/api/oauth2/token`,
    api: `${base}/api`,
  }),
  readPerson: async (ask) => {
    const user = (await ask('/users/@me')) as User;
    const [subject, avatar] = [takeText(user.id), takeText(user.avatar)];
    return {
      subject,
      email: takeText(user.email),
      emailVerified: user.verified === true,
      name: takeText(user.global_name) || takeText(user.username),
      userName: takeText(user.username),
      picture: /^\w+$/.test(avatar) ? `https://cdn.discordapp.com/avatars/${subject}/${avatar}.png` : '',
    };
  },
});
