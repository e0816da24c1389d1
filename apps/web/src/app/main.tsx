import '../shared/styles/app.css';
import { OFFLINE_MESSAGES } from '@linkoteca/domain/messages/offline-messages';
import { startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { catchInstallOffer } from '../shared/lib/browser/install-offer.ts';
import { isOfflineError } from '../shared/lib/describe-error.ts';
import { takeConfig } from '../shared/lib/early-config.ts';
import { loadAppConfig } from '../shared/lib/load-app-config.ts';
import { log } from '../shared/lib/log.ts';
import { ErrorScreen } from '../shared/ui/feedback/error-screen.tsx';
import { App } from './app.tsx';
import { beginUpdates } from './begin-updates.ts';
import { createAppServices } from './create-app-services.ts';
import { forgetWhenSignedOut } from './forget-when-signed-out.ts';

const place = document.getElementById('root');
if (!place) throw new Error('index.html has no #root');
const root = createRoot(place);
catchInstallOffer();
beginUpdates();

try {
  const services = createAppServices(
    await loadAppConfig((...request) => takeConfig()?.catch(() => fetch(...request)) ?? fetch(...request)),
  );
  startTransition(() => root.render(<App {...services} />));
  forgetWhenSignedOut(services.session);
} catch (error) {
  log.error('the app could not start', error);
  const words = isOfflineError(error) ? OFFLINE_MESSAGES.noStart : {};
  root.render(<ErrorScreen {...words} onRetry={() => window.location.reload()} />);
}
