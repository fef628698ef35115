/** Names of the job that counts. */
export const QUEUE = 'spamfilter.verdicts';
export const COUNT = 'count-verdicts';
