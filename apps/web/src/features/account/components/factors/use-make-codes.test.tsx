import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { usePerson } from '../../../../shared/lib/session/session-context.tsx';
import { createFakeAuth, fakeSession } from '../../../../shared/test/create-fake-auth.ts';
import { renderWithProviders } from '../../../../shared/test/render-with-providers.tsx';
import { useMakeCodes } from './use-make-codes.ts';

interface Props {
  readonly prepare: () => Promise<void>;
}

function Making({ prepare }: Props) {
  const { codes, busy, make } = useMakeCodes(true, prepare);
  return (
    <button type="button" onClick={() => void make()}>
      {codes?.join() ?? (busy ? 'Gerando' : 'Gerar')}
    </button>
  );
}

/** As behind the login guard. */
function Guarded(props: Props) {
  return usePerson() ? <Making {...props} /> : null;
}

test('codes that could not be shown are not made: those that were kept go on being good', async () => {
  const auth = createFakeAuth(fakeSession());
  auth.mfa.recoveryCodes.regenerate.mockResolvedValue({ data: { codes: ['a', 'b'] }, error: null });
  const prepare = vi.fn(async () => undefined);
  prepare.mockRejectedValueOnce(new Error('not found: /assets/codes-dialog.js'));
  await renderWithProviders(<Guarded prepare={prepare} />, { auth });
  const user = userEvent.setup();
  await user.click(await screen.findByText('Gerar'));
  expect(await screen.findByText('Não foi possível gerar os códigos. Tente de novo.')).toBeTruthy();
  expect(auth.mfa.recoveryCodes.regenerate).not.toHaveBeenCalled();
  await user.click(screen.getByText('Gerar'));
  expect(await screen.findByText('a,b')).toBeTruthy();
});

test('pressed twice makes codes once', async () => {
  const auth = createFakeAuth(fakeSession());
  auth.mfa.recoveryCodes.regenerate.mockResolvedValue({ data: { codes: ['a', 'b'] }, error: null });
  const { promise: prepared, resolve: prepare } = Promise.withResolvers<void>();
  await renderWithProviders(<Guarded prepare={() => prepared} />, { auth });
  const user = userEvent.setup();
  await user.click(await screen.findByText('Gerar'));
  await user.click(await screen.findByText('Gerando'));
  prepare();
  expect(await screen.findByText('a,b')).toBeTruthy();
  expect(auth.mfa.recoveryCodes.regenerate).toHaveBeenCalledOnce();
});
