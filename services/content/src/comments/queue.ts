/** The jobs of comments, by name: writes promise them, jobs.ts does them. */
export const QUEUE = 'content.comments';
export const CHECK_JOB = 'check-comment';
export const TEACH_JOB = 'teach-spam-filter';
