import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, test } from 'vitest';
import { AnchoredMenuPopup } from './anchored-menu-popup.tsx';
import { MenuItem } from './menu-item.tsx';

function Card() {
  const [anchor, setAnchor] = useState<Element | null>(null);
  return (
    <>
      <button type="button" onClick={({ currentTarget }) => setAnchor(currentTarget)}>
        Mais
      </button>
      <div role="dialog">
        <input aria-label="Destino" />
      </div>
      <AnchoredMenuPopup anchor={anchor} onClose={() => setAnchor(null)} label="Menu do link">
        <MenuItem onSelect={() => {}}>Mover</MenuItem>
      </AnchoredMenuPopup>
    </>
  );
}

afterEach(() => {
  Reflect.deleteProperty(Element.prototype, 'getAnimations');
});

test.each([
  ['goes back to its button', null, 'Mais'],
  ['stays in the dialog that the entry has opened', 'Destino', 'Destino'],
])('when a menu has faded out the focus %s', async (_what, taken, expected) => {
  const user = userEvent.setup();
  const fade = Promise.withResolvers<void>();
  Element.prototype.getAnimations = () => [
    { finished: fade.promise, pending: false } as unknown as Animation,
  ];
  render(<Card />);
  await user.click(screen.getByRole('button', { name: 'Mais' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Mover' }));
  if (taken) act(() => screen.getByLabelText(taken).focus());
  expect(screen.queryByRole('menu', { hidden: true })).not.toBeNull();
  fade.resolve();
  await waitFor(() => expect(screen.queryByRole('menu', { hidden: true })).toBeNull());
  await waitFor(() => {
    const focused = document.activeElement;
    expect(focused?.textContent || focused?.getAttribute('aria-label')).toBe(expected);
  });
});
