import { prepareSite } from './prepare-site.ts';

prepareSite({ root: document.documentElement, location, open: () => localStorage });
