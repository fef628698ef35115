/** A content service that also delivers, and speaks for its own administrator to the calls of the console. */
import type { CallOptions, Remote } from '@sevenfold/chassis/grpc/dial';
import { freePort } from '@sevenfold/chassis/ports';
import {
  type CreateWebhookRequest,
  type WebhookServiceServer,
  WebhookServiceService,
  type WebhookWithSecret,
} from '@sevenfold/proto/gen/sevenfold/content/v1/webhooks';
import type { Config } from '../../config';
import { type ContentSite, startContent } from '../../testing/service';

export interface WebhookSite extends ContentSite {
  readonly webhooks: Remote<WebhookServiceServer>;
  /** As the administrator. */
  readonly admin: CallOptions;
  register(
    wanted: Partial<CreateWebhookRequest> & { readonly url: string },
  ): Promise<WebhookWithSecret & { id: number }>;
}

export async function startWebhooks(config: Partial<Config> = {}): Promise<WebhookSite> {
  const port = await freePort();
  const site = await startContent({
    ROLE: 'all',
    GRPC_PORT: port,
    CONTENT_GRPC: `127.0.0.1:${port}`,
    SPAM_KEY_SECRETS: 'the secret of the tests',
    OUTBOUND_ALLOW_PRIVATE: true,
    WEBHOOK_RETRY_SECONDS: 0.1,
    COMMENT_FLOOD_SECONDS: 0,
    ...config,
  });
  const webhooks = site.dial<WebhookServiceServer>(WebhookServiceService, 'gateway');
  const admin = { actor: site.users.administrator, deadlineMs: 60_000 };
  return {
    ...site,
    webhooks,
    admin,
    register: async (wanted) => {
      const made = await webhooks.createWebhook(
        { topics: ['content.*'], audience: 'public', description: '', ...wanted },
        admin,
      );
      return { ...made, id: made.webhook?.id ?? 0 };
    },
    stop: async () => {
      webhooks.close();
      await site.stop();
    },
  };
}
