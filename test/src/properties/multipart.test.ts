/** Whatever a form holds and wherever it is cut: an answer that blames the form, and a service that goes on. */
import { ACTOR_HEADER, type Actor, signActor, stranger } from '@sevenfold/chassis/actor';
import { sampleService } from '@sevenfold/chassis/testing/sample';
import { TEST_ACTOR_SECRET, startTestService } from '@sevenfold/chassis/testing/service';
import { startContent } from '@sevenfold/content/testing/service';
import fc from 'fast-check';
import { multipart, sendMultipart } from '../support/multipart';

const signed = (actor: Actor): Record<string, string> => ({
  [ACTOR_HEADER]: signActor(actor, TEST_ACTOR_SECRET),
});

async function neverMoreThanAnAnswer(
  url: string,
  headers: () => Record<string, string>,
  numRuns: number,
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(multipart, async (sent) => {
      const status = await sendMultipart(url, headers(), sent);
      if (sent.missing === 0) {
        expect(status).toBeGreaterThanOrEqual(200);
        expect(status).toBeLessThan(500);
      }
    }),
    // Finding a smaller one would take longer than the test may.
    { numRuns, endOnFailure: true },
  );
}

test('the fields of a form', async () => {
  const site = await startTestService(sampleService, {});
  const editor = { ...stranger, id: 7, username: 'ed', capabilities: new Set(['edit_notes']) };
  try {
    await neverMoreThanAnAnswer(`${site.url}/rest/sample/v1/notes`, () => signed(editor), 500);
    await neverMoreThanAnAnswer(`${site.url}/rest/sample/v1/notes`, () => ({}), 100);
    expect((await site.as().get('/notes')).status).toBe(200);
  } finally {
    await site.stop();
  }
});

test('an upload', async () => {
  const site = await startContent({ UPLOAD_LIMIT_BYTES: 100_000 });
  try {
    const url = `${site.url}/rest/core/v2/media`;
    await neverMoreThanAnAnswer(url, () => signed(site.users.author), 300);
    expect((await site.as().get('/posts')).status).toBe(200);
  } finally {
    await site.stop();
  }
});
