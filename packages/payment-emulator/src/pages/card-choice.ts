import { findTestCard, type TestCard } from '../billing/cards.ts';
import type { NoticeCode } from './format-words.ts';
import { type Html, html } from './html.ts';

const OFFERED = [
  { token: 'pm_card_visa', label: 'Cartão aprovado', hint: '4242 4242 4242 4242' },
  { token: 'pm_card_chargeDeclined', label: 'Cartão recusado', hint: '4000 0000 0000 0002' },
  {
    token: 'pm_card_chargeCustomerFail',
    label: 'Cartão que falha na próxima cobrança',
    hint: '4000 0000 0000 0341',
  },
  {
    token: 'pm_card_authenticationRequiredOnSetup',
    label: 'Cartão que pede confirmação (3D Secure)',
    hint: '4000 0025 0000 3155',
  },
] as const;

/** The cards to choose from, and fields for one that is typed. */
export function renderCardChoice(): Html {
  return html`<fieldset><legend>Cartão de teste</legend>
${OFFERED.map(
  ({ token, label, hint }, index) =>
    html`<label class="choice"><input type="radio" name="card" value="${token}"${
      index === 0 ? { markup: ' checked' } : null
    }><span>${label}<span class="quiet">${hint}</span></span></label>`,
)}
<label class="choice"><input type="radio" name="card" value="typed"><span>Digitar o número<span class="quiet">Só números de teste são aceitos</span></span></label>
<div class="typed">
<label class="field">Número do cartão<input name="number" inputmode="numeric" autocomplete="off" maxlength="23" placeholder="0000 0000 0000 0000"></label>
<label class="field">Validade<input name="expiry" inputmode="numeric" autocomplete="off" maxlength="7" placeholder="MM/AA"></label>
<label class="field">Código de segurança<input name="cvc" inputmode="numeric" autocomplete="off" maxlength="4" placeholder="CVC"></label>
</div></fieldset>`;
}

export type ChosenCard =
  | { readonly card: TestCard; readonly fault?: undefined }
  | { readonly card?: undefined; readonly fault: NoticeCode };

/** The card that a form names. `time` is seconds since 1970. */
export function readCardChoice(form: URLSearchParams, time: number): ChosenCard {
  const choice = form.get('card') ?? '';
  if (choice !== 'typed') {
    const offered = OFFERED.some(({ token }) => token === choice) ? findTestCard(choice) : undefined;
    return offered ? { card: offered } : { fault: 'number_missing' };
  }
  const number = (form.get('number') ?? '').replace(/[\s-]/g, '');
  if (number === '') return { fault: 'number_missing' };
  if (!/^\d{12,19}$/.test(number) || !isLuhn(number)) return { fault: 'number_invalid' };
  const expiry = /^(0?[1-9]|1[0-2])\s*\/?\s*(?:20)?(\d{2})$/.exec((form.get('expiry') ?? '').trim());
  if (!expiry) return { fault: 'expiry_invalid' };
  if (Date.UTC(2000 + Number(expiry[2]), Number(expiry[1])) / 1000 <= time) return { fault: 'expiry_past' };
  if (!/^\d{3,4}$/.test(form.get('cvc') ?? '')) return { fault: 'cvc_invalid' };
  const card = findTestCard(number);
  return card ? { card } : { fault: 'not_a_test_card' };
}

/** The checksum of card numbers (ISO/IEC 7812). */
function isLuhn(number: string): boolean {
  const digits = [...number].reverse().map(Number);
  const sum = digits.reduce((total, digit, index) => {
    const weighed = index % 2 === 1 ? digit * 2 : digit;
    return total + (weighed > 9 ? weighed - 9 : weighed);
  }, 0);
  return sum % 10 === 0;
}
