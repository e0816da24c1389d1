import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { FolderTreeSkeleton } from './folder-tree-skeleton.tsx';

test('three folders with two categories each, said aloud as loading', () => {
  const { container } = render(<FolderTreeSkeleton />);
  const folders = [...container.querySelectorAll('[aria-busy="true"] > div')];
  expect(folders.map((folder) => folder.children.length)).toEqual([1 + 2, 1 + 2, 1 + 2]);
  expect(screen.getByRole('status').textContent).toBe('Carregando pastas...');
});
