import type { SharedPageRenderer } from '@linkoteca/domain/sharing';

/** Draws the plainest pages: what the service does around them is what is looked at. */
export const plainRenderer: SharedPageRenderer = {
  renderPage: ({ category, links, hasOlder, before }, view) =>
    `<!doctype html><main id="content" data-view="${view}" data-before="${before}" data-older="${hasOlder}">${category.name}: ${links.map(({ title }) => title).join(', ')}</main>${' '.repeat(500)}`,
  renderFolder: ({ name, categories }) =>
    `<!doctype html>${name}: ${categories.map((each) => each.name).join(', ')}`,
  renderEmbed: ({ category }) => `<!doctype html><p>moldura de ${category.name}</p>`,
  renderMissingEmbed: () => '<!doctype html><p>Categoria não encontrada</p>',
  renderUnavailable: () => '<!doctype html><p>Voltamos já</p>',
  inlineScripts: ['script()'],
  inlineStyles: ['p{}'],
};
