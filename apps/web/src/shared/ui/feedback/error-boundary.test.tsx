import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { expectConsoleError } from '../../test/setup-browser-tests.ts';
import { ErrorBoundary } from './error-boundary.tsx';

let broken = true;

function Part() {
  if (broken) throw new Error('broken');
  return <p>Tudo certo</p>;
}

test('a broken part shows calm words and comes back when tried again', async () => {
  render(
    <ErrorBoundary>
      <Part />
    </ErrorBoundary>,
  );
  expect(screen.getByRole('heading', { name: 'Algo não saiu como esperado' })).toBeTruthy();
  expect(screen.queryByText('broken')).toBeNull();
  expectConsoleError(/broken/);
  broken = false;
  await userEvent.click(screen.getByRole('button', { name: 'Tentar de novo' }));
  expect(screen.getByText('Tudo certo')).toBeTruthy();
});
