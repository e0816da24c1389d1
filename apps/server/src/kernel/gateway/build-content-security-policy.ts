import { createHash } from 'node:crypto';

export type PolicyInput = {
  /** The built page: the scripts and styles written into it are allowed by their hash, and nothing else inline is. */
  readonly html: string;
  /** Where the services answer, which may be another origin than the page's. */
  readonly supabaseUrl: string;
  /** Whose captcha the forms show, if any. */
  readonly captcha?: keyof typeof CAPTCHA_SOURCES | undefined;
};

/** What the providers' documentation asks for; nothing of it is allowed where no captcha is configured. */
const CAPTCHA_SOURCES = {
  hcaptcha: {
    directives: ['script-src', 'style-src', 'connect-src', 'frame-src'],
    hosts: ['https://hcaptcha.com', 'https://*.hcaptcha.com'],
  },
  turnstile: { directives: ['script-src', 'frame-src'], hosts: ['https://challenges.cloudflare.com'] },
} as const;

/** The web app's content-security policy, as the directives `@fastify/helmet` takes. */
export function buildContentSecurityPolicy({ captcha, ...page }: PolicyInput): Record<string, string[]> {
  const policy = buildStrictPolicy(page);
  if (captcha === undefined) return policy;
  const { directives, hosts } = CAPTCHA_SOURCES[captcha];
  const added = directives.map((name) => [
    name,
    [...(policy[name] ?? []).filter((source) => source !== "'none'"), ...hosts],
  ]);
  return { ...policy, ...Object.fromEntries(added) };
}

function buildStrictPolicy({ html, supabaseUrl }: Omit<PolicyInput, 'captcha'>): Record<string, string[]> {
  const { origin } = new URL(supabaseUrl);
  return {
    'default-src': ["'self'"],
    'script-src': ["'self'", ...hashInline(html, 'script')],
    // Attributes: components place popups with them. They style one element and cannot run anything.
    'style-src': ["'self'", ...hashInline(html, 'style')],
    'style-src-attr': ["'unsafe-inline'"],
    // Favicons come from the sites that people save.
    'img-src': ["'self'", 'data:', 'blob:', 'https:'],
    'font-src': ["'self'"],
    'connect-src': ["'self'", origin, origin.replace(/^http/, 'ws')],
    'worker-src': ["'self'"],
    'manifest-src': ["'self'"],
    'object-src': ["'none'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
    'frame-src': ["'none'"],
    'frame-ancestors': ["'none'"],
    ...(origin.startsWith('https:') ? { 'upgrade-insecure-requests': [] } : {}),
  };
}

/**
 * The sources that allow what stands in a page's own elements, by their hashes. Those with an address are covered by 'self';
 * data blocks (JSON) do not run, and hashing them does no harm.
 */
export function hashInline(html: string, element: 'script' | 'style'): string[] {
  const pattern = new RegExp(`<${element}(\\s[^>]*)?>([\\s\\S]*?)</${element}>`, 'gi');
  return [...html.matchAll(pattern)]
    .filter(([, attributes = '']) => !/\ssrc\s*=/i.test(attributes))
    .map(([, , content = '']) => `'sha256-${createHash('sha256').update(content).digest('base64')}'`);
}
