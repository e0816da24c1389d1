import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { answerJson, type HookReceiver, startHookReceiver } from '../test-support/start-hook-receiver.ts';
import { createTwilioTexter } from './twilio.ts';

const SMS = { to: '5511999990000', channel: 'sms', text: '123456 é o código', code: '123456' } as const;
const WHATSAPP = { ...SMS, channel: 'whatsapp' } as const;

let receiver: HookReceiver;
beforeAll(async () => {
  receiver = await startHookReceiver();
});
afterAll(() => receiver.stop());
beforeEach(() => {
  receiver.forget();
  receiver.answer(answerJson({ sid: 'SM1', status: 'queued', error_code: null }, 201));
});

const open = (more: { messageServiceSid?: string; contentSid?: string } = {}) =>
  createTwilioTexter({
    accountSid: 'AC1',
    authToken: 'um segredo',
    messageServiceSid: 'MG2',
    contentSid: '',
    apiUrl: receiver.at('').url,
    ...more,
  });
const told = () => Object.fromEntries(new URLSearchParams(receiver.messages[0]?.body));

describe('Twilio', () => {
  it('is asked by the account for a text message', async () => {
    await open().send(SMS);
    expect(receiver.messages).toMatchObject([
      {
        path: '/2010-04-01/Accounts/AC1/Messages.json',
        headers: {
          authorization: `Basic ${Buffer.from('AC1:um segredo').toString('base64')}`,
          'content-type': expect.stringContaining('application/x-www-form-urlencoded'),
        },
      },
    ]);
    expect(told()).toEqual({ To: '+5511999990000', From: 'MG2', Body: SMS.text });
  });

  it('is asked for WhatsApp by a number or a service, with the template that it wants', async () => {
    await open({ messageServiceSid: '+15550001111' }).send(WHATSAPP);
    expect(told()).toEqual({
      To: 'whatsapp:+5511999990000',
      From: 'whatsapp:+15550001111',
      Body: SMS.text,
    });
    receiver.forget();
    await open({ contentSid: 'HX3' }).send(WHATSAPP);
    expect(told()).toEqual({
      To: 'whatsapp:+5511999990000',
      From: 'MG2',
      ContentSid: 'HX3',
      ContentVariables: '{"1":"123456"}',
    });
  });

  it.each([
    [
      400,
      { code: 21211, message: 'The number +5511999990000 is not valid' },
      'Twilio answered 400, code 21211',
    ],
    [503, 'nada', 'Twilio answered 503'],
    [201, { sid: 'SM1', status: 'failed', error_code: 30003 }, 'Twilio: message SM1 is failed (30003)'],
    [200, [], 'Twilio answered something that is no message'],
  ])(
    'that answers %i %j has sent nothing, and the failure names no number',
    async (status, body, message) => {
      receiver.answer(answerJson(body, status));
      const failure = await open()
        .send(SMS)
        .catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(Error);
      expect((failure as Error).message).toBe(message);
      expect((failure as Error).message).not.toContain('999990000');
    },
  );

  it('leads the account’s token nowhere else, and is not listened to for ever', async () => {
    receiver.answer(
      (response) => void response.writeHead(307, { location: receiver.at('/outro').url }).end(),
    );
    await expect(open().send(SMS)).rejects.toThrow();
    expect(receiver.messages).toHaveLength(1);
    receiver.answer((response) => void response.writeHead(201).end('x'.repeat(100_000)));
    await expect(open().send(SMS)).rejects.toThrow('too much');
  });
});
