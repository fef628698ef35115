/** Pictures and files for tests, made on the spot. */
import sharp from 'sharp';

export type Format = 'jpeg' | 'png' | 'gif' | 'webp' | 'avif';

export function picture(
  width: number,
  height: number,
  format: Format = 'png',
  background = '#336699',
): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background } })
    .toFormat(format)
    .toBuffer();
}

/** Two frames of one colour each. */
export function animatedGif(width: number, height: number): Promise<Buffer> {
  const frame = (background: string): sharp.Sharp =>
    sharp({ create: { width, height, channels: 3, background } });
  return Promise.all([frame('#ff0000').png().toBuffer(), frame('#0000ff').png().toBuffer()]).then((frames) =>
    sharp(frames, { join: { animated: true } })
      .gif({ delay: [100, 100] })
      .toBuffer(),
  );
}

export const fileHeaders = (name: string, type = 'application/octet-stream'): Record<string, string> => ({
  'Content-Type': type,
  'Content-Disposition': `attachment; filename="${name}"`,
});

export function form(
  file: Buffer | string,
  name: string,
  fields: Record<string, string> = {},
  part = 'file',
): FormData {
  const data = new FormData();
  for (const [field, value] of Object.entries(fields)) data.append(field, value);
  data.append(part, new Blob([file as never]), name);
  return data;
}
