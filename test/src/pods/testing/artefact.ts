/** What pods are started from: the file system of an image, or what is packed, on that of this machine. */
import { readFileSync } from 'node:fs';

export interface Artefact {
  /** A file system that a program can run in. It is only read. */
  readonly root: string;
  /** Put in its place in that file system: folders and files of this machine. */
  readonly mounts: readonly { readonly from: string; readonly to: string }[];
  readonly entrypoint: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly workdir: string;
  /** The chart of the same sources. */
  readonly chart: string;
  /** For people. */
  readonly name: string;
}

/** As test/pods.mjs made them. */
export function artefacts(): { readonly now: Artefact; readonly before?: Artefact } {
  const file = process.env.PODS_ARTEFACTS;
  if (!file)
    throw new Error('PODS_ARTEFACTS is not set: run these tests by npm run test:image or test:rolling');
  return JSON.parse(readFileSync(file, 'utf8')) as { now: Artefact; before?: Artefact };
}
