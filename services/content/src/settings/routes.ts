/** The settings of the site, for administrators. */
import { refuseWithout } from '@sevenfold/chassis/http/refuse';
import { type Resource, WRITE, reply, route } from '@sevenfold/chassis/http/route';
import { escapeAttribute } from '@sevenfold/text/html';
import type { Deps } from '../deps';
import { lockTree } from '../terms/store';
import { cleanSetting } from './clean';
import { type SettingName, settingNames, settingsSchema, updateArgs } from './schema';
import * as store from './store';
import type { SiteSettings } from './values';

const refuseSettings = refuseWithout('manage_options', 'Only administrators may see and change settings.');

// Settings stay the same object for as long as nobody changes one.
const presented = new WeakMap<SiteSettings, object>();

function present(settings: SiteSettings): object {
  const known = presented.get(settings);
  if (known) return known;
  // Kept as text; clients know both as escaped.
  const item = {
    ...Object.fromEntries(settingNames.map((name) => [name, settings[name]])),
    title: settings.title === null ? null : escapeAttribute(settings.title),
    description: escapeAttribute(settings.description),
  };
  presented.set(settings, item);
  return item;
}

export const settings: Resource<Deps> = {
  name: 'settings',
  description: 'Settings of the site.',
  routes: [
    route({
      methods: ['GET'],
      path: '/settings',
      summary: 'Read the settings of the site',
      description: 'Title, address, language, time zone, formats and defaults of the site.',
      args: {},
      schema: settingsSchema,
      permission: refuseSettings,
      present,
      handle: ({ deps }) => deps.settings.get().then((all) => reply.item(all)),
    }),
    route({
      methods: WRITE,
      path: '/settings',
      summary: 'Change settings of the site',
      description: 'Changes settings and answers all of them. `null` brings a setting back to its default.',
      args: updateArgs,
      schema: settingsSchema,
      permission: refuseSettings,
      present,
      handle: async ({ deps, args, sent }) => {
        const changes = changesOf(args, sent);
        if (changes.size > 0) {
          await deps.db.transaction(async (tx) => {
            // Nobody deletes the category in between, or it is known to be gone.
            if (changes.has('default_category')) await lockTree(tx, 'category', 'shared');
            await store.save(tx, changes);
          });
          deps.memory.forget('settings');
        }
        return reply.item(await deps.settings.get());
      },
    }),
  ],
};

function changesOf(
  args: Readonly<Record<string, unknown>>,
  sent: ReadonlySet<string>,
): Map<SettingName, unknown> {
  const changes = new Map<SettingName, unknown>();
  for (const name of settingNames) {
    if (!sent.has(name)) continue;
    const value = args[name] === null ? null : cleanSetting(name, args[name]);
    if (value !== undefined) changes.set(name, value);
  }
  return changes;
}
