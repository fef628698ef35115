/** Who is believed: only what was signed under our secret, for this purpose, whose time has not passed. */
import { Metadata } from '@grpc/grpc-js';
import { type Actor, signActor, stranger, verifyActor } from './actor';
import { signCall, verifyCall } from './grpc/caller';
import { signStatement } from './statement';

const SECRET = 'a secret';
const NOW = Date.UTC(2026, 0, 1);
const ann: Actor = {
  id: 4,
  username: 'ann',
  name: 'Änn',
  email: 'ann@site.test',
  url: '',
  roles: ['editor'],
  capabilities: new Set(['edit_posts']),
};
const claims = { ...ann, capabilities: [...ann.capabilities] };
const LATER = NOW + 1000;

/** A secret is replaced in three steps, at each of which processes of the step before still run. */
test('nobody is refused at any step while a secret is replaced, and the old one counts no more at its end', () => {
  const steps = ['old', 'old,new', ' new , old', 'new'];
  const believes = (theirs: string, ours: string): boolean[] => {
    const metadata = new Metadata();
    signCall(metadata, { caller: 'forms', method: '/a.B/C', deadlineMs: 1 }, theirs, NOW);
    return [
      verifyActor(signActor(ann, theirs, NOW), ours, NOW) !== undefined,
      verifyCall(metadata, '/a.B/C', ours, NOW) !== undefined,
    ];
  };
  steps.forEach((step, at) => {
    for (const near of steps.slice(Math.max(0, at - 1), at + 2))
      expect([step, near, ...believes(step, near)]).toEqual([step, near, true, true]);
  });
  expect(believes('old', 'new')).toEqual([false, false]);
  expect(believes('new', 'old')).toEqual([false, false]);
  expect(() => signActor(ann, ' , ')).toThrow('no secret');
});

describe('an actor', () => {
  const header = signActor(ann, SECRET, NOW);

  test('is who was signed, for a minute', () => {
    expect(verifyActor(header, SECRET, NOW)).toEqual(ann);
    expect(verifyActor(header, SECRET, NOW + 59_999)).toEqual(ann);
    expect(verifyActor(header, SECRET, NOW + 60_000)).toBeUndefined();
    expect(verifyActor(header, SECRET, NOW + 86_400_000)).toBeUndefined();
  });

  test('is nobody under another secret, or with a letter changed', () => {
    expect(verifyActor(header, 'another secret', NOW)).toBeUndefined();
    for (let at = 0; at < header.length; at += 1) {
      const changed = `${header.slice(0, at)}${header[at] === 'A' ? 'B' : 'A'}${header.slice(at + 1)}`;
      expect(verifyActor(changed, SECRET, NOW)).toBeUndefined();
    }
    for (const cut of ['', '.', header.slice(0, -1), `${header}A`, `${header}.x`, header.split('.')[0]!])
      expect(verifyActor(cut, SECRET, NOW)).toBeUndefined();
  });

  test('is nobody when what was signed is malformed, and nothing throws', () => {
    const faulty: object[] = [
      {},
      { ...claims, id: '4' },
      { ...claims, id: 4.5 },
      { ...claims, username: undefined },
      { ...claims, email: 5 },
      { ...claims, roles: 'editor' },
      { ...claims, capabilities: [1] },
      { ...claims, capabilities: null },
      [],
    ];
    for (const one of faulty)
      expect(verifyActor(signStatement('actor', one, SECRET, LATER), SECRET, NOW)).toBeUndefined();
    expect(verifyActor(signStatement('actor', claims, SECRET, LATER), SECRET, NOW)).toEqual(ann);
  });

  test('has no end, so it is not believed', () => {
    for (const until of [NaN, Infinity, undefined as never])
      expect(verifyActor(signStatement('actor', claims, SECRET, until), SECRET, NOW)).toBeUndefined();
  });
});

describe('the caller of a method', () => {
  const GET = '/sample.v1.Notes/GetNotes';
  const signed = (more: object = {}, secret = SECRET): Metadata => {
    const metadata = new Metadata();
    const call = { caller: 'calendar', method: GET, actor: ann, deadlineMs: 2_000, ...more };
    signCall(metadata, call, secret, NOW);
    return metadata;
  };
  const saying = (...texts: string[]): Metadata => {
    const metadata = new Metadata();
    for (const text of texts) metadata.add('x-sevenfold-call', text);
    return metadata;
  };

  test('is the service that signed, with the actor it speaks for', () => {
    expect(verifyCall(signed(), GET, SECRET, NOW)).toEqual({ caller: 'calendar', actor: ann });
    expect(verifyCall(signed({ actor: undefined }), GET, SECRET, NOW)?.actor).toEqual(stranger);
    const system = { ...stranger, capabilities: new Set(['manage_imports']) };
    expect(verifyCall(signed({ actor: system }), GET, SECRET, NOW)?.actor).toEqual(system);
  });

  test('is believed for this method only', () => {
    expect(verifyCall(signed(), '/sample.v1.Notes/DeleteNotes', SECRET, NOW)).toBeUndefined();
  });

  test('is believed for as long as the call may last, and half a minute for clocks that differ', () => {
    expect(verifyCall(signed(), GET, SECRET, NOW + 31_999)).toBeDefined();
    expect(verifyCall(signed(), GET, SECRET, NOW + 32_000)).toBeUndefined();
    const endless = signed({ deadlineMs: 86_400_000 });
    expect(verifyCall(endless, GET, SECRET, NOW + 149_999)).toBeDefined();
    expect(verifyCall(endless, GET, SECRET, NOW + 150_000)).toBeUndefined();
  });

  test('is nobody without a signature, under another secret, or with two', () => {
    const text = String(signed().get('x-sevenfold-call')[0]);
    expect(verifyCall(saying(text), GET, SECRET, NOW)).toBeDefined();
    expect(verifyCall(new Metadata(), GET, SECRET, NOW)).toBeUndefined();
    expect(verifyCall(signed({}, 'another secret'), GET, SECRET, NOW)).toBeUndefined();
    expect(verifyCall(saying('garbage'), GET, SECRET, NOW)).toBeUndefined();
    expect(verifyCall(saying(text, text), GET, SECRET, NOW)).toBeUndefined();
  });

  test('cannot be made of a statement for something else', () => {
    const call = { caller: 'calendar', method: GET };
    for (const purpose of ['actor', 'address'] as const)
      expect(
        verifyCall(saying(signStatement(purpose, call, SECRET, LATER)), GET, SECRET, NOW),
      ).toBeUndefined();
    const good = signStatement('call', call, SECRET, LATER);
    expect(verifyCall(saying(good), GET, SECRET, NOW)).toBeDefined();
    expect(verifyActor(signStatement('call', claims, SECRET, LATER), SECRET, NOW)).toBeUndefined();
  });

  test('is nobody when what was signed is malformed, and nothing throws', () => {
    for (const faulty of [
      { method: GET },
      { caller: 5, method: GET },
      { caller: 'calendar', method: GET, actor: null },
      { caller: 'calendar', method: GET, actor: 'ann' },
      { caller: 'calendar', method: GET, actor: { id: 1 } },
    ]) {
      const text = signStatement('call', faulty, SECRET, LATER);
      expect(verifyCall(saying(text), GET, SECRET, NOW)).toBeUndefined();
    }
  });
});
