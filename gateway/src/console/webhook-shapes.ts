/** What webhooks and their deliveries are answered as, for the document of the console's interface. */
import {
  type Shape,
  constant,
  described,
  either,
  integer,
  listOf,
  object,
  orNull,
  text,
} from '@sevenfold/chassis/http/shapes';

const one = (...values: readonly string[]): Shape => ({ type: 'string', enum: values });
const moment = orNull(text);

const webhook = {
  id: described('Number of the webhook.', integer),
  url: described('Where the deliveries are posted.', text),
  topics: described('What it is told of.', listOf(text)),
  audience: described('By whose rights things are shown.', one('public', 'owner')),
  description: described('What it is for.', text),
  owner: described('Number of who registered it; 0 when that user is gone.', integer),
  state: described('Whether anything is sent.', one('active', 'disabled')),
  disabled_reason: described('Why nothing is sent: failing, gone or by_hand.', orNull(text)),
  disabled_at: described('Since when nothing is sent, ISO 8601 in UTC.', moment),
  created_at: described('When it was registered, ISO 8601 in UTC.', text),
  failing_since: described('Since when nothing has arrived, ISO 8601 in UTC.', moment),
  delivered_at: described('When something arrived last, ISO 8601 in UTC.', moment),
  previous_secret_until: described('Until when the secret before signs as well, ISO 8601 in UTC.', moment),
  waiting: described('Deliveries that are still to be made.', integer),
};

export const webhookShape = object(webhook);
export const webhookList = listOf(webhookShape);
export const webhookWithSecret = object({
  ...webhook,
  secret: described('What signatures are made with. It is told this once.', text),
});
export const deletedWebhook = object({
  deleted: described('Nothing more is sent.', constant(true)),
  previous: described('What it was.', webhookShape),
});

export const topicList = listOf(
  object({
    name: described('Name of the topic.', text),
    description: described('When it is told.', text),
  }),
);

export const delivery = object({
  id: described('Number of the delivery.', integer),
  message_id: described('What `webhook-id` says, the same for each try.', text),
  webhook: described('Number of the webhook.', integer),
  topic: described('What it tells.', text),
  object: described(
    'What it tells it of.',
    object({
      kind: described('Kind of the object.', text),
      id: described('Its number, or its name where it has one.', text),
    }),
  ),
  state: described('What became of it.', one('waiting', 'delivered', 'given_up')),
  attempts: described('How often it was tried.', integer),
  created_at: described('When it happened, ISO 8601 in UTC.', text),
  tried_at: described('When it was tried last, ISO 8601 in UTC.', moment),
  next_at: described('When it is tried next, ISO 8601 in UTC.', moment),
  answer: described(
    'What the last try was answered with.',
    either(
      object({
        status: described('Status of the answer.', integer),
        ms: described('Milliseconds that it took.', integer),
        body: described('Beginning of its body.', text),
      }),
      { type: 'null' },
    ),
  ),
  error: described('What went wrong with the last try.', orNull(text)),
});

export const deliveryPage = object({
  deliveries: described('The deliveries of this page.', listOf(delivery)),
  next: described('The `older_than` of the next page; null on the last.', orNull(integer)),
});
