/** Whose hook brings the mails. */
export const MAIL_IN_PROVIDERS = ['postmark', 'mailgun', 'sendgrid'] as const;

export type MailInProvider = (typeof MAIL_IN_PROVIDERS)[number];

/** Who receives mails for the installation. */
export type MailIn = {
  readonly provider: MailInProvider;
  /** What the provider proves itself with: the password of its hook's address, of Mailgun its signing key. */
  readonly secret: string;
  /** What stands after the @ of every secret address, in lower case. */
  readonly domain: string;
};

/** A password that opens a hook to the internet: shorter ones can be guessed. */
const SHORTEST_SECRET = 16;

const DOMAIN = /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]*[a-z][a-z0-9-]*$/;

/**
 * Reads `MAIL_IN_URL`: `postmark://SECRET@entrada.exemplo.com.br`.
 * @returns what it says, or every fault; a fault repeats nothing of the text, which has a secret in it.
 */
export function parseMailInUrl(
  text: string,
):
  | { readonly ok: true; readonly mailIn: MailIn }
  | { readonly ok: false; readonly faults: readonly string[] } {
  const url = URL.parse(text.trim());
  if (url === null)
    return { ok: false, faults: ['deve ser um endereço como postmark://SEGREDO@entrada.exemplo.com.br'] };
  const provider = MAIL_IN_PROVIDERS.find((name) => url.protocol === `${name}:`);
  const secret = decode(url.username);
  const domain = url.hostname.toLowerCase();
  const faults = [
    ...(provider === undefined
      ? [`deve começar com ${MAIL_IN_PROVIDERS.map((name) => `${name}://`).join(', ')}`]
      : []),
    ...(secret === undefined || secret.length < SHORTEST_SECRET
      ? [`deve ter antes do @ o segredo, com ao menos ${SHORTEST_SECRET} caracteres`]
      : []),
    ...(DOMAIN.test(domain) ? [] : ['deve ter depois do @ o domínio que recebe os e-mails']),
    ...(url.password !== '' ||
    url.port !== '' ||
    !['', '/'].includes(url.pathname) ||
    url.search !== '' ||
    url.hash !== ''
      ? ['não deve ter senha, porta nem caminho: só o segredo e o domínio']
      : []),
  ];
  if (provider === undefined || secret === undefined || faults.length > 0) return { ok: false, faults };
  return { ok: true, mailIn: { provider, secret, domain } };
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
