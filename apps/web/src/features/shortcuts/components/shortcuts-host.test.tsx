import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { beforeAll, expect, test, vi } from 'vitest';
import { letPass } from '../../../shared/test/let-pass.ts';
import { ShortcutsHost } from './shortcuts-host.tsx';

// Compiled here, so that no test measures the time it takes.
beforeAll(() => import('./shortcuts-sheet.tsx'), 60_000);

function Host() {
  const [open, setOpen] = useState(false);
  return <ShortcutsHost open={open} onOpenChange={setOpen} />;
}

const pressQuestionMark = () => fireEvent.keyDown(document.body, { key: '?', shiftKey: true });
const sheet = () => screen.findByRole('dialog', { name: 'Atalhos do teclado' });

test("'?' opens the sheet with every group, Esc closes it", async () => {
  render(<Host />);
  pressQuestionMark();
  const headings = within(await sheet()).getAllByRole('heading', { level: 3 });
  expect(headings.map(({ textContent }) => textContent)).toEqual([
    'Em qualquer lugar',
    'Em uma categoria',
    'Com um link em foco',
    'Na Entrada',
    'Nas pastas',
    'Na busca',
  ]);
  const keysOf = (what: string) =>
    within(screen.getByText(what).parentElement as HTMLElement).getByRole('definition').textContent;
  expect(keysOf('Buscar')).toBe('/ouCtrlK');
  fireEvent.keyDown(await sheet(), { key: 'Escape' });
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('keys bear the names of the device', async () => {
  vi.spyOn(navigator, 'platform', 'get').mockReturnValue('MacIntel');
  render(<Host />);
  pressQuestionMark();
  expect((await sheet()).textContent).toContain('⌘');
  expect(screen.queryAllByText('Ctrl')).toEqual([]);
});

test("the switch turns single keys off, and '?' with them; the choice is kept", async () => {
  const view = render(<Host />);
  pressQuestionMark();
  const single = within(await sheet()).getByRole('switch', { name: 'Atalhos de uma só tecla' });
  expect((single as HTMLInputElement).checked).toBe(true);
  fireEvent.click(single);
  expect((single as HTMLInputElement).checked).toBe(false);
  fireEvent.keyDown(await sheet(), { key: 'Escape' });
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  view.unmount();

  render(<Host />);
  pressQuestionMark();
  await letPass(50);
  expect(screen.queryByRole('dialog')).toBeNull();
});
