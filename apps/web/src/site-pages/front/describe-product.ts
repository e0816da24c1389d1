import { PLAN_IDS, PLANS } from '@linkoteca/domain/plans';
import { SITE_PAGE_MARKS } from '@linkoteca/domain/site-pages';

/** The product for search engines (schema.org): what it is and what it costs, and nothing that nobody has measured. */
export function describeProduct(description: string): string {
  const product = {
    '@context': 'https://schema.org',
    '@type': 'WebApplication',
    name: 'Linkoteca',
    url: `${SITE_PAGE_MARKS.origin}/`,
    description,
    inLanguage: 'pt-BR',
    applicationCategory: 'ProductivityApplication',
    operatingSystem: 'Web',
    offers: PLAN_IDS.map((id) => ({
      '@type': 'Offer',
      name: PLANS[id].name,
      price: (PLANS[id].monthlyPriceCents / 100).toFixed(2),
      priceCurrency: 'USD',
    })),
  };
  // It stands inside a script element: nothing in it may end that.
  return JSON.stringify(product).replaceAll('<', '\\u003c');
}
