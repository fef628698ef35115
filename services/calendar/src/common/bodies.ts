/** Descriptions and excerpts on their way into the database, in steps: whoever reads does not wait for a megabyte of them. */
import type { Actor } from '@sevenfold/chassis/actor';
import { type Rendered, cleaningBody } from '@sevenfold/publishing/texts';
import { renderingBody } from '@sevenfold/text/render';
import type { Sources } from '@sevenfold/text/rendering';
import type { Steps } from '@sevenfold/text/steps';

export function* readingBody(actor: Actor, text: string, sources: Sources): Steps<Rendered> {
  const raw = yield* cleaningBody(actor, text);
  return { raw, html: yield* renderingBody(raw, sources) };
}
