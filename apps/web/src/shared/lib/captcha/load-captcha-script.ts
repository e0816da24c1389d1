/** What both providers offer under their own name; as their documentation describes it. */
export interface CaptchaApi {
  readonly render: (
    place: HTMLElement,
    options: {
      readonly sitekey: string;
      readonly callback: (token: string) => void;
      readonly 'expired-callback': () => void;
      readonly 'error-callback': () => void;
      readonly theme: 'light' | 'dark';
      /** Turnstile's word for the language … */
      readonly language: string;
      /** … and hCaptcha's. */
      readonly hl: string;
    },
  ) => string;
  readonly reset: (id: string) => void;
  readonly remove: (id: string) => void;
}

export type CaptchaProvider = 'hcaptcha' | 'turnstile';

const READY = 'linkotecaCaptchaReady';
const QUERY = `?render=explicit&onload=${READY}`;
const SCRIPTS = {
  hcaptcha: `https://js.hcaptcha.com/1/api.js${QUERY}&hl=pt-BR`,
  turnstile: `https://challenges.cloudflare.com/turnstile/v0/api.js${QUERY}`,
} as const;

let loading: Promise<CaptchaApi> | undefined;

/** Fetches the provider's code, once a page. Rejects when it does not come (no network, a blocker); asked again, it tries again. */
export function loadCaptchaScript(provider: CaptchaProvider): Promise<CaptchaApi> {
  loading ??= fetchScript(provider).catch((reason: unknown) => {
    loading = undefined;
    throw reason;
  });
  return loading;
}

function fetchScript(provider: CaptchaProvider): Promise<CaptchaApi> {
  return new Promise((resolve, reject) => {
    const page = window as unknown as Record<string, unknown>;
    const script = document.createElement('script');
    const fail = (why: string) => {
      script.remove();
      reject(new Error(why));
    };
    page[READY] = () => {
      const api = page[provider];
      if (api) resolve(api as CaptchaApi);
      else fail('the captcha provider sent something else');
    };
    script.src = SCRIPTS[provider];
    script.async = true;
    script.onerror = () => fail('the captcha could not be loaded');
    document.head.append(script);
  });
}
