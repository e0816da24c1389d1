import { readFileSync } from 'node:fs';
import { formatPrice } from '@linkoteca/domain/formats';
import { PLAN_IDS, PLANS } from '@linkoteca/domain/plans';
import { SITE_PAGES, type SitePageName } from '@linkoteca/domain/sharing';
import { describe, expect, test } from 'vitest';
import { drawSitePages } from './draw-site-pages.tsx';
import { CLAIMS } from './front/front-page.tsx';

const pages = drawSitePages({
  css: 'a{color:red}@font-face{src:url(/assets/inter-1.woff2)}',
  headScript: 'head()',
  pictureScript: 'picture()',
  lateScript: 'menu()',
  pictures: {
    desk: { light: '/assets/desk-light.webp', dark: '/assets/desk-dark.webp' },
    phone: { light: '/assets/phone-light.webp', dark: '/assets/phone-dark.webp' },
    social: '/assets/social.png',
  },
});

/** As a browser reads it that runs no script. */
const read = (name: SitePageName) => new DOMParser().parseFromString(pages[name], 'text/html');
const meta = (page: Document, name: string) =>
  page.querySelector(`meta[name="${name}"], meta[property="${name}"]`)?.getAttribute('content');
/** The words of a page in one line. */
const words = (page: Document) => (page.body.textContent ?? '').replace(/\s+/g, ' ');
const links = (page: Document, selector = 'a') =>
  [...page.querySelectorAll(selector)].map((link) => [
    link.textContent || link.getAttribute('aria-label'),
    link.getAttribute('href'),
  ]);

describe.each(SITE_PAGES)('$path', ({ name, path }) => {
  const page = read(name);

  test('says what it is to people, search engines and chats', () => {
    expect(pages[name].startsWith('<!doctype html><html lang="pt-BR"')).toBe(true);
    expect(page.querySelectorAll('h1')).toHaveLength(1);
    expect(page.title).toMatch(/Linkoteca/);
    expect(meta(page, 'description')?.length).toBeGreaterThan(60);
    expect(meta(page, 'og:title')).toBe(page.title);
    expect(page.querySelector('link[rel=canonical]')?.getAttribute('href')).toBe(`{{origin}}${path}`);
    expect(meta(page, 'og:url')).toBe(`{{origin}}${path}`);
    expect(meta(page, 'og:image')).toBe('{{origin}}/assets/social.png');
    expect(meta(page, 'robots')).toBeUndefined();
  });

  test('carries everything inside: no script, style or frame of another address, no handler, no style of one element', () => {
    expect(page.querySelector('script[src], link[rel=stylesheet], iframe, [style], [onclick]')).toBeNull();
    expect([...page.querySelectorAll('link[rel=preload]')].map((link) => link.getAttribute('as'))).toEqual([
      'font',
    ]);
    // Nobody's else: pictures, links and data are of this site.
    expect(pages[name]).not.toMatch(/(?:href|src|srcset|content)="(?:https?:)?\/\//i);
  });

  test('lays out late what lies below the first screen, and nothing of the first', () => {
    const late = [...page.querySelectorAll('main section')].map((section) =>
      section.classList.contains('below'),
    );
    const first = name === 'front' ? 2 : 0;
    expect(late.slice(0, first)).toEqual(Array(first).fill(false));
    expect(late.length).toBeGreaterThan(5);
    expect(late.slice(first)).not.toContain(false);
    expect(page.body.lastElementChild?.textContent).toBe('menu()');
  });

  test('every fragment leads somewhere, every page exists, and the legal pages are in the foot', () => {
    for (const [, href] of links(page)) {
      if (href?.startsWith('#')) expect(page.getElementById(href.slice(1)), href).not.toBeNull();
      else
        expect(href).toMatch(
          /^(?:\/|\/login|\/signup|\/dashboard|\/terms|\/privacy-policy|mailto:\{\{support\}\})$/,
        );
    }
    const foot = links(page, 'footer a');
    const wanted = [
      ['Termos de uso', '/terms'],
      ['Política de privacidade', '/privacy-policy'],
    ].filter(([, href]) => href !== path);
    expect(foot).toEqual(wanted);
  });
});

describe('the front page', () => {
  const page = read('front');

  test('has the ways in under their names, each once', () => {
    const named = (text: string) => links(page).filter(([name]) => name === text);
    expect(named('Acessar')).toEqual([['Acessar', '/login']]);
    expect(named('Comece Agora')).toEqual([['Comece Agora', '/signup']]);
    // Once in sight, once in the menu of narrow screens.
    expect(links(page, 'main a').filter(([name]) => name === 'Criar Conta Grátis')).toEqual([
      ['Criar Conta Grátis', '/signup'],
    ]);
    expect(links(page, '#menu a')).toContainEqual(['Criar Conta Grátis', '/signup']);
  });

  test('has one field for a first link: a plain form to sign-up, without script', () => {
    const [form, ...others] = page.querySelectorAll('form');
    expect(others).toEqual([]);
    expect([form?.getAttribute('action'), form?.getAttribute('method')]).toEqual(['/signup', null]);
    const field = form?.querySelector('input');
    expect([field?.name, field?.maxLength]).toEqual(['link', 2000]);
    expect(page.querySelector(`label[for="${field?.id}"]`)?.textContent).toBe('Cole seu primeiro link');
    expect(form?.querySelector('button')?.type).toBe('submit');
  });

  test('has problems, features, uses by role, and three questions that know nothing of each other', () => {
    for (const [selector, least] of [
      ['.catalogue-card', 3],
      ['#recursos li', 6],
      ['#usos figure blockquote', 3],
    ] as const)
      expect(page.querySelectorAll(selector).length, selector).toBeGreaterThanOrEqual(least);
    const questions = [...page.querySelectorAll('details')];
    expect(questions).toHaveLength(3);
    for (const question of questions) {
      expect(question.open).toBe(false);
      // Elements of one name would close each other.
      expect(question.hasAttribute('name')).toBe(false);
    }
  });

  test('promises of drafts what they keep: they survive a reload, not the closing of their form', () => {
    expect(words(page)).toContain('A página recarregou ou travou? O rascunho espera por você.');
    expect(words(page)).not.toMatch(/fech\w+ sem salvar/i);
  });

  test('puts no words into the mouth of an invented customer', () => {
    const voices = [...page.querySelectorAll('#usos figcaption')].map(({ textContent }) => textContent ?? '');
    // A role, never a name: one capital letter, at its beginning, beside 'IA'.
    for (const voice of voices) expect(voice.replace('IA', '')).toMatch(/^\p{Lu}[^\p{Lu}]+$/u);
    expect(page.getElementById('usos')?.textContent).toContain('Fomos nós que as escrevemos');
  });

  test('shows the prices and limits of the one table', () => {
    const prices = page.getElementById('precos')?.textContent ?? '';
    for (const id of PLAN_IDS) {
      expect(prices).toContain(PLANS[id].name);
      expect(prices).toContain(formatPrice(PLANS[id].monthlyPriceCents));
    }
    expect(prices).toContain('US$ 19,90 por ano');
    expect(prices).toContain('500 links');
    expect(prices).not.toContain('3 pastas');
  });

  test('claims no speed that the benchmarks do not keep', () => {
    const readme = readFileSync('README.md', 'utf8');
    for (const { most, unit, text, row, figure } of CLAIMS) {
      expect(words(page)).toContain(`menos de ${most} ${unit}`);
      expect(words(page)).toContain(text);
      const line = readme.split('\n').find((one) => one.startsWith(`| ${row}`));
      const measured = Number(figure.exec(line ?? '')?.[1]);
      expect(measured, row).toBeGreaterThan(0);
      expect(measured, row).toBeLessThanOrEqual(most);
      expect(line).not.toContain('missed');
    }
  });

  test('tells search engines only what is true of it', () => {
    const data = JSON.parse(page.querySelector('script[type="application/ld+json"]')?.textContent ?? '');
    expect(data).toMatchObject({ '@type': 'WebApplication', name: 'Linkoteca', url: '{{origin}}/' });
    expect(data.offers.map(({ price }: { price: string }) => price)).toEqual(['0.00', '1.99', '3.99']);
    expect(JSON.stringify(data)).not.toMatch(/aggregateRating|"review/i);
  });

  test('shows the product in the theme and the size of the visitor, without moving anything when it arrives', () => {
    const sources = [...page.querySelectorAll('picture source, picture img')];
    expect(sources.map((source) => source.getAttribute('srcset') ?? source.getAttribute('src'))).toEqual([
      '/assets/phone-dark.webp',
      '/assets/phone-light.webp',
      '/assets/desk-dark.webp',
      '/assets/desk-light.webp',
    ]);
    for (const source of sources)
      expect(source.hasAttribute('width') && source.hasAttribute('height')).toBe(true);
    expect(page.querySelector('picture img')?.getAttribute('alt')).toMatch(/categoria aberta/);
  });
});

describe('the legal pages', () => {
  test.each(['terms', 'privacy-policy'] as const)(
    '%s is dated, and leads everyone to /login and to the other',
    (name) => {
      const page = read(name);
      expect(words(page)).toContain('Última atualização: 11 de maio de 2025');
      expect(page.querySelector('time')?.getAttribute('datetime')).toBe('2025-05-11');
      for (const seen of ['visitor', 'member']) {
        const hrefs = links(page, `a:not([data-for]), a[data-for=${seen}]`).map(([, href]) => href);
        expect(hrefs, seen).toContain('/login');
        expect(hrefs, seen).toContain(name === 'terms' ? '/privacy-policy' : '/terms');
      }
      expect(words(page)).toContain('{{support}}');
    },
  );

  test('the terms name age, forbidden content, prices, money back and suspension', () => {
    const text = words(read('terms'));
    for (const part of [
      'pelo menos 13 anos',
      'e-mail válido',
      'conteúdo ilegal',
      'sexual explícito',
      'programas maliciosos',
      'de outras pessoas, sem o direito',
      'US$ 1,99 por mês ou US$ 19,90 por ano',
      'US$ 3,99 por mês ou US$ 39,90 por ano',
      'em até 14 dias',
      'se violar estes termos',
      '12 meses sem uso',
    ])
      expect(text).toContain(part);
    expect(text).not.toMatch(/34[.,]90|349|3 pastas/);
  });

  test('the privacy policy names the data, the grounds, the rights and the time', () => {
    const text = words(read('privacy-policy'));
    for (const part of [
      'e-mail, que é obrigatório',
      'nome, se você informar',
      'resumo criptográfico da senha',
      'endereço, título e descrição',
      'e-mails que você incluir em um compartilhamento restrito',
      'execução do contrato (art. 7º, V)',
      'artigo 18 da LGPD',
      'portabilidade',
      'ANPD',
      'linkoteca-sidebar',
      'linkoteca-theme',
      'Stripe',
      'até você excluir a conta',
      'em até 30 dias',
      '12 meses',
    ])
      expect(text).toContain(part);
  });
});
