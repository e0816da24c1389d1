import { focusManager } from '@tanstack/react-query';
import { act, screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { renderWithProviders } from '../../../shared/test/render-with-providers.tsx';
import { usePlan, useSubscription } from './subscription.ts';

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
});

afterEach(() => {
  vi.useRealTimers();
  focusManager.setFocused(undefined);
});

function Limits() {
  return <p>{usePlan().plan?.maxLinks ?? 'sem limite'}</p>;
}

function Subscription() {
  return <p>{useSubscription().subscription?.plan}</p>;
}

/** Renders, comes back to the window after some time and tells how often the plan was asked for. */
async function comeBackAfter(ms: number, ui: ReactNode, words: string) {
  let asked = 0;
  await renderWithProviders(ui, {
    respond: ({ path }) => {
      if (path === 'profiles') asked += 1;
      return { body: path === 'profiles' ? [{ plan: 'plus' }] : [] };
    },
  });
  expect(await screen.findByText(words)).toBeTruthy();
  focusManager.setFocused(false);
  await act(() => vi.advanceTimersByTimeAsync(ms));
  act(() => focusManager.setFocused(true));
  await act(() => vi.advanceTimersByTimeAsync(10));
  return { asked: () => asked };
}

test('the limits of a plan are known for five minutes', async () => {
  const { asked } = await comeBackAfter(4 * 60_000, <Limits />, '500');
  expect(asked()).toBe(1);
});

test('after that they are asked for again', async () => {
  const { asked } = await comeBackAfter(5 * 60_000 + 1, <Limits />, '500');
  await waitFor(() => expect(asked()).toBe(2));
});

test('the subscription itself is fresh for a minute', async () => {
  const { asked } = await comeBackAfter(60_001, <Subscription />, 'plus');
  await waitFor(() => expect(asked()).toBe(2));
});
