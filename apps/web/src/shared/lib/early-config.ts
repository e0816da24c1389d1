/** Where the page's own script leaves the answer for the app, which comes later. */
const PLACE = Symbol.for('linkoteca.config');

type Left = { [PLACE]?: Promise<Response> | undefined };

/** Leaves an answer of /config.json that was asked for before the app's code was here. */
export function leaveConfig(response: Promise<Response>): void {
  // Whoever takes it hears of a failure; nobody else has to.
  response.catch(() => undefined);
  (globalThis as Left)[PLACE] = response;
}

/** Takes what was left, once; undefined where nothing was. */
export function takeConfig(): Promise<Response> | undefined {
  const left = globalThis as Left;
  const response = left[PLACE];
  left[PLACE] = undefined;
  return response;
}
