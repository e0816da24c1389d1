import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { useFilterField } from './use-filter-field.ts';

/** Something else to be at, a key to press, and a field that comes late. */
function Page({ arrived }: { readonly arrived: boolean }) {
  const field = useFilterField();
  return (
    <>
      <input aria-label="Busca" />
      <button type="button" onClick={field.focus}>
        F
      </button>
      {arrived ? <input aria-label="Filtro" ref={field.ref} /> : null}
    </>
  );
}

test('the field takes the keyboard as soon as it is there, when that was asked for', () => {
  const { rerender } = render(<Page arrived={false} />);
  screen.getByText('F').click();
  rerender(<Page arrived />);
  expect(document.activeElement).toBe(screen.getByLabelText('Filtro'));
});

test('who is elsewhere by then stays there', () => {
  const { rerender } = render(<Page arrived={false} />);
  screen.getByText('F').click();
  screen.getByLabelText('Busca').focus();
  rerender(<Page arrived />);
  expect(document.activeElement).toBe(screen.getByLabelText('Busca'));
});

test('where nobody asked it takes nothing', () => {
  render(<Page arrived />);
  expect(document.activeElement).toBe(document.body);
});
