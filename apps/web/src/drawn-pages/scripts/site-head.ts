import { prepareSite } from './prepare-site.ts';

prepareSite({ root: document.documentElement, location, steps: window, open: () => localStorage });
