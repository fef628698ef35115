import { openSealer } from './seal';

test('opens what it sealed, and each time seals it otherwise', () => {
  const sealer = openSealer('first');
  const [one, two] = [sealer.seal('abcdefghijkl'), sealer.seal('abcdefghijkl')];
  expect([sealer.open(one), sealer.open(two)]).toEqual(['abcdefghijkl', 'abcdefghijkl']);
  expect(one.sealed.equals(two.sealed)).toBe(false);
  expect(one.nonce.equals(two.nonce)).toBe(false);
  expect(one.sealed.toString('latin1')).not.toContain('abcdefghijkl');
});

test('the first secret seals, all of them open', () => {
  const old = openSealer('old').seal('abcdefghijkl');
  const both = openSealer(' new , old,');
  expect(both.open(old)).toBe('abcdefghijkl');
  expect(both.seal('x').secretId).toBe(openSealer('new').secretId);
  expect(openSealer('new').open(old)).toBeUndefined();
});

test('the name of a secret does not tell it', () => {
  expect(openSealer('first').secretId).toMatch(/^[0-9a-f]{12}$/);
  expect(openSealer('first').secretId).not.toBe(openSealer('second').secretId);
});

test('what was changed, cut or put elsewhere does not open', () => {
  const sealer = openSealer('first');
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
  expect(openSealer('').secretId).toBeUndefined();
  expect(() => openSealer(' , ').seal('x')).toThrow('no secret');
});
