import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { SkipLink } from './skip-link.tsx';

test('the skip link brings the keyboard to the page, and leaves no entry in the history', async () => {
  render(
    <>
      <SkipLink />
      <main id="page" tabIndex={-1} />
    </>,
  );
  const entries = window.history.length;
  await userEvent.click(screen.getByRole('link', { name: 'Pular para o conteúdo' }));
  expect(document.activeElement).toBe(screen.getByRole('main'));
  expect([window.history.length, window.location.hash]).toEqual([entries, '']);
});
