/** Commands about webhooks. */
import { type Command, Option } from 'commander';
import {
  addWebhook,
  listDeliveries,
  listWebhooks,
  pingWebhook,
  redeliver,
  removeWebhook,
  rotateSecret,
} from '@sevenfold/content/webhooks/commands';
import { shownDelivery, shownWebhook } from '@sevenfold/proto/shown/webhook';
import { type ListOptions, listing, printJson, printList, wholeNumber } from './output';
import { withContent } from './sites';

interface AddOptions {
  readonly topic: string[];
  readonly owner: string;
  readonly audience: string;
  readonly description: string;
}

export function addWebhookCommands(webhooks: Command): void {
  listing(webhooks.command('list').description('list webhooks')).action((options: ListOptions) =>
    withContent(async (deps) =>
      printList((await listWebhooks(deps)).map(shownWebhook), options, (one) => ({
        id: one.id,
        url: one.url,
        topics: one.topics.join(' '),
        audience: one.audience,
        state: one.disabled_reason === null ? one.state : `${one.state} (${one.disabled_reason})`,
        waiting: one.waiting,
        failing_since: one.failing_since,
      })),
    ),
  );
  webhooks
    .command('add <url>')
    .description('register a webhook; prints JSON with its secret, which is told this once')
    .requiredOption('--topic <name...>', 'what it is told of, such as content.post.published, content.* or *')
    .requiredOption('--owner <user>', 'user name or e-mail address of who owns it')
    .addOption(
      new Option('--audience <whom>', 'by whose rights things are shown')
        .choices(['public', 'owner'])
        .default('public'),
    )
    .option('--description <text>', 'what it is for', '')
    .action((url: string, { topic: topics, ...options }: AddOptions) =>
      withContent(async (deps) => {
        const { webhook, secret } = await addWebhook(deps, { url, topics, ...options });
        printJson({ ...shownWebhook(webhook), secret });
      }),
    );
  webhooks
    .command('remove <id>')
    .description('delete a webhook with its deliveries')
    .action((id: string) =>
      withContent(async (deps) => {
        const { url } = await removeWebhook(deps, wholeNumber(id));
        console.log(`removed the webhook to ${url}`);
      }),
    );
  webhooks
    .command('rotate <id>')
    .description('make a new secret, told this once; the one before signs as well for WEBHOOK_ROTATION_HOURS')
    .action((id: string) =>
      withContent(async (deps) => {
        const { webhook, secret } = await rotateSecret(deps, wholeNumber(id));
        printJson({ ...shownWebhook(webhook), secret });
      }),
    );
  webhooks
    .command('ping <id>')
    .description('send a delivery that only says that it came')
    .action((id: string) =>
      withContent(async (deps) => printJson(shownDelivery(await pingWebhook(deps, wholeNumber(id))))),
    );
  listing(
    webhooks.command('deliveries <id>').description('list the deliveries of a webhook, the newest first'),
  )
    .addOption(
      new Option('--state <word>', 'only those in this state').choices(['waiting', 'delivered', 'given_up']),
    )
    .option('--most <n>', 'how many', wholeNumber, 20)
    .action((id: string, { state, most, ...options }: ListOptions & { state?: string; most: number }) =>
      withContent(async (deps) =>
        printList(
          (await listDeliveries(deps, wholeNumber(id), { state, limit: most })).map(shownDelivery),
          options,
          ({ object, answer, ...one }) => ({
            id: one.id,
            topic: one.topic,
            object: `${object.kind} ${object.id}`,
            state: one.state,
            attempts: one.attempts,
            status: answer?.status,
            ms: answer?.ms,
            error: one.error,
            created_at: one.created_at,
          }),
        ),
      ),
    );
  webhooks
    .command('redeliver <id> <delivery>')
    .description('send a delivery again, under the id that it had')
    .action((id: string, delivery: string) =>
      withContent(async (deps) =>
        printJson(shownDelivery(await redeliver(deps, wholeNumber(id), wholeNumber(delivery)))),
      ),
    );
}
