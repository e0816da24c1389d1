import { handleApiRequest } from './api/handle-api-request.ts';
import { openBooks } from './books.ts';
import type { EmulatorOptions, PaymentEmulator, RequestOrigin } from './emulator-options.ts';
import { handlePageRequest } from './pages/handle-page-request.ts';
import { catchUp, isAnythingDue, moveClock } from './run-clock.ts';
import { deliverEvents } from './webhooks/deliver-events.ts';

/** How often to look for what is due, and for what another copy of the server has left behind. */
const EVERY_MS = 2_000;

/** Opens the emulator. Nothing runs or is written before the first request or `start`. */
export function createPaymentEmulator(options: EmulatorOptions): PaymentEmulator {
  const { logger, secretKey } = options;
  const books = openBooks({ ...options, onChange: () => wake() });
  const deliverer = { ...options, books };
  const advance = (to: number) => moveClock(books, options, to);
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isAskedAgain = false;

  async function work(): Promise<void> {
    if (!(await isAnythingDue(books))) return;
    await catchUp(books, logger);
    while ((await deliverEvents(deliverer)) > 0) {
      // What a receiver did in the meantime may have caused more.
    }
  }

  async function workUntilQuiet(): Promise<void> {
    do {
      isAskedAgain = false;
      await work();
    } while (isAskedAgain && timer !== undefined);
  }

  function wake(): void {
    isAskedAgain = true;
    if (timer === undefined || running) return;
    running = workUntilQuiet()
      .catch((err: unknown) => logger.warn({ err }, 'the payment emulator could not do what is due'))
      .finally(() => {
        running = undefined;
      });
  }

  return {
    async handle(request: Request, origin: RequestOrigin): Promise<Response> {
      const { pathname } = new URL(request.url);
      const path = pathname.replace(/^\/payment-emulator(?=\/|$)/, '');
      if (path.startsWith('/v1/'))
        return handleApiRequest({ books, secretKey, logger, moveClock: advance }, request, path);
      return handlePageRequest({ ...options, books, moveClock: advance }, request, path, origin);
    },
    start() {
      timer ??= setInterval(wake, EVERY_MS).unref();
      wake();
    },
    async stop() {
      clearInterval(timer);
      timer = undefined;
      await running;
    },
    work,
  };
}
