/** Picks the store that configuration names: a bucket when there is one, else a folder. */
import type { Config } from '../config';
import type { Storage } from './storage';
import { openBucket } from './storage-bucket';
import { openFolder } from './storage-folder';

export function openStorage(config: Config): Storage {
  if (config.S3_BUCKET === '') return openFolder(config.UPLOADS_DIR);
  if (config.S3_ENDPOINT === '') throw new Error('S3_BUCKET needs S3_ENDPOINT, the address of the store.');
  return openBucket({
    endpoint: config.S3_ENDPOINT,
    bucket: config.S3_BUCKET,
    region: config.S3_REGION,
    accessKeyId: config.S3_ACCESS_KEY_ID,
    secretAccessKey: config.S3_SECRET_ACCESS_KEY,
  });
}
