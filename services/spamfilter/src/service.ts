/** Spam filter: the key, the settings and the statistics of the spam filter, and the verdicts they are about. */
import path from 'node:path';
import { openMemory } from '@sevenfold/chassis/db/memory';
import { openSealer } from '@sevenfold/chassis/seal';
import type { ServiceDefinition } from '@sevenfold/chassis/service-definition';
import { openBlocked } from './blocked/cache';
import { checkSweeps } from './checks/jobs';
import { spamRpc } from './checks/rpc';
import { load, readCorpus } from './classifier/corpus';
import type { Config } from './config';
import type { Deps } from './deps';
import { codes } from './errors';
import { openKey } from './keys/current';
import { keySweeps } from './keys/jobs';
import { keys } from './keys/routes';
import { isKey } from './keys/verify';
import { channels } from './memory';
import { noticesRpc } from './notices/rpc';
import { openOutside } from './outside/ask';
import { reportDecision } from './outside/report';
import { openSettings } from './settings/read';
import { settings } from './settings/routes';
import { statistics } from './statistics/routes';
import { countVerdicts, verdictSweeps } from './verdicts/jobs';

export const spamfilterService: ServiceDefinition<Deps, Config> = {
  name: 'spamfilter',
  namespace: 'spamfilter/v1',
  title: 'Spam filter',
  description: 'The key, the settings and the statistics of the spam filter.',
  migrations: path.resolve(__dirname, '../migrations'),
  examples: path.resolve(__dirname, '../examples.json'),
  codes,
  resources: [keys, settings, statistics],
  rpc: (deps) => [spamRpc(deps), noticesRpc(deps)],
  jobs: [countVerdicts, reportDecision],
  sweeps: [...verdictSweeps, ...keySweeps, ...checkSweeps],
  prepare: ({ db }) => load(db, readCorpus()),
  open: ({ config, db, listener, log, root }) => {
    if (config.SPAM_KEY !== '' && !isKey(config.SPAM_KEY))
      throw new Error('SPAM_KEY must have exactly 12 letters and digits.');
    const memory = openMemory(listener, channels);
    const sealer = openSealer(config.SPAM_KEY_SECRETS, 'sevenfold spamfilter key');
    return {
      db,
      config,
      log,
      root,
      memory,
      settings: openSettings(db, memory, config),
      sealer,
      key: openKey(db, memory, sealer, config),
      blocked: openBlocked(db, memory),
      outside: openOutside(config, log),
    };
  },
};
