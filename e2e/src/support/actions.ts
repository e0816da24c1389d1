import { expect, type Locator, type Page } from '@playwright/test';

/** What a person does on the screens, in the words that stand on them. */

export async function signIn(page: Page, { email, password }: { email: string; password: string }) {
  await page.goto('/login');
  await fillLogin(page, { email, password });
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(folderTree(page)).toBeVisible();
}

export async function fillLogin(page: Page, { email, password }: { email: string; password: string }) {
  await page.getByLabel(/^e-?mail$/i).fill(email);
  await page.getByLabel('Senha', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Entrar', exact: true }).click();
}

/** The sidebar's list of folders. */
export const folderTree = (page: Page): Locator => page.getByRole('button', { name: 'Nova Pasta' }).first();

export const dialog = (page: Page, title: string): Locator => page.getByRole('dialog', { name: title });

export async function createFolder(page: Page, name: string) {
  await page.getByRole('button', { name: 'Nova Pasta' }).first().click();
  await dialog(page, 'Nova Pasta').getByLabel('Nome da Pasta').fill(name);
  await dialog(page, 'Nova Pasta').getByRole('button', { name: 'Salvar' }).click();
  await expect(dialog(page, 'Nova Pasta')).toBeHidden();
}

/** Opens the dialog from the folder's own row, as the row's add button does. */
export async function createCategory(page: Page, folder: string, name: string, description = '') {
  await page.getByRole('button', { name: new RegExp(`(adicionar|nova) categoria.*${folder}`, 'i') }).click();
  const form = dialog(page, 'Nova Categoria');
  await form.getByLabel('Nome da Categoria').fill(name);
  if (description !== '') await form.getByLabel('Descrição (opcional)').fill(description);
  await form.getByRole('button', { name: 'Salvar' }).click();
  await expect(form).toBeHidden();
}

export type LinkText = { readonly url: string; readonly title: string; readonly description?: string };

export async function createLink(page: Page, link: LinkText) {
  await openLinkForm(page);
  const form = page.getByRole('dialog');
  await form.getByLabel(/^url/i).fill(link.url);
  await form.getByLabel(/título/i).fill(link.title);
  if (link.description !== undefined) await form.getByLabel(/descrição/i).fill(link.description);
  await form.getByRole('button', { name: 'Salvar' }).click();
  await expect(form).toBeHidden();
}

export async function openLinkForm(page: Page) {
  await page.getByRole('button', { name: 'Adicionar Link' }).first().click();
  await expect(page.getByRole('dialog')).toBeVisible();
}

export const searchBox = (page: Page): Locator => page.getByPlaceholder('Buscar links...');

/** Opens the row menu of a folder, a category or a link and chooses an entry. */
export async function chooseFromMenu(page: Page, of: string, entry: string) {
  const button = page.getByRole('button', { name: new RegExp(`(opções|ações|menu).*${of}`, 'i') });
  await button.first().click();
  await page.getByRole('menuitem', { name: entry }).click();
}

/** A toast with the given text. */
export const notice = (page: Page, text: string): Locator => page.getByText(text, { exact: true });
