import type { ApiRequest, ApiRoute } from '../api-route.ts';
import { invalidParameter, missingObject } from '../stripe-failure.ts';

const CLOCK_ID = 'clock_emulator';

/**
 * `testHelpers.testClocks`: there is one clock, for everything. It goes on ticking and never goes back.
 */
export const TEST_CLOCK_ROUTES: readonly ApiRoute[] = [
  {
    method: 'GET',
    path: '/v1/test_helpers/test_clocks/:id',
    run: async (request) => {
      requireClock(request);
      return describeClock(request.ledger.time);
    },
  },
  {
    method: 'POST',
    path: '/v1/test_helpers/test_clocks/:id/advance',
    run: async (request) => {
      requireClock(request);
      return moveTo(request);
    },
  },
];

const MAX_STEP_SECONDS = 2 * 366 * 86_400;

function moveTo({ ledger, parameters, moveClock }: ApiRequest): object {
  parameters.requiredText('frozen_time');
  const to = parameters.integer('frozen_time') ?? 0;
  if (to <= Math.floor(ledger.time))
    throw invalidParameter('frozen_time', 'Clocks can only be advanced: frozen_time must be in the future.');
  if (to > ledger.time + MAX_STEP_SECONDS)
    throw invalidParameter('frozen_time', 'Clocks can only be advanced by up to two years at a time.');
  moveClock(to);
  return describeClock(to);
}

function requireClock({ ids: [id = ''] }: ApiRequest): void {
  if (id !== CLOCK_ID) throw missingObject('test_clock', id);
}

function describeClock(time: number): object {
  return {
    id: CLOCK_ID,
    object: 'test_helpers.test_clock',
    created: Math.floor(time),
    deletes_after: Math.floor(time) + MAX_STEP_SECONDS,
    frozen_time: Math.floor(time),
    livemode: false,
    name: null,
    status: 'ready',
    status_details: {},
  };
}
