// What a page of another site does with the client, as it is packed; a test calls it.
/* global AbortController, File, navigator */
import { createClient } from '@sevenfold/client';

globalThis.run = async (url, username, applicationPassword) => {
  const client = createClient({ url, credentials: { username, applicationPassword } });
  const told = [];
  const bytes = new Uint8Array(400_000).fill(65);
  const upload = (source, more) =>
    client.media.upload(source, { ...more, onProgress: ({ sent, total }) => told.push([sent, total]) });
  const { id, title } = await upload(new File([bytes], 'page.txt', { type: 'text/plain' }));
  const progress = told.splice(0);
  const stream = new Blob([bytes]).stream();
  const streamed = await upload(stream, { fileName: 'stream.txt', type: 'text/plain' });
  const ending = new AbortController();
  const given = client.media
    .upload(new Blob([bytes]), { fileName: 'x.txt', signal: ending.signal })
    .catch((error) => error);
  ending.abort('enough');
  const names = [];
  for await (const one of client.media.list({ include: [id, streamed.id], orderby: 'id', per_page: 1 }))
    names.push(one.title.rendered);
  const wrong = await client.posts.create({ status: 'sideways' }).catch((error) => error);
  const { code, params, requestId } = wrong;
  return {
    title: title.raw,
    isRising: progress.every(([sent], place) => place === 0 || sent > progress[place - 1][0]),
    last: progress.at(-1),
    given: await given,
    names,
    wrong: { code, params: Object.keys(params), isFound: typeof requestId === 'string' },
  };
};

// The site sends it to another address, as one that has moved does.
globalThis.move = (url) =>
  createClient({ url })
    .media.upload(new Blob(['x']), { fileName: 'x.txt' })
    .catch(({ code, message }) => ({ code, message }));

globalThis.behind = async (...given) => {
  await navigator.serviceWorker.register('/bundled/worker.mjs', { type: 'module', scope: '/bundled/' });
  const { installing, waiting, active } = await navigator.serviceWorker.getRegistration('/bundled/');
  return new Promise((resolve) => {
    navigator.serviceWorker.onmessage = ({ data }) => resolve(data);
    (installing ?? waiting ?? active).postMessage(given);
  });
};
