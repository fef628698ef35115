/**
 * Large pieces of memory that come from the system and go back to it, each by itself. What is allocated usually goes into holes of
 * the heap of C where there are some as large, and splits them: it grows for as long as the process runs, up to twice what
 * is in use. The memory of WebAssembly never lies there, and is as quick to read; only its addresses are given away lavishly.
 */

// The types of Node do not know it.
declare const WebAssembly: {
  readonly Memory: new (pages: { initial: number; maximum: number }) => { readonly buffer: ArrayBuffer };
};

/** Of WebAssembly. */
const PAGE = 64 * 1024;

let hasAddresses = true;

/** At least so many bytes, with anything in them; of pages only what is written to takes room. */
export function makePlank(bytes: number): Buffer {
  const pages = Math.ceil(bytes / PAGE);
  if (hasAddresses && bytes >= PAGE)
    try {
      return Buffer.from(new WebAssembly.Memory({ initial: pages, maximum: pages }).buffer);
    } catch {
      // Such as a limit of addresses: each further try would collect garbage before it fails.
      hasAddresses = false;
    }
  return Buffer.allocUnsafeSlow(bytes);
}
