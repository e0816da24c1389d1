import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { categoryFormSchema, createCategorySchema } from './category-schema.ts';
import {
  loginSchema,
  newPasswordSchema,
  profileSchema,
  settingsPasswordSchema,
  signUpSchema,
} from './fields.ts';
import {
  createFolderSchema,
  createLinkSchema,
  folderFormSchema,
  linkFormSchema,
  updateFolderSchema,
} from './library-schemas.ts';

const ID = '3f2b8c1e-5a4d-4e6f-8a9b-0c1d2e3f4a5b';

/** The first message of each field, or the parsed output. */
function judge(schema: v.GenericSchema, input: unknown): unknown {
  const result = v.safeParse(schema, input);
  if (result.success) return result.output;
  return Object.fromEntries(
    Object.entries(v.flatten(result.issues).nested ?? {}).map(([field, messages]) => [field, messages?.[0]]),
  );
}

describe('folder', () => {
  test.each([
    [{ name: '  Estudos ' }, { name: 'Estudos' }],
    [{ name: 'a\u0000b\nc' }, { name: 'ab c' }],
    [{ name: '👍'.repeat(50) }, { name: '👍'.repeat(50) }],
    [{ name: '' }, { name: 'O nome da pasta é obrigatório' }],
    [{ name: ' \t ' }, { name: 'O nome da pasta é obrigatório' }],
    [{}, { name: 'O nome da pasta é obrigatório' }],
    [{ name: 'x'.repeat(51) }, { name: 'O nome da pasta deve ter no máximo 50 caracteres' }],
    [{ name: '👍'.repeat(51) }, { name: 'O nome da pasta deve ter no máximo 50 caracteres' }],
  ])('%#', (input, expected) => {
    expect(judge(folderFormSchema, input)).toEqual(expected);
  });

  test('a created folder is private, its addresses are lower case', () => {
    expect(judge(createFolderSchema, { name: 'A', user_id: ID, shared_with: ['Ana@Exemplo.com '] })).toEqual({
      name: 'A',
      user_id: ID,
      is_public: false,
      shared_with: ['ana@exemplo.com'],
    });
    expect(judge(createFolderSchema, { name: 'A', user_id: 'eu', shared_with: ['x'] })).toEqual({
      user_id: 'ID de usuário inválido',
      'shared_with.0': 'Email inválido',
    });
  });

  test('an update needs its name only', () => {
    expect(judge(updateFolderSchema, { name: 'B' })).toEqual({ name: 'B' });
    expect(judge(updateFolderSchema, { is_public: true })).toEqual({ name: 'O nome da pasta é obrigatório' });
  });
});

describe('category', () => {
  test.each([
    [
      { name: 'Receitas', description: '  ', folder_id: ID },
      { name: 'Receitas', description: null, folder_id: ID },
    ],
    [
      { name: 'Receitas', folder_id: ID },
      { name: 'Receitas', description: null, folder_id: ID },
    ],
    [
      { name: '', description: 'x'.repeat(201), folder_id: '' },
      {
        name: 'O nome da categoria é obrigatório',
        description: 'A descrição deve ter no máximo 200 caracteres',
        folder_id: 'Selecione uma pasta para a categoria',
      },
    ],
    [
      { name: 'x'.repeat(51), folder_id: 'abc' },
      {
        name: 'O nome da categoria deve ter no máximo 50 caracteres',
        folder_id: 'ID de pasta inválido',
      },
    ],
  ])('%#', (input, expected) => {
    expect(judge(categoryFormSchema, input)).toEqual(expected);
  });

  test('a created one is private and has an owner', () => {
    const row = { name: 'Receitas', description: null, folder_id: ID, user_id: ID, name_users: null };
    expect(judge(createCategorySchema, row)).toEqual({ ...row, is_public: false });
    expect(judge(createCategorySchema, { ...row, user_id: 'eu' })).toEqual({
      user_id: 'ID de usuário inválido',
    });
  });
});

describe('link', () => {
  const valid = { url: 'exemplo.com.br', title: 'Exemplo', category_id: ID, description: null };

  test('a valid one is completed', () => {
    expect(judge(linkFormSchema, valid)).toEqual({ ...valid, url: 'https://exemplo.com.br' });
  });

  test.each([
    ['javascript:alert(1)', 'URL inválida'],
    ['', 'URL inválida'],
    [`https://exemplo.com/${'x'.repeat(481)}`, 'A URL deve ter no máximo 500 caracteres'],
  ])('url %# is refused', (url, message) => {
    expect(judge(linkFormSchema, { ...valid, url })).toEqual({ url: message });
  });

  test('an address of exactly 500 characters passes', () => {
    const url = `https://exemplo.com/${'x'.repeat(480)}`;
    expect(judge(linkFormSchema, { ...valid, url })).toMatchObject({ url });
  });

  test.each([
    [{ title: ' ' }, { title: 'O título é obrigatório' }],
    [{ title: 'x'.repeat(101) }, { title: 'O título deve ter no máximo 100 caracteres' }],
    [{ description: 'x'.repeat(1201) }, { description: 'A descrição deve ter no máximo 1200 caracteres' }],
    [{ category_id: '' }, { category_id: 'Selecione uma categoria para o link' }],
    [{ category_id: '1' }, { category_id: 'ID de categoria inválido' }],
  ])('%#', (change, expected) => {
    expect(judge(linkFormSchema, { ...valid, ...change })).toEqual(expected);
  });

  test('its owner is a uuid, its description keeps line breaks', () => {
    expect(judge(createLinkSchema, { ...valid, user_id: "'; drop table" })).toEqual({
      user_id: 'ID de usuário inválido',
    });
    expect(judge(linkFormSchema, { ...valid, description: ' a\nb ' })).toMatchObject({ description: 'a\nb' });
  });
});

describe('account', () => {
  test.each([
    [
      signUpSchema,
      { name: ' ', email: 'x', password: '12345' },
      {
        name: 'Nome é obrigatório',
        email: 'Email inválido',
        password: 'A senha precisa ter no mínimo 6 caracteres',
      },
    ],
    [
      newPasswordSchema,
      { password: '123456', confirmPassword: '123457' },
      {
        confirmPassword: 'As senhas não coincidem.',
      },
    ],
    [
      settingsPasswordSchema,
      { currentPassword: '', newPassword: '1234567', confirmPassword: '' },
      {
        currentPassword: 'Senha atual é obrigatória',
        newPassword: 'A nova senha precisa ter no mínimo 8 caracteres',
        confirmPassword: 'Confirme sua nova senha',
      },
    ],
    [
      settingsPasswordSchema,
      { currentPassword: 'a', newPassword: '12345678', confirmPassword: '1' },
      {
        confirmPassword: 'As senhas não correspondem',
      },
    ],
    [
      profileSchema,
      { firstName: '', lastName: '' },
      {
        firstName: 'Nome é obrigatório',
        lastName: 'Sobrenome é obrigatório',
      },
    ],
  ] as const)('%#', (schema, input, expected) => {
    expect(judge(schema, input)).toEqual(expected);
  });

  test.each([
    [signUpSchema, 'password', (password: string) => ({ name: 'Ana', email: 'a@b.br', password })],
    [newPasswordSchema, 'password', (password: string) => ({ password, confirmPassword: password })],
    [
      settingsPasswordSchema,
      'newPassword',
      (newPassword: string) => ({ currentPassword: 'a', newPassword, confirmPassword: newPassword }),
    ],
  ])('a new password is no longer than the service takes: %#', (schema, field, fill) => {
    expect(judge(schema, fill('é'.repeat(72)))).toEqual(fill('é'.repeat(72)));
    expect(judge(schema, fill('é'.repeat(73)))).toEqual({
      [field]: 'A senha pode ter no máximo 72 caracteres',
    });
  });

  test('a password that was once longer is still typed to enter', () => {
    const form = { email: 'a@b.br', password: 'é'.repeat(73) };
    expect(judge(loginSchema, form)).toEqual(form);
  });
});
