/** Finds the site to operate: the stack that runs from DATA_DIR, or the databases that the environment names. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from '../settings';
import type { RunFile } from '../stack';

export interface Site {
  readonly url: string;
  /** Environment for opening a service of the site. */
  env(service: 'content' | 'calendar' | 'imports'): Record<string, string>;
}

export function findSite(env: NodeJS.ProcessEnv = process.env): Site {
  const file = path.join(path.resolve(repositoryRoot, env.DATA_DIR || '.data'), 'run.json');
  const run = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as RunFile) : undefined;
  const secrets = run
    ? (JSON.parse(readFileSync(run.secretsFile, 'utf8')) as { actorSecret: string })
    : undefined;
  const url = env.SITE_URL || run?.siteUrl || 'http://127.0.0.1:8080';
  return {
    url: run?.gateway ?? url,
    env: (service) => {
      const database = env[`${service.toUpperCase()}_DATABASE_URL`] || run?.databases[service];
      if (!database)
        throw new Error(
          `No site runs from ${path.dirname(file)}. Start one with "npm start", or set ${service.toUpperCase()}_DATABASE_URL and SITE_URL.`,
        );
      return {
        SITE_URL: url,
        DATABASE_URL: database,
        REDIS_URL: env.REDIS_URL || run?.redis || 'redis://127.0.0.1:6379',
        ACTOR_SECRET: env.ACTOR_SECRET || secrets?.actorSecret || 'command line',
        ...(run ? { UPLOADS_DIR: run.uploadsDir, ...addresses(run) } : {}),
      };
    },
  };
}

const addresses = (run: RunFile): Record<string, string> =>
  Object.fromEntries(
    Object.entries(run.services).flatMap(([name, { grpc }]) =>
      grpc ? [[`${name.toUpperCase()}_GRPC`, grpc]] : [],
    ),
  );
