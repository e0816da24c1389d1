import { act, renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Sharing } from '../api/load-sharing.ts';
import { useSharingDraft } from './use-sharing-draft.ts';

const stored = (...emails: string[]): Sharing => ({ is_public: false, emails });

test('what comes to the list and goes from it elsewhere meanwhile is neither lost nor brought back', () => {
  const { result, rerender } = renderHook(useSharingDraft, { initialProps: stored('ana@a.br', 'bia@a.br') });
  act(() => result.current.add(['caio@a.br']));
  act(() => result.current.remove('ana@a.br'));
  rerender(stored('ana@a.br', 'dani@a.br'));
  expect(result.current.emails).toEqual(['dani@a.br', 'caio@a.br']);
  expect(result.current.changed).toBe(true);
});

test('taken out and put in again, or added elsewhere too, is no change', () => {
  const { result, rerender } = renderHook(useSharingDraft, { initialProps: stored('ana@a.br') });
  act(() => result.current.remove('ana@a.br'));
  expect(result.current.changed).toBe(true);
  act(() => result.current.add(['ana@a.br']));
  expect(result.current.changed).toBe(false);
  act(() => result.current.add(['bia@a.br']));
  rerender(stored('ana@a.br', 'bia@a.br'));
  expect(result.current.emails).toEqual(['ana@a.br', 'bia@a.br']);
  expect(result.current.changed).toBe(false);
});
