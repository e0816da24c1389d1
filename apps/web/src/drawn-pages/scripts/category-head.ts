import { markMember } from './mark-member.ts';

markMember(document.documentElement, () => localStorage);
