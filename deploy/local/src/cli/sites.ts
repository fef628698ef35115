/** Finds the site to operate: the stack that runs from DATA_DIR, or the databases that the environment names. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type OpenService, openService } from '@sevenfold/chassis/open-service';
import { variables as calendarVariables } from '@sevenfold/calendar/config';
import type { Deps as CalendarDeps } from '@sevenfold/calendar/deps';
import { calendarService } from '@sevenfold/calendar/service';
import { variables as contentVariables } from '@sevenfold/content/config';
import type { Deps as ContentDeps } from '@sevenfold/content/deps';
import { contentService } from '@sevenfold/content/service';
import { variables as formsVariables } from '@sevenfold/forms/config';
import type { Deps as FormsDeps } from '@sevenfold/forms/deps';
import { formsService } from '@sevenfold/forms/service';
import { variables as importsVariables } from '@sevenfold/imports/config';
import type { Deps as ImportsDeps } from '@sevenfold/imports/deps';
import { importsService } from '@sevenfold/imports/service';
import { variables as seoVariables } from '@sevenfold/seo/config';
import type { Deps as SeoDeps } from '@sevenfold/seo/deps';
import { seoService } from '@sevenfold/seo/service';
import { variables as spamfilterVariables } from '@sevenfold/spamfilter/config';
import type { Deps as SpamfilterDeps } from '@sevenfold/spamfilter/deps';
import { spamfilterService } from '@sevenfold/spamfilter/service';
import { repositoryRoot } from '../settings';
import type { RunFile } from '../run-file';
import type { Secrets } from '../secrets';
import { sealingSecrets } from '../topology';

type ServiceName = 'content' | 'calendar' | 'imports' | 'forms' | 'seo' | 'spamfilter';

interface Site {
  /** Where the gateway answers. */
  readonly url: string;
  /** Environment for opening a service of the site. */
  env(service: ServiceName): Record<string, string>;
}

export function findSite(env: NodeJS.ProcessEnv = process.env): Site {
  const file = path.join(path.resolve(repositoryRoot, env.DATA_DIR || '.data'), 'run.json');
  const run = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as RunFile) : undefined;
  const secrets = run
    ? (JSON.parse(readFileSync(run.secretsFile, 'utf8')) as Pick<Secrets, 'actorSecret' | 'sealingSecret'>)
    : undefined;
  const siteUrl = env.SITE_URL || run?.siteUrl || 'http://127.0.0.1:8080';
  return {
    url: run?.gateway ?? siteUrl,
    env: (service) => {
      const variable = `${service.toUpperCase()}_DATABASE_URL`;
      const database = env[variable] || run?.databases[service];
      if (!database)
        throw new Error(
          `No site runs from ${path.dirname(file)}. Start one with "npm start", or set ${variable} and SITE_URL.`,
        );
      return {
        SITE_URL: siteUrl,
        DATABASE_URL: database,
        REDIS_URL: env.REDIS_URL || run?.redis || 'redis://127.0.0.1:6379',
        SPAM_KEY_SECRETS: sealingSecrets(env, secrets?.sealingSecret),
        ACTOR_SECRET: env.ACTOR_SECRET || secrets?.actorSecret || 'command line',
        ...(run
          ? { UPLOADS_DIR: run.uploadsDir, FILES_DIR: path.join(run.filesDir, service), ...addresses(run) }
          : named(env, ['UPLOADS_DIR', 'FILES_DIR'])),
      };
    },
  };
}

const named = (env: NodeJS.ProcessEnv, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));

const addresses = (run: RunFile): Record<string, string> =>
  Object.fromEntries(
    Object.entries(run.services).flatMap(([name, { grpc }]) =>
      grpc ? [[`${name.toUpperCase()}_GRPC`, grpc]] : [],
    ),
  );

/** Opens the service for as long as the work takes. */
async function using<D, T>(opened: Promise<OpenService<D>>, work: (deps: D) => Promise<T>): Promise<T> {
  const service = await opened;
  try {
    return await work(service.deps);
  } finally {
    await service.close();
  }
}

export const withContent = <T>(work: (deps: ContentDeps) => Promise<T>): Promise<T> =>
  using(openService(contentService, contentVariables, findSite().env('content')), work);

export const withCalendar = <T>(work: (deps: CalendarDeps) => Promise<T>): Promise<T> =>
  using(openService(calendarService, calendarVariables, findSite().env('calendar')), work);

export const withImports = <T>(work: (deps: ImportsDeps) => Promise<T>): Promise<T> =>
  using(openService(importsService, importsVariables, findSite().env('imports')), work);

export const withForms = <T>(work: (deps: FormsDeps) => Promise<T>): Promise<T> =>
  using(openService(formsService, formsVariables, findSite().env('forms')), work);

export const withSeo = <T>(work: (deps: SeoDeps) => Promise<T>): Promise<T> =>
  using(openService(seoService, seoVariables, findSite().env('seo')), work);

export const withSpamfilter = <T>(work: (deps: SpamfilterDeps) => Promise<T>): Promise<T> =>
  using(openService(spamfilterService, spamfilterVariables, findSite().env('spamfilter')), work);
