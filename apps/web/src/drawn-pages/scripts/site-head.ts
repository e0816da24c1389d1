import { paintFirstScreen } from './paint-first-screen.ts';
import { prepareSite } from './prepare-site.ts';

prepareSite({ root: document.documentElement, location, steps: window, open: () => localStorage });
paintFirstScreen({
  root: document.documentElement,
  visit: performance
    .getEntriesByType('navigation')
    .find((entry) => entry instanceof PerformanceNavigationTiming)?.type,
  hash: location.hash,
  whenPainted: (show) => {
    // For whoever reads pages without painting them.
    addEventListener('load', () => setTimeout(show, 1000));
    new PerformanceObserver((list) => {
      if (list.getEntriesByName('first-contentful-paint').length > 0) show();
    }).observe({ type: 'paint', buffered: true });
  },
});
