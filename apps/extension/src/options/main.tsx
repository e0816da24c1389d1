import { renderPage } from '../shared/render-page.tsx';
import { Options } from './options.tsx';

renderPage('optionsTitle', <Options />);
