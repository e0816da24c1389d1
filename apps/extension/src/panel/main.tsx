import { renderPage } from '../shared/render-page.tsx';
import { Panel } from './panel.tsx';

renderPage('panelTitle', <Panel />);
