import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderWithProviders } from '../../../shared/test/render-with-providers.tsx';
import { ShareAddresses } from './sharing-dialog.tsx';

const category = { id: '0b5e', name: 'Receitas' };

test.each([
  ['has markup for other sites where the host draws public categories', true, 1],
  ['has none where nobody would answer it', false, 0],
])('a public category %s', async (_what, publicPagesDrawn, count) => {
  await renderWithProviders(<ShareAddresses category={category} mode="public" live />, {
    config: { publicPagesDrawn },
  });
  expect(screen.queryAllByText('Endereço legível e incorporação')).toHaveLength(count);
  expect(screen.queryAllByDisplayValue(/<iframe/)).toHaveLength(count);
});
