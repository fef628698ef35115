/** Calls to the filter as its callers make them, and messages to send. */
import { type Remote, dialer } from '@sevenfold/chassis/grpc/dial';
import { PATIENCE_MS, TEST_ACTOR_SECRET } from '@sevenfold/chassis/testing/service';
import {
  type CheckResponse,
  type Message,
  SpamServiceService,
  type SpamServiceServer,
  Verdict,
} from '@sevenfold/proto/gen/sevenfold/spamfilter/v1/spam';

export interface Filter {
  check(key: string, message?: Partial<Message>): Promise<CheckResponse>;
  learn(key: string, decision: 'ham' | 'spam', revision: number, message?: Partial<Message>): Promise<void>;
  forget(keys: string[]): Promise<void>;
  close(): void;
}

export function openFilter(grpcPort: number, caller = 'content'): Filter {
  const dial = dialer({ caller, actorSecret: TEST_ACTOR_SECRET, deadlineMs: PATIENCE_MS });
  const address = `127.0.0.1:${grpcPort}`;
  const remote: Remote<SpamServiceServer> = dial<SpamServiceServer>(SpamServiceService, {
    service: 'spamfilter',
    address,
  });
  return {
    check: (key, message) => remote.check({ key, message: aMessage(message) }),
    learn: async (key, decision, revision, message) => {
      const side = decision === 'ham' ? Verdict.VERDICT_HAM : Verdict.VERDICT_SPAM;
      await remote.learn({ key, message: aMessage(message), decision: side, revision });
    },
    forget: async (keys) => void (await remote.forget({ keys })),
    close: () => remote.close(),
  };
}

/** What a visitor would write, unless the test says otherwise; without an address, so that nobody sends too much. */
export const aMessage = (more: Partial<Message> = {}): Message => ({
  kind: 'comment',
  authorName: 'Ann Miller',
  authorEmail: 'ann@example.org',
  authorUrl: '',
  address: '',
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0',
  referrer: '',
  content: 'The map in the second part helped me a lot, thank you. Does the ferry also run in winter?',
  permalink: 'https://site.test/ferries/',
  language: 'en_US',
  honeypot: false,
  secondsToFill: 40,
  ...more,
});
