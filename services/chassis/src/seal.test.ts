import { openSealer } from './seal';

test('opens what it sealed, and each time seals it otherwise', () => {
  const sealer = openSealer('first', 'tests');
  const [one, two] = [sealer.seal('abcdefghijkl'), sealer.seal('abcdefghijkl')];
  expect([sealer.open(one), sealer.open(two)]).toEqual(['abcdefghijkl', 'abcdefghijkl']);
  expect(one.sealed.equals(two.sealed)).toBe(false);
  expect(one.nonce.equals(two.nonce)).toBe(false);
  expect(one.sealed.toString('latin1')).not.toContain('abcdefghijkl');
});

test('the first secret seals, all of them open', () => {
  const old = openSealer('old', 'tests').seal('abcdefghijkl');
  const both = openSealer(' new , old,', 'tests');
  expect(both.open(old)).toBe('abcdefghijkl');
  expect(both.seal('x').secretId).toBe(openSealer('new', 'tests').secretId);
  expect(openSealer('new', 'tests').open(old)).toBeUndefined();
});

test('the name of a secret does not tell it', () => {
  expect(openSealer('first', 'tests').secretId).toMatch(/^[0-9a-f]{12}$/);
  expect(openSealer('first', 'tests').secretId).not.toBe(openSealer('second', 'tests').secretId);
});

test('what was changed, cut or put elsewhere does not open', () => {
  const sealer = openSealer('first', 'tests');
  const row = sealer.seal('abcdefghijkl');
  const flipped = Buffer.from(row.sealed);
  flipped[0] = (flipped[0] as number) ^ 1;
  for (const bad of [
    { ...row, sealed: flipped },
    { ...row, sealed: row.sealed.subarray(0, -1) },
    { ...row, sealed: row.sealed.subarray(0, 15) },
    { ...row, sealed: Buffer.alloc(0) },
    { ...row, nonce: Buffer.alloc(12) },
    { ...row, nonce: Buffer.alloc(0) },
    { ...row, secretId: 'other' },
  ])
    expect(sealer.open(bad)).toBeUndefined();
});

test('without a secret nothing is sealed', () => {
  expect(openSealer('', 'tests').secretId).toBeUndefined();
  expect(() => openSealer(' , ', 'tests').seal('x')).toThrow('no secret');
});
