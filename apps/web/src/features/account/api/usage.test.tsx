import { act, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { renderWithProviders } from '../../../shared/test/render-with-providers.tsx';
import { useLibraryCounts, useRefreshLibraryCounts } from './usage.ts';

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
});

afterEach(() => {
  vi.useRealTimers();
});

function Counts() {
  const { data } = useLibraryCounts();
  const refresh = useRefreshLibraryCounts();
  return (
    <button type="button" onClick={refresh}>
      {data ? `${data.folders}/${data.categories}/${data.links}` : 'contando'}
    </button>
  );
}

/** Renders the counts of a library that has a link more each time it is asked. */
async function renderCounts(known = true) {
  let asked = 0;
  await renderWithProviders(<Counts />, {
    respond: () => {
      asked += 1;
      return { body: known ? [{ folder_count: 1, category_count: 2, link_count: asked }] : [] };
    },
  });
  return { asked: () => asked };
}

test('the counts are renewed every 15 seconds', async () => {
  const { asked } = await renderCounts();
  expect(await screen.findByText('1/2/1')).toBeTruthy();
  await act(() => vi.advanceTimersByTimeAsync(10_000));
  expect(asked()).toBe(1);
  await act(() => vi.advanceTimersByTimeAsync(5_000));
  expect(await screen.findByText('1/2/2')).toBeTruthy();
  await act(() => vi.advanceTimersByTimeAsync(15_000));
  expect(await screen.findByText('1/2/3')).toBeTruthy();
});

test('they are asked for at once when a menu that shows them opens', async () => {
  await renderCounts();
  const button = await screen.findByRole('button', { name: '1/2/1' });
  act(() => button.click());
  await waitFor(() => expect(button.textContent).toBe('1/2/2'));
});

test('a person without a row has nothing yet', async () => {
  await renderCounts(false);
  expect(await screen.findByText('0/0/0')).toBeTruthy();
});
