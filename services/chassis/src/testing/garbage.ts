/** What nobody holds any more is gone once a test has collected it, not whenever the process comes to it. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');

const collect = runInNewContext('gc') as (options?: { readonly type: 'minor' }) => void;

export const collectGarbage = (): void => collect();

/** What has not lived long alone, as a busy process does it all the time. */
export const collectYoung = (): void => collect({ type: 'minor' });
