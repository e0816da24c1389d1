import { describe, expect, it } from 'vitest';
import { composeMail, type MailTemplate } from './mail-templates.ts';

const FACTS = {
  link: 'https://linkoteca.test/auth/v1/verify?token=abc&type=signup&redirect_to=https%3A%2F%2Flinkoteca.test',
  code: '012345',
  lifetime: 3600,
  newEmail: '"><script>alert(1)</script>@exemplo.test',
};
const SUBJECTS: Readonly<Record<MailTemplate, string>> = {
  confirm_sign_up: 'Confirme seu e-mail',
  magic_link: 'Seu link de acesso',
  reset_password: 'Redefina sua senha',
  invite: 'Você recebeu um convite para a Linkoteca',
  email_change_current: 'Confirme a troca de e-mail',
  email_change_new: 'Confirme seu novo e-mail',
  reauthenticate: '012345 é o seu código de confirmação',
  address_taken: 'Você já tem uma conta na Linkoteca',
  factor_reset_asked: 'Pediram para desligar sua verificação em duas etapas',
  factors_removed: 'Sua verificação em duas etapas foi desligada',
};

const ENDLESS: readonly MailTemplate[] = ['address_taken', 'factors_removed'];

describe.each(Object.entries(SUBJECTS) as [MailTemplate, string][])('the mail %s', (kind, subject) => {
  const mail = composeMail(kind, FACTS, 'ana@exemplo.test');

  it('has its subject, in Portuguese, in both of its forms', () => {
    expect(mail).toMatchObject({ to: 'ana@exemplo.test', subject });
    expect(mail.html).toContain('<html lang="pt-BR">');
    expect(mail.html).toContain(`<title>${subject}</title>`);
    expect(mail.text).toContain('Linkoteca');
    // What asks for nothing does not end.
    expect(mail.text.includes('1 hora')).toBe(!ENDLESS.includes(kind));
    expect(mail.html.includes('1 hora')).toBe(!ENDLESS.includes(kind));
  });

  it('leads where it should: by its button, or by a code to type', () => {
    const links = [...mail.html.matchAll(/href="([^"]*)"/g)].map(([, href = '']) =>
      href.replaceAll('&amp;', '&'),
    );
    if (kind === 'reauthenticate') {
      expect(links).toEqual([]);
      expect(mail.text).toContain('012345');
      expect(mail.html).toContain('012345');
    } else {
      expect(new Set(links)).toEqual(new Set([FACTS.link]));
      expect(mail.text).toContain(FACTS.link);
    }
  });

  it('loads nothing, runs nothing and escapes everything', () => {
    expect(mail.html).not.toMatch(/<(?:img|script|link|iframe|form)\b/i);
    expect(mail.html).not.toMatch(/url\(|@import|\son\w+=/i);
  });
});

describe('the life of a link', () => {
  it.each([
    [60, '1 minuto'],
    [900, '15 minutos'],
    [7200, '2 horas'],
    [86_400, '1 dia'],
    [90, '90 segundos'],
  ])('of %d seconds is told as %s', (lifetime, words) => {
    const mail = composeMail('invite', { ...FACTS, lifetime }, 'ana@exemplo.test');
    expect(mail.text).toContain(`vale por ${words}.`);
  });
});
