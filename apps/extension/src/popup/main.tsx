import { renderPage } from '../shared/render-page.tsx';
import { Popup } from './popup.tsx';

renderPage('save', <Popup />);
