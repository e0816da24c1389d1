export { connectLinkoteca } from './connect-linkoteca.js';
export * from './generated/index.js';
