import * as v from 'valibot';

const appConfigSchema = v.object({
  /** Origin of the services, without a trailing slash. */
  supabaseUrl: v.pipe(
    v.string(),
    v.url(),
    v.transform((url) => url.replace(/\/+$/, '')),
  ),
  supabaseAnonKey: v.pipe(v.string(), v.nonEmpty()),
  /** Where people write to; absent on a host that does not say. */
  supportEmail: v.optional(v.string()),
  /** Whether nobody really pays here: then prices are those of the table of plans. */
  paymentsEmulated: v.optional(v.boolean(), false),
  /** Whether the host draws public categories by itself: with pages for chats and search, feeds, and frames for other sites. */
  publicPagesDrawn: v.optional(v.boolean(), false),
  /** Whether people may have their links looked at; a host that does not say has somebody for it. */
  linkChecks: v.optional(v.boolean()),
  /** Whether programs may ask people to let them act; a host that does not say lets them. */
  oauthServer: v.optional(v.boolean()),
  /** Whether people may make tokens for their scripts: the hosted platform has none. */
  personalTokens: v.optional(v.boolean(), false),
  /** Whether what happens in libraries is sent to webhooks: the hosted platform has nobody for it. */
  webhooks: v.optional(v.boolean(), false),
  /** Whether people may add security keys as second factors; a host that does not say has them off, as the platform has. */
  securityKeys: v.optional(v.boolean(), false),
  /** Whether people sign in with passkeys in place of a password; a host that does not say has them off, as the platform has. */
  passkeys: v.optional(v.boolean(), false),
  /** Whether people sign in where their organisation does (SAML 2.0). */
  organisations: v.optional(v.boolean(), false),
  /** The same for phones that codes are texted to. */
  phoneFactors: v.optional(v.boolean(), false),
  /** What stands after the @ of the addresses that people save by mail with; absent where no mail is received. */
  mailDomain: v.optional(v.string()),
  /** Whose captcha the forms show, where they show one. */
  captcha: v.optional(v.object({ provider: v.picklist(['hcaptcha', 'turnstile']), siteKey: v.string() })),
});

export type AppConfig = v.InferOutput<typeof appConfigSchema> & {
  /** Names of the providers that this installation can sign people in with. */
  readonly signInProviders: readonly string[];
};

/** One flag a provider: `googleEnabled`. */
const FLAG = 'Enabled';

/** Reads /config.json, which the deployment serves: one build works anywhere. Throws when it is missing or malformed. */
export async function loadAppConfig(request: typeof fetch): Promise<AppConfig> {
  const response = await request('/config.json');
  if (!response.ok) throw new Error(`/config.json answered ${response.status}`);
  const answer: Record<string, unknown> = await response.json();
  const config = v.parse(appConfigSchema, answer);
  const signInProviders = Object.keys(answer).flatMap((key) =>
    key.endsWith(FLAG) && answer[key] === true ? key.slice(0, -FLAG.length) : [],
  );
  return { ...config, signInProviders };
}
