import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { CategoryHeader } from './category-header.tsx';

const redes = { folderName: 'Estudos', name: 'Redes', description: null, linkCount: 1, note: null };

test('a category has its name, where it is, how much is in it and what it is about', () => {
  render(<CategoryHeader {...redes} description="O que liga as máquinas" />);
  expect(screen.getByRole('heading', { level: 1, name: 'Redes' })).toBeTruthy();
  expect(screen.getByRole('navigation', { name: 'Localização' }).textContent).toBe('EstudosRedes');
  expect(screen.getByText('1 link')).toBeTruthy();
  expect(screen.getByText('O que liga as máquinas')).toBeTruthy();
});

test("someone else's says whose it is; without a description nothing stands in its place", () => {
  const { container } = render(
    <CategoryHeader {...redes} linkCount={null} note="Compartilhado por: Bia Lima" />,
  );
  expect([...container.querySelectorAll('p')].map((line) => line.textContent)).toEqual([
    'Compartilhado por: Bia Lima',
  ]);
  expect(screen.queryByText(/links?$/)).toBeNull();
});
