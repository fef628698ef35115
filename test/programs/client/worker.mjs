// A service worker that uploads what its page left behind; a test has it started.
/* global self */
import { createClient } from '@sevenfold/client';

self.addEventListener('message', (event) => event.waitUntil(answer(event)));

async function answer({ data: [url, username, applicationPassword], source }) {
  const client = createClient({ url, credentials: { username, applicationPassword } });
  const told = [];
  const file = new Blob(['x'.repeat(1_000)], { type: 'text/plain' });
  const upload = (what, fileName) =>
    client.media
      .upload(what, { fileName, type: 'text/plain', onProgress: ({ sent }) => told.push(sent) })
      .then(({ title }) => title.raw)
      .catch(({ code }) => code);
  const titles = [await upload(file, 'behind.txt'), await upload(file.stream(), 'streamed.txt')];
  source.postMessage({ titles, told });
}
