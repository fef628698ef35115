/** What somebody chose for single objects. Rights are those of changing the object, judged by the seo service. */
import type { Arg, ArgTable } from '@sevenfold/chassis/http/args';
import { refuseStrangers } from '@sevenfold/chassis/http/refuse';
import { type Resource, reply, route } from '@sevenfold/chassis/http/route';
import type { Overrides } from '@sevenfold/proto/gen/sevenfold/seo/v1/overrides';
import { overrideNames, shownName, shownOverrides } from '@sevenfold/proto/shown/overrides';
import { described, integer, object, orNull, text as plain } from '@sevenfold/chassis/http/shapes';
import type { ConsoleDeps } from './deps';

const DEADLINE_MS = 10_000;

const text = (description: string): Arg => ({ type: 'string', accept: ['null'], description });
const yesOrNo = (description: string): Arg => ({ type: 'boolean', accept: ['null'], description });

/** Lengths are judged where they are shown. */
const FIELDS: Readonly<Record<keyof Overrides, Arg>> = {
  title: text('Title of the page.'),
  description: text('Description of the page.'),
  canonical: text('Address that stands for it in searches.'),
  ogTitle: text('Title where it is shared.'),
  ogDescription: text('Description where it is shared.'),
  isRobotsNoindex: yesOrNo('Whether searches leave it out.'),
  isRobotsNofollow: yesOrNo('Whether its links are not followed.'),
  isRobotsNoarchive: yesOrNo('Whether no copy of it is offered.'),
  isRobotsNoimageindex: yesOrNo('Whether searches leave its pictures out.'),
  isRobotsNosnippet: yesOrNo('Whether nothing of its text is shown.'),
  primaryFocusKeyword: text('What it is to be found by; it is scored by that.'),
  isCornerstone: yesOrNo('Whether others of the site are to lead to it.'),
};

const score = orNull(integer);
const overridesShape = object({
  object_type: described('home, post, term or user.', plain),
  object_id: described('Number of the object; 0 of home.', integer),
  ...Object.fromEntries(
    overrideNames.map((name) => {
      const { type, description = '' } = FIELDS[name];
      return [shownName(name), described(description, orNull({ type: type ?? 'string' }))];
    }),
  ),
  primary_focus_keyword_score: described('How well it is to be found by its phrase, 0 to 100.', score),
  readability_score: described('How well it reads, 0 to 100.', score),
});

const objectArgs = {
  type: { type: 'string', required: true, description: 'home, post (of any kind), term or user.' },
  id: { type: 'integer', required: true, minimum: 0, description: 'Number of the object; 0 of home.' },
} as const satisfies ArgTable;

const PATH = '/seo/overrides/(?P<type>[a-z]+)/(?P<id>[\\d]+)';
const permission = refuseStrangers('Log in to choose what search engines are told.');

export const overrides: Resource<ConsoleDeps> = {
  name: 'overrides',
  description: 'What somebody chose for single objects, instead of what templates tell search engines.',
  routes: [
    route({
      methods: ['GET'],
      path: PATH,
      summary: 'What was chosen for an object instead of what templates make',
      description:
        'Of what is null, templates and settings make something. Scores are those of the last reading.',
      answers: { body: overridesShape },
      args: objectArgs,
      permission,
      handle: async ({ deps, args, actor }) => {
        const wanted = { objectType: args.type, objectId: args.id };
        const options = { actor, deadlineMs: DEADLINE_MS };
        return reply.plain(shownOverrides(await deps.overrides.getOverrides(wanted, options)));
      },
    }),
    route({
      methods: ['PUT'],
      path: PATH,
      summary: 'Choose for an object; what is null templates make again, what is absent stays',
      description:
        'Titles may name variables of the templates. What is chosen is shown in the head of the page from then on.',
      answers: { body: overridesShape },
      args: {
        ...objectArgs,
        ...Object.fromEntries(overrideNames.map((name) => [shownName(name), FIELDS[name]])),
      },
      permission,
      handle: async ({ deps, args, sent, actor }) => {
        const given = args as Readonly<Record<string, unknown>>;
        const named = overrideNames.filter((name) => sent.has(shownName(name)));
        const wanted = {
          objectType: args.type,
          objectId: args.id,
          changes: Object.fromEntries(
            named.flatMap((name) =>
              given[shownName(name)] === null ? [] : [[name, given[shownName(name)]]],
            ),
          ),
          cleared: named.map(shownName).filter((name) => given[name] === null),
        };
        const options = { actor, deadlineMs: DEADLINE_MS, repeatable: true };
        return reply.plain(shownOverrides(await deps.overrides.setOverrides(wanted, options)));
      },
    }),
  ],
};
