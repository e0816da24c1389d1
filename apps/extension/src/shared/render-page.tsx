import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { type MessageName, translate } from './translate.ts';
import './extension.css';

/** Draws a page of the extension, in the browser's language and under a title in it. */
export function renderPage(title: MessageName, content: ReactNode): void {
  document.documentElement.lang = translate('language');
  document.title = translate(title);
  const root = document.querySelector('#root');
  if (root !== null) createRoot(root).render(<StrictMode>{content}</StrictMode>);
}
