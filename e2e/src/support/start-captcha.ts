import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';

export type Captcha = {
  /** Settings of a server that asks it. */
  readonly environment: Readonly<Record<string, string>>;
  /** Who was judged, in order. */
  readonly judged: readonly string[];
  /** Whom the next press of the box presents. */
  present(token: string): void;
  /** Gives the page the provider's script, which this machine cannot fetch. */
  lendScript(page: Page): Promise<void>;
  stop(): Promise<void>;
};

/** The token of a person; any other is a robot's. */
export const PERSON = 'uma pessoa';

/** hCaptcha as a page and a server meet it: a script with a box to press, and an address that judges its tokens. */
export async function startCaptcha(): Promise<Captcha> {
  const judged: string[] = [];
  let token = PERSON;
  const server = createServer(async (request, response) => {
    const form = new URLSearchParams(Buffer.concat(await request.toArray()).toString());
    judged.push(form.get('response') ?? '');
    const success = form.get('response') === PERSON && form.get('secret') === 'segredo';
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ success, 'error-codes': success ? [] : ['invalid-input-response'] }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const verify = `http://127.0.0.1:${(server.address() as AddressInfo).port}/siteverify`;
  return {
    environment: {
      CAPTCHA_PROVIDER: 'hcaptcha',
      CAPTCHA_SITE_KEY: 'site',
      CAPTCHA_SECRET: 'segredo',
      CAPTCHA_VERIFY_URL: verify,
    },
    judged,
    present: (next) => {
      token = next;
    },
    lendScript: async (page) => {
      await page.route('https://js.hcaptcha.com/1/api.js?*', (route) =>
        route.fulfill({ contentType: 'text/javascript', body: drawBox(token) }),
      );
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** The provider's API with a box of one press, which a `reset` empties. */
function drawBox(token: string): string {
  return `(() => {
    const boxes = [];
    window.hcaptcha = {
      render(place, { sitekey, callback }) {
        const label = document.createElement('label');
        const box = Object.assign(document.createElement('input'), { type: 'checkbox' });
        box.addEventListener('change', () => callback(sitekey === 'site' ? ${JSON.stringify(token)} : ''));
        label.append(box, ' Sou humano');
        place.append(label);
        return String(boxes.push({ box, label }) - 1);
      },
      reset: (id) => { boxes[id].box.checked = false; },
      remove: (id) => boxes[id].label.remove(),
    };
    window[new URL(document.currentScript.src).searchParams.get('onload')]();
  })();`;
}
