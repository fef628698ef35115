/** Picks the store that configuration names: a bucket when there is one, else a folder. */
import type { ConfigOf } from '../config';
import type { Log } from '../log';
import type { storeVariables } from '../variables';
import type { Storage } from './storage';
import { openBucket } from './storage-bucket';
import { openFolder } from './storage-folder';

export interface Place {
  readonly folder: string;
  /** Of the store that `config` tells of; empty: the folder. */
  readonly bucket: string;
  readonly config: ConfigOf<typeof storeVariables>;
  readonly log: Log;
}

export function openStorage({ folder, bucket, config, log }: Place): Storage {
  if (bucket === '') return openFolder(folder);
  if (config.S3_ENDPOINT === '')
    throw new Error('A bucket is named, but not S3_ENDPOINT, the address of its store.');
  return openBucket({
    endpoint: config.S3_ENDPOINT,
    bucket,
    region: config.S3_REGION,
    accessKeyId: config.S3_ACCESS_KEY_ID,
    secretAccessKey: config.S3_SECRET_ACCESS_KEY,
    log,
  });
}
