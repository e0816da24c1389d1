import type { EmulatorOptions, PaymentEmulator } from './emulator-options.ts';

export type { EmulatorOptions, PaymentEmulator };
