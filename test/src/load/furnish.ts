/** Adds what the seed leaves out, as a client would: pages with revisions, and pictures. */
import sharp from 'sharp';
import type { Asked } from './rows';

const MANY = 20;

export async function furnish(site: Asked): Promise<void> {
  const picture = await sharp({ create: { width: 1200, height: 800, channels: 3, background: '#468' } })
    .jpeg()
    .toBuffer();
  for (let n = 1; n <= MANY; n++) {
    const page = (await send(site, 'pages', {
      title: `Page ${n}`,
      content: 'As first.',
      status: 'publish',
    })) as {
      id: number;
    };
    await send(site, `pages/${page.id}`, { content: 'As changed.' });
    await send(site, 'media', picture, {
      'Content-Type': 'image/jpeg',
      'Content-Disposition': `attachment; filename="picture-${n}.jpg"`,
    });
  }
}

async function send(
  { origin, administrator }: Asked,
  path: string,
  body: object,
  headers: Record<string, string> = { 'Content-Type': 'application/json' },
): Promise<unknown> {
  const response = await fetch(`${origin}/rest/core/v2/${path}`, {
    method: 'POST',
    headers: { Authorization: administrator, ...headers },
    body: Buffer.isBuffer(body) ? new Uint8Array(body) : JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return response.json();
}
