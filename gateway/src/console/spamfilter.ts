/** What administrators should know of the spam filter. Rights are judged here and again by the spamfilter service. */
import { refuseWithout } from '@sevenfold/chassis/http/refuse';
import { type Resource, reply, route } from '@sevenfold/chassis/http/route';
import { described, listOf, object, text } from '@sevenfold/chassis/http/shapes';
import type { ConsoleDeps } from './deps';

const DEADLINE_MS = 5_000;

const refuseOthers = refuseWithout(
  'manage_spamfilter',
  'You may not manage the spam filter.',
  'Log in to manage the spam filter.',
);

const noticeList = listOf(
  object({
    code: described('What is wrong, for programs.', text),
    message: described('What is wrong and what to do, for people.', text),
  }),
);

export const spamfilter: Resource<ConsoleDeps> = {
  name: 'spamfilter',
  description: 'What administrators should know of the spam filter.',
  routes: [
    route({
      methods: ['GET'],
      path: '/spamfilter/notices',
      summary: 'What is wrong with the spam filter and wants somebody to do something',
      description:
        'Each notice says what is wrong and what to do about it; the list is empty where all is well.',
      answers: { body: noticeList },
      args: {},
      permission: refuseOthers,
      handle: async ({ deps, actor }) => {
        const { notices } = await deps.notices.listNotices({}, { actor, deadlineMs: DEADLINE_MS });
        return reply.plain(notices);
      },
    }),
  ],
};
