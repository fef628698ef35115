/** What content and forms ask of the filter (SpamService). */
import { invalidParam } from '@sevenfold/chassis/errors';
import { type RpcService, rpcService } from '@sevenfold/chassis/grpc/method';
import { anyone } from '@sevenfold/chassis/http/route';
import {
  SpamServiceService,
  type SpamServiceServer,
  Verdict,
} from '@sevenfold/proto/gen/sevenfold/spamfilter/v1/spam';
import type { Deps } from '../deps';
import * as store from './store';
import * as settings from '../settings/read';
import { check } from './check';
import { learn } from './learn';
import { messageOf } from './message';

const MOST_KEY = 200;
const MOST_FORGOTTEN = 1_000;

const VERDICTS = {
  ham: Verdict.VERDICT_HAM,
  spam: Verdict.VERDICT_SPAM,
  blatant: Verdict.VERDICT_BLATANT,
} as const;

export const spamRpc = (deps: Deps): RpcService =>
  rpcService<SpamServiceServer>(SpamServiceService, {
    check: {
      callers: ['content', 'forms'],
      permission: anyone,
      handle: async ({ key, message }) => {
        const judged = await check(deps, requireKey(key), messageOf(message));
        const { strictness, keepDays } = await settings.read(deps);
        return {
          verdict: VERDICTS[judged.verdict],
          score: judged.score,
          evidence: [...judged.evidence],
          refuse: strictness && judged.verdict === 'blatant',
          keepDays,
        };
      },
    },
    learn: {
      callers: ['content', 'forms'],
      permission: anyone,
      handle: async ({ key, message, decision, revision }) => {
        if (decision !== Verdict.VERDICT_HAM && decision !== Verdict.VERDICT_SPAM)
          throw invalidParam('decision', 'A decision is ham or spam.');
        if (!Number.isSafeInteger(revision) || revision < 1)
          throw invalidParam('revision', 'Revisions count from 1.');
        const side = decision === Verdict.VERDICT_SPAM ? 'spam' : 'ham';
        await learn(deps, { key: requireKey(key), message: messageOf(message), decision: side, revision });
        return {};
      },
    },
    forget: {
      callers: ['content', 'forms'],
      permission: anyone,
      handle: async ({ keys }) => {
        if (keys.length > MOST_FORGOTTEN) throw invalidParam('keys', `Keys are ${MOST_FORGOTTEN} at most.`);
        const messages = await store.forget(deps.db, keys.map(requireKey));
        if (messages > 0) deps.log.info({ messages }, 'what told of messages was erased');
        return {};
      },
    },
  });

function requireKey(key: string): string {
  if (key === '' || key.length > MOST_KEY || /[\p{Cc}\p{Surrogate}]/u.test(key))
    throw invalidParam('key', `A key has 1 to ${MOST_KEY} characters, none of them control characters.`);
  return key;
}
