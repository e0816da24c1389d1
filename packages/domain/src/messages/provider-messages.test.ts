import { expect, test } from 'vitest';
import { PROVIDER_MESSAGES } from './provider-messages.ts';

const google = { label: 'Google', withArticle: 'o Google' };
const acme = { label: 'Acme', withArticle: 'a Acme' };

test('one provider is called by its name', () => {
  expect(PROVIDER_MESSAGES.continueWith(google)).toBe('Continuar com Google');
  expect(PROVIDER_MESSAGES.opening(google)).toBe('Abrindo o Google...');
  expect(PROVIDER_MESSAGES.confirmWith(google)).toBe('Confirmar com o Google');
  expect(PROVIDER_MESSAGES.failed(google)).toEqual({
    title: 'Erro no login com Google',
    description: 'Não foi possível fazer login com o Google.',
  });
  expect(PROVIDER_MESSAGES.tooLate([google])).toBe(
    'Esta entrada com o Google expirou ou já foi usada. Toque em Continuar com Google para tentar de novo.',
  );
  expect(PROVIDER_MESSAGES.noPasswordYet([google])).toBe(
    'Você entra com o Google. Se ainda não tem uma senha, enviamos um link para criar.',
  );
  expect(PROVIDER_MESSAGES.received([google])).toBe(
    'Se você entra com o Google, recebemos dele o e-mail, o nome e o endereço da foto.',
  );
});

test('several are told together, each with its own article and pronoun', () => {
  expect(PROVIDER_MESSAGES.tooLate([google, acme])).toBe(
    'Esta entrada com o Google ou a Acme expirou ou já foi usada. Toque em Continuar com Google ou Continuar com Acme para tentar de novo.',
  );
  expect(PROVIDER_MESSAGES.noPasswordYet([google, acme])).toMatch(/^Você entra com o Google e a Acme\. /);
  expect(PROVIDER_MESSAGES.received([google, acme, google])).toBe(
    'Se você entra com o Google, a Acme ou o Google, recebemos de quem você escolher o e-mail, o nome e o endereço da foto.',
  );
  expect(PROVIDER_MESSAGES.confirmsWho(acme)).toBe(
    'confirma quem você é, se escolher entrar com ela; a sua foto, então, vem dos servidores dela.',
  );
});

test('a provider without a name here is not mentioned', () => {
  expect(PROVIDER_MESSAGES.noPasswordYet([])).toBe(
    'Se ainda não tem uma senha, enviamos um link para criar.',
  );
});
