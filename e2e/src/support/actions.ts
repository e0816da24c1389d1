import { expect, type Locator, type Page } from '@playwright/test';
import type { Account } from './open-account.ts';

/** What a person does on the screens, in the words that stand on them. */

/** Comes back to a page as somebody who signed in here before: most sentences begin so, with one load of the app. */
export async function signIn(page: Page, { session }: Pick<Account, 'session'>, path = '/dashboard') {
  const remembered = await page.addInitScript((saved) => {
    const [label] = location.hostname.split('.');
    localStorage.setItem(`sb-${label}-auth-token`, saved);
  }, JSON.stringify(session));
  await page.goto(path);
  // Once: a reload after signing out must not bring the session back.
  await remembered.dispose();
  await expect(page.getByRole('main')).toBeVisible();
}

/** Signs in on the screen made for it. */
export async function signInByForm(page: Page, person: { email: string; password: string }) {
  await page.goto('/login');
  await fillLogin(page, person);
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(page.getByRole('main')).toBeVisible();
}

export async function fillLogin(page: Page, { email, password }: { email: string; password: string }) {
  // The form of a new account has fields of the same names, and may still be on its way out.
  await expect(page.getByRole('heading', { name: 'Entrar', level: 1 })).toBeVisible();
  await page.getByLabel(/^e-?mail$/i).fill(email);
  await page.getByLabel('Senha', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Entrar', exact: true }).click();
}

/** What stands in the sidebar only when the person is inside. */
export const newFolderButton = (page: Page): Locator =>
  page.getByRole('button', { name: 'Nova Pasta' }).first();

/** A folder or a category in the sidebar. */
export const shelf = (page: Page, name: string): Locator => page.getByRole('treeitem', { name, exact: true });

export const dialog = (page: Page, title: string): Locator => page.getByRole('dialog', { name: title });

export async function createFolder(page: Page, name: string) {
  await newFolderButton(page).click();
  await dialog(page, 'Nova Pasta').getByLabel('Nome da Pasta').fill(name);
  await dialog(page, 'Nova Pasta').getByRole('button', { name: 'Salvar', exact: true }).click();
  await expect(dialog(page, 'Nova Pasta')).toBeHidden();
}

/** Opens the dialog with the add button of the folder's own row. */
export async function createCategory(page: Page, folder: string, name: string, description = '') {
  await shelf(page, folder).hover();
  await page.getByRole('button', { name: `Adicionar categoria em ${folder}` }).click();
  const form = dialog(page, 'Nova Categoria');
  await form.getByLabel('Nome da Categoria').fill(name);
  if (description !== '') await form.getByLabel('Descrição (opcional)').fill(description);
  await form.getByRole('button', { name: 'Salvar', exact: true }).click();
  await expect(form).toBeHidden();
}

/** A link in the open category, as a card or as a row. */
export const linkCard = (page: Page, title: string): Locator =>
  page.getByRole('article').filter({ hasText: title });

export type LinkText = { readonly url: string; readonly title: string; readonly description?: string };

export async function createLink(page: Page, link: LinkText) {
  const form = await openLinkForm(page);
  await form.getByLabel(/^url/i).fill(link.url);
  await form.getByLabel(/título/i).fill(link.title);
  if (link.description !== undefined) await form.getByLabel(/descrição/i).fill(link.description);
  await form.getByRole('button', { name: 'Salvar', exact: true }).click();
  await expect(form).toBeHidden();
}

/** Opens the form for a new link and gives it back. */
export async function openLinkForm(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Adicionar Link' }).first().click();
  const form = dialog(page, 'Adicionar Link');
  await expect(form).toBeVisible();
  return form;
}

export const searchBox = (page: Page): Locator => page.getByPlaceholder('Buscar links...');

/** Opens the menu of a folder, a category or a link and chooses an entry. */
export async function chooseFromMenu(page: Page, of: Locator, entry: string) {
  // An open folder holds its categories: point at its own row, the first.
  await of.hover({ position: { x: 24, y: 12 } });
  await of
    .getByRole('button', { name: /^Ações d/ })
    .first()
    .click();
  await page.getByRole('menuitem', { name: entry, exact: true }).click();
  // On its way out it still gives the focus back: a key that is pressed now may meet its button.
  await expect(page.getByRole('menu')).toHaveCount(0);
}

/** The question before something is deleted. */
export const deleteQuestion = (page: Page): Locator =>
  page.getByRole('alertdialog', { name: 'Confirmar exclusão' });

export async function signOut(page: Page) {
  await page.getByRole('button', { name: 'Abrir menu da conta' }).click();
  await page.getByRole('button', { name: 'Sair', exact: true }).click();
}

/** A toast with the given text. */
export const notice = (page: Page, text: string): Locator =>
  page.getByRole('region', { name: 'Avisos' }).getByText(text, { exact: true });

/** Pastes a text where the focus is, as Ctrl+V does. */
export async function paste(page: Page, text: string) {
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
  await page.keyboard.press('Control+v');
}
