import { readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { databaseServices } from '@sevenfold/catalog/catalog';
import { keepSecrets, writePrivateJson } from './secrets';
import { temporaryFolder } from './test-support';

const folder = temporaryFolder();
const file = path.join(folder, 'secrets.json');

describe('secrets', () => {
  it('are generated once, for the eyes of the owner', () => {
    const first = keepSecrets(file);
    expect(Object.keys(first.databasePasswords).sort()).toEqual([...databaseServices].sort());
    expect(first.adminPassword).toMatch(/^\w{20}$/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(keepSecrets(file)).toEqual(first);
    expect(readdirSync(folder)).toEqual(['secrets.json']);
  });

  it('that are missing, as after adding a service, are added and the others stay', () => {
    const before = keepSecrets(file);
    const { seo, ...passwords } = before.databasePasswords;
    writePrivateJson(file, { ...before, databasePasswords: passwords });
    const after = keepSecrets(file);
    expect(after.databasePasswords).toMatchObject(passwords);
    expect(after.databasePasswords.seo).not.toBe(seo);
    expect(keepSecrets(file)).toEqual(after);
  });

  it('that cannot be written are told with their place', () => {
    const nowhere = path.join(folder, 'nowhere', 'secrets.json');
    expect(() => keepSecrets(nowhere)).toThrow(`cannot write ${nowhere}: ENOENT`);
  });

  it('that are damaged are never replaced', () => {
    writeFileSync(file, '{"actorSecret":');
    expect(() => keepSecrets(file)).toThrow(/is damaged/);
  });
});
