import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderWithProviders } from '../../../shared/test/render-with-providers.tsx';
import { PlanCards } from './plan-cards.tsx';

const cardOf = (name: string) => screen.getByRole('heading', { name }).closest('li') as HTMLElement;

test.each([
  ['Free', 'US$ 0,00 por mês', 'Grátis, sem prazo', ['Até 20 links', 'Até 5 categorias']],
  ['Plus', 'US$ 1,99 por mês', 'ou US$ 19,90 por ano', ['Até 500 links', 'Até 20 categorias']],
  ['Pro', 'US$ 3,99 por mês', 'ou US$ 39,90 por ano', ['Links sem limite', 'Categorias sem limite']],
])('%s costs what the specification says and allows what the plan allows', async (...expected) => {
  const [name, month, year, lines] = expected;
  await renderWithProviders(<PlanCards />);
  const card = cardOf(name);
  expect(card.textContent).toContain(month);
  expect(card.textContent).toContain(year);
  for (const line of lines) expect(within(card).getByText(line)).toBeTruthy();
});

test("a person's own plan is marked", async () => {
  await renderWithProviders(<PlanCards />, {
    respond: ({ path }) => ({ body: path === 'profiles' ? [{ plan: 'plus' }] : [] }),
  });
  const mark = await screen.findByText('Seu plano');
  expect(mark.closest('li')).toBe(cardOf('Plus'));
});
