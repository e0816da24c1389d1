import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { Button } from './button.tsx';

/** As a browser translates a page: another element in place of each bare text. */
function translate(root: Element): void {
  for (const node of [...root.querySelectorAll('*'), root].flatMap((each) => [...each.childNodes])) {
    if (node.nodeType !== Node.TEXT_NODE) continue;
    const font = document.createElement('font');
    font.textContent = `${node.textContent} (translated)`;
    node.replaceWith(font);
  }
}

test('the button of a translated page says that it is busy, and then what it does', () => {
  const button = (busy: boolean) => (
    <Button busy={busy} busyLabel="Esperando..." icon={busy ? <i /> : null}>
      <svg aria-hidden />
      Confirmar
    </Button>
  );
  const { rerender } = render(button(false));
  translate(screen.getByRole('button'));
  expect(screen.getByRole('button').textContent).toBe('Confirmar (translated)');
  rerender(button(true));
  expect(screen.getByRole('button').textContent).toBe('Esperando...');
  translate(screen.getByRole('button'));
  rerender(button(false));
  expect(screen.getByRole('button').textContent).toBe('Confirmar');
});
