/** A request as browsers made them before `fetch`, which tells nobody how much of a body is sent. */
import type { Try } from './transport.ts';

export function sendByXhr(
  url: string,
  body: Blob,
  { headers, signal, alive }: Try,
  tell: (sent: number) => void,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const stop = (): void => request.abort();
    const over = (): void => signal.removeEventListener('abort', stop);
    signal.addEventListener('abort', stop, { once: true });
    request.open('POST', url);
    request.responseType = 'arraybuffer';
    headers.forEach((value, name) => request.setRequestHeader(name, value));
    request.upload.onprogress = ({ loaded }) => {
      alive();
      tell(loaded);
    };
    request.onload = () => {
      over();
      // No redirect can be refused here. One that made a read of the upload is known by its answer: nothing was made there.
      if (request.status < 400 && request.status !== CREATED && isElsewhere(request, url))
        return reject(new TypeError('it sent the file elsewhere, where it would arrive as a read'));
      resolve(answerOf(request));
    };
    request.onerror = () => {
      over();
      reject(new TypeError('the connection failed'));
    };
    request.onabort = () => {
      over();
      reject(new TypeError('the request was ended'));
    };
    request.send(body);
  });
}

const CREATED = 201;

const isElsewhere = ({ responseURL }: XMLHttpRequest, url: string): boolean =>
  responseURL !== new URL(url, location.href).href;

function answerOf(request: XMLHttpRequest): Response {
  const headers = new Headers();
  for (const line of request
    .getAllResponseHeaders()
    .trim()
    .split(/[\r\n]+/)) {
    const colon = line.indexOf(':');
    if (colon > 0) headers.append(line.slice(0, colon).trim(), line.slice(colon + 1).trim());
  }
  return new Response(request.response as ArrayBuffer, {
    status: request.status,
    statusText: request.statusText,
    headers,
  });
}
