import { MONEY_QUESTIONS, PLAN_OFFER_MESSAGES } from '../model/plan-offer-messages.ts';

/** What people ask before they pay, with the answers in sight. */
export function MoneyQuestions() {
  return (
    <section>
      <h2 className="text-lg font-semibold">{PLAN_OFFER_MESSAGES.questions}</h2>
      <dl className="mt-3 grid gap-5 md:grid-cols-2">
        {MONEY_QUESTIONS.map(({ question, answer }) => (
          <div key={question}>
            <dt className="text-base font-medium text-ink">{question}</dt>
            <dd className="mt-1 text-base text-ink-soft">{answer}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
