/**
 * How often a JPEG goes over its picture. A scan of a hundred bytes makes the decoder look at every block again, so that a
 * small file can keep it busy for hours, and nothing stops it on the way. This only steps from marker to marker.
 */
import { createReadStream } from 'node:fs';

const MARK = 0xff;
const START_OF_SCAN = 0xda;
const END_OF_IMAGE = 0xd9;

/** Nothing that belongs to them follows: a byte of a scan that looks like a mark, what is kept for later, restarts within a scan, the start of the image. */
const isBare = (marker: number): boolean => marker < 0xc0 || (marker >= 0xd0 && marker <= 0xd8);

/** How many there are, counted to one more than `most`; what comes after the end of the image is nobody's. */
export async function countScans(file: string, most: number): Promise<number> {
  let scans = 0;
  /** What the next byte is. */
  let next: 'any' | 'marker' | 'length' | 'length, low' = 'any';
  let length = 0;
  /** So many bytes are no marker, whatever they look like. */
  let skip = 0;
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    let at = 0;
    while (at < chunk.length) {
      if (skip > 0) {
        const step = Math.min(skip, chunk.length - at);
        skip -= step;
        at += step;
        continue;
      }
      if (next === 'any') {
        const mark = chunk.indexOf(MARK, at);
        if (mark < 0) break;
        next = 'marker';
        at = mark + 1;
        continue;
      }
      const byte = chunk[at++] as number;
      if (next === 'length') {
        length = byte << 8;
        next = 'length, low';
      } else if (next === 'length, low') {
        // The length counts its own two bytes.
        skip = Math.max(0, length + byte - 2);
        next = 'any';
      } else if (byte !== MARK) {
        if (byte === END_OF_IMAGE) return scans;
        if (byte === START_OF_SCAN && ++scans > most) return scans;
        next = isBare(byte) ? 'any' : 'length';
      }
    }
  }
  return scans;
}
