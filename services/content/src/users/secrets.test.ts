import { grouped, hashSecret, hintOf, makeSecret, refuseSlowly, ungrouped, verifySecret } from './secrets';

test('secrets are 24 letters and digits, shown in groups of four', () => {
  const secrets = new Set(Array.from({ length: 100 }, makeSecret));
  expect(secrets.size).toBe(100);
  for (const secret of secrets) {
    expect(secret).toMatch(/^[A-Za-z0-9]{24}$/);
    expect(grouped(secret)).toMatch(/^(?:[A-Za-z0-9]{4} ){5}[A-Za-z0-9]{4}$/);
    expect(ungrouped(` ${grouped(secret)}\t`)).toBe(secret);
    expect(hintOf(secret)).toBeLessThan(256);
  }
});

test('a hash fits its secret only, and what is no hash fits nothing', async () => {
  const stored = await hashSecret('secret');
  expect(await verifySecret(stored, 'secret')).toBe(true);
  expect(await verifySecret(stored, 'Secret')).toBe(false);
  expect(await verifySecret('!', 'secret')).toBe(false);
  expect(await refuseSlowly('secret')).toBe(false);
});
