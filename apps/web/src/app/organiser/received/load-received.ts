/** The code of what others share: it comes where somebody receives something. */
export const loadReceived = () => import('./received.ts');
