/**
 * How many submissions of the first form are taken a second, each one new: validated, judged, stored and queued, through the
 * gateway. Mail goes to the local mailbox meanwhile.
 */
import type { TestStack } from '../support/stack';
import { type Rates, rateOf } from './rates';

const FORMS = '/rest/contact-form/v1/contact-forms';
const TAKEN = ['mail_sent', 'spam'];

export async function measureFeedback(stack: TestStack, senders: number, seconds: number): Promise<Rates> {
  const headers = { Authorization: stack.administrator };
  const [form] = (await (await fetch(stack.url + FORMS, { headers })).json()) as { id: number }[];
  const address = `${stack.url}${FORMS}/${form?.id}/feedback`;
  const round = Date.now();
  return rateOf(senders, seconds, async (at) => {
    const body = new URLSearchParams({
      'your-name': 'Ann Harper',
      'your-email': 'ann@site.example',
      'your-subject': `Question ${at}`,
      'your-message': `Is the harbour open on Sunday? We would come with ${at} others. (${round})`,
    });
    const answer = await fetch(address, { method: 'POST', body });
    const { status } = (await answer.json()) as { status: string };
    if (!TAKEN.includes(status)) throw new Error(`answered ${answer.status} ${status}`);
  });
}
