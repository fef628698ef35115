/** How much spam was met, and how well it was told apart. */
import { type Reply, type Resource, reply, route } from '@sevenfold/chassis/http/route';
import type { Deps } from '../deps';
import { refuseOthers } from '../policy';
import { type IntervalName, intervalNamed, intervalOfLetter } from './intervals';
import { present } from './presenter';
import { allArgs, oneArgs, statisticsAnswer } from './schema';
import * as store from './store';

const answer = async ({ db }: Deps, interval: IntervalName): Promise<Reply<never>> =>
  reply.plain(present(interval, await store.read(db, interval)));

export const statistics: Resource<Deps> = {
  name: 'stats',
  description: 'How much spam was met, and how well it was told apart.',
  routes: [
    route({
      methods: ['GET'],
      path: '/stats',
      summary: 'Statistics of a period',
      description:
        'How much spam was met in a period, what was missed or wrongly taken for spam, and the same by days or months.',
      args: allArgs,
      answers: { body: statisticsAnswer },
      permission: refuseOthers,
      handle: ({ deps, args }) => answer(deps, intervalNamed(args.interval)),
    }),
    route({
      methods: ['GET'],
      path: '/stats/(?P<interval>[\\w+])',
      summary: 'Statistics of a period named by one letter',
      description: 'The same as `/stats`, for clients that name the period in the path.',
      args: oneArgs,
      answers: { body: statisticsAnswer },
      permission: refuseOthers,
      handle: ({ deps, args, request }) => {
        // Clients are used to the query deciding where it says something as well.
        const asked = new URLSearchParams(request.query).get('interval');
        return answer(
          deps,
          asked === null ? (intervalOfLetter(args.interval ?? '') ?? 'all') : intervalNamed(asked),
        );
      },
    }),
  ],
};
