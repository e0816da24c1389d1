import type { Ledger } from '../ledger/ledger.ts';
import type { Parameters } from './parameters.ts';

export type ApiRequest = {
  readonly ledger: Ledger;
  readonly parameters: Parameters;
  /** The ids in the address, in their order. */
  readonly ids: readonly string[];
  /** Moves the emulator's clock forward after this request, to this moment; seconds since 1970. */
  readonly moveClock: (to: number) => void;
};

export type CardRefusal = { readonly isCardRefusal: true; readonly decline: string; readonly code: string };

export type ApiRoute = {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** `:id` stands for an id. */
  readonly path: string;
  /** What is answered. A card's refusal is a value: what was tried stays written down. */
  readonly run: (request: ApiRequest) => Promise<object | CardRefusal>;
};

/** Tells an object from the refusal of a card. */
export function isCardRefusal(answer: object): answer is CardRefusal {
  return 'isCardRefusal' in answer;
}
