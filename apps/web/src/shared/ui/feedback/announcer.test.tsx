import { act, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { announce } from '../../lib/browser/announce.ts';
import { Announcer } from './announcer.tsx';

afterEach(() => {
  vi.useRealTimers();
});

test('what is announced stands in a polite live region, also when it came first', () => {
  announce('3 links selecionados');
  render(<Announcer />);
  act(() => announce('Link movido para Receitas'));
  for (const text of ['3 links selecionados', 'Link movido para Receitas']) {
    expect(screen.getByText(text).closest('[aria-live="polite"]')).toBeTruthy();
  }
});

test('the same words twice are two messages, and each goes after a while', () => {
  vi.useFakeTimers();
  render(<Announcer />);
  act(() => announce('1 link selecionado'));
  act(() => announce('1 link selecionado'));
  expect(screen.getAllByText('1 link selecionado')).toHaveLength(2);
  act(() => void vi.advanceTimersByTime(10_000));
  expect(screen.queryByText('1 link selecionado')).toBeNull();
});
