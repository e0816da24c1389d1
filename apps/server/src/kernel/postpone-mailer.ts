import type { Mailer } from './mail.ts';

/** Makes the mailer when the first mail leaves: loading its library would take a tenth of every start. */
export function postponeMailer(make: () => Promise<Mailer>): Mailer {
  let made: Promise<Mailer> | undefined;
  return {
    async send(mail) {
      made ??= make();
      await (await made).send(mail);
    },
  };
}
