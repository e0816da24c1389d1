import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import { ThemeToggle } from '../components/theme-toggle.tsx';
import { applyThemeChoice, readThemeChoice, themeKey } from './theme-choice.ts';

afterEach(() => applyThemeChoice('system'));

const shown = () => document.documentElement.dataset['theme'];

test('the system decides until a choice is made; the choice is kept', async () => {
  render(<ThemeToggle />);
  expect(shown()).toBeUndefined();
  const button = screen.getByRole('button', { name: 'Tema do sistema. Mudar para tema claro' });
  await userEvent.click(button);
  expect([shown(), readThemeChoice()]).toEqual(['light', 'light']);
  await userEvent.click(button);
  expect([shown(), readThemeChoice()]).toEqual(['dark', 'dark']);
  await userEvent.click(button);
  expect([shown(), localStorage.getItem(themeKey)]).toEqual([undefined, null]);
});

test('another tab is followed', async () => {
  render(<ThemeToggle />);
  window.dispatchEvent(new StorageEvent('storage', { key: themeKey, newValue: 'dark' }));
  expect(await screen.findByRole('button', { name: /^Tema escuro/ })).toBeTruthy();
  expect(shown()).toBe('dark');
});

test('a fixed choice colours the bar of a phone too', () => {
  document.head.innerHTML =
    '<meta name="theme-color" content="#fbfaf7" media="(prefers-color-scheme: light)"><meta name="theme-color" content="#0e0f12" media="(prefers-color-scheme: dark)">';
  const colors = () => [...document.head.querySelectorAll('meta')].map((meta) => meta.content);
  applyThemeChoice('dark');
  expect(colors()).toEqual(['#0e0f12', '#0e0f12']);
  applyThemeChoice('system');
  expect(colors()).toEqual(['#fbfaf7', '#0e0f12']);
  document.head.innerHTML = '';
});

test('words that are no choice are ignored', () => {
  localStorage.setItem(themeKey, 'neon');
  expect(readThemeChoice()).toBe('system');
});
