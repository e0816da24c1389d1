import '../shared/styles/app.css';
import { createRoot } from 'react-dom/client';
import { loadAppConfig } from '../shared/lib/load-app-config.ts';
import { log } from '../shared/lib/log.ts';
import { ErrorScreen } from '../shared/ui/error-screen.tsx';
import { App } from './app.tsx';
import { createAppServices } from './create-app-services.ts';

const place = document.getElementById('root');
if (!place) throw new Error('index.html has no #root');
const root = createRoot(place);

try {
  const services = createAppServices(await loadAppConfig((...request) => fetch(...request)));
  root.render(<App {...services} />);
} catch (error) {
  log.error('the app could not start', error);
  root.render(<ErrorScreen onRetry={() => window.location.reload()} />);
}
