import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type KoaContextWithOIDC, Provider } from 'oidc-provider';

/** A person of the provider. */
export type ProviderPerson = {
  readonly subject: string;
  readonly email?: string;
  readonly emailVerified?: boolean;
  readonly name?: string;
  readonly picture?: string;
  /** What the provider says of its own about them. */
  readonly more?: Readonly<Record<string, unknown>>;
};

export type OpenIdProviderOptions = {
  /** Whether it insists on PKCE; it does unless this says otherwise. */
  readonly hasPkce?: boolean;
  /** Claims of its own. */
  readonly claims?: readonly string[];
  /** How clients prove who they are, the only way it publishes. */
  readonly clientAuth?: 'client_secret_post' | 'client_secret_basic';
};

export type OpenIdProvider = {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Makes somebody known, or changes them. `login_hint` with the subject signs them in without a page; an address is known by itself. */
  setPerson(person: ProviderPerson): void;
  stop(): Promise<void>;
};

/** Whoever sends this as `login_hint` refuses. */
export const REFUSING = 'refusing';

/**
 * A certified OpenID provider on this machine, as it would be Google: it insists on PKCE, and its pages are one button a person.
 * @param redirectUri the server's own callback, as registered at the provider.
 */
export async function startOpenIdProvider(
  redirectUri: string,
  options: OpenIdProviderOptions = {},
): Promise<OpenIdProvider> {
  const people = new Map<string, ProviderPerson>();
  let handle: (request: IncomingMessage, response: ServerResponse) => unknown = () => undefined;
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = { clientId: 'linkoteca', clientSecret: 'only for tests, and long enough for a hash' };
  const provider = createProvider(issuer, { ...client, redirectUri }, people, options);
  const callback = provider.callback();
  handle = (request, response) =>
    request.url?.startsWith('/interaction/')
      ? interact(provider, people, request, response)
      : callback(request, response);
  return {
    issuer,
    ...client,
    setPerson: (person) => void people.set(person.subject, person),
    stop: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function createProvider(
  issuer: string,
  client: { readonly clientId: string; readonly clientSecret: string; readonly redirectUri: string },
  people: ReadonlyMap<string, ProviderPerson>,
  { hasPkce = true, claims = [], clientAuth = 'client_secret_post' }: OpenIdProviderOptions,
): Provider {
  return new Provider(issuer, {
    clients: [
      {
        client_id: client.clientId,
        client_secret: client.clientSecret,
        redirect_uris: [client.redirectUri],
        token_endpoint_auth_method: clientAuth,
      },
    ],
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified', ...claims],
      profile: ['name', 'picture'],
    },
    // As Google does: the token itself says who the person is.
    conformIdTokenClaims: false,
    pkce: { required: () => hasPkce },
    clientAuthMethods: [clientAuth],
    cookies: { keys: ['a key that is only used by tests'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
    findAccount: (_context, subject) => {
      const person = people.get(subject) ?? introduce(subject);
      return person && { accountId: subject, claims: () => listClaims(person) };
    },
    loadExistingGrant: grantEverything,
    ttl: { Session: 600, Interaction: 600, Grant: 600, AccessToken: 600, IdToken: 600 },
  });
}

/** Whoever asks from another process cannot make people known. */
function introduce(subject: string): ProviderPerson | undefined {
  return subject.includes('@') ? { subject, email: subject, name: 'Ana do Provedor' } : undefined;
}

function listClaims(person: ProviderPerson) {
  return {
    sub: person.subject,
    email: person.email,
    email_verified: person.emailVerified ?? true,
    name: person.name,
    picture: person.picture,
    ...person.more,
  };
}

async function grantEverything(context: KoaContextWithOIDC) {
  const { provider, client, session } = context.oidc;
  const grant = new provider.Grant({
    ...(client ? { clientId: client.clientId } : {}),
    ...(session?.accountId === undefined ? {} : { accountId: session.accountId }),
  });
  grant.addOIDCScope('openid email profile');
  await grant.save();
  return grant;
}

/** One button a person, and one for nobody; `login_hint` and the button's own address choose at once. */
async function interact(
  provider: Provider,
  people: ReadonlyMap<string, ProviderPerson>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { params } = await provider.interactionDetails(request, response);
  const chosen = new URL(request.url ?? '/', 'http://provider').searchParams.get('as');
  const subject = chosen ?? (typeof params['login_hint'] === 'string' ? params['login_hint'] : undefined);
  if (subject === undefined) {
    const buttons = [...people.values()].map(({ subject: as, name }) => choice(as, `Continuar como ${name}`));
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(`<!doctype html><title>Provedor</title>${buttons.join('')}${choice(REFUSING, 'Cancelar')}`);
    return;
  }
  const result =
    subject === REFUSING
      ? { error: 'access_denied', error_description: 'The person refused' }
      : { login: { accountId: subject } };
  await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
}

function choice(as: string, words: string): string {
  return `<p><a href="?as=${encodeURIComponent(as)}">${words}</a></p>`;
}

/**
 * Walks a visitor without a browser, with a cookie jar of its own, from the address where the server sent it to the address back at
 * the server.
 */
export async function visitOpenIdProvider(address: string): Promise<URL> {
  const redirectUri = new URL(address).searchParams.get('redirect_uri') ?? '';
  const jar = new Map<string, string>();
  let next = new URL(address);
  for (let steps = 0; steps < 10; steps += 1) {
    if (next.href.startsWith(redirectUri)) return next;
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(next, { redirect: 'manual', headers: { cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split(/=(.*)/s);
      jar.set(name, value);
    }
    const location = response.headers.get('location');
    if (location === null)
      throw new Error(`the provider answered ${response.status}: ${await response.text()}`);
    next = new URL(location, next);
  }
  throw new Error('the provider leads in circles');
}
