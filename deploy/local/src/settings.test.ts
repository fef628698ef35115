import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ConfigError } from '@sevenfold/chassis/config';
import { readSettings, repositoryRoot, stackVariables } from './settings';

describe('settings', () => {
  it('have a default for everything', () => {
    expect(readSettings({})).toMatchObject({
      PORT: 8080,
      HOST: '127.0.0.1',
      SITE_URL: '',
      ADMIN_USERNAME: 'admin',
      ADMIN_EMAIL: 'admin@example.org',
      SITE_TIMEZONE: 'UTC',
      LOG_LEVEL: 'info',
      dataDir: path.join(repositoryRoot, '.data'),
    });
  });

  it('report every fault at once and show no secret', () => {
    const faulty = {
      PORT: '80a',
      HOST: 'http://here',
      SITE_URL: 'ftp://site',
      SITE_TIMEZONE: 'Mars/Olympus',
      ADMIN_USERNAME: 'a\nb',
      ADMIN_PASSWORD: 'short!',
      ADMIN_EMAIL: 'nobody',
      ADMIN_APPLICATION_PASSWORD: 'too-short',
      DATABASE_URL: 'mysql://root:hidden@db/x',
      REDIS_URL: 'not a url',
      LOG_LEVEL: 'loud',
    };
    let error: unknown;
    try {
      readSettings(faulty);
    } catch (caught) {
      error = caught;
    }
    expect(error).toBeInstanceOf(ConfigError);
    const { faults, message } = error as ConfigError;
    expect(faults.map((fault) => fault.split(':')[0]).sort()).toEqual(Object.keys(faulty).sort());
    for (const secret of ['hidden', 'short!', 'too-short']) expect(message).not.toContain(secret);
  });

  it.each([
    ['SITE_URL', 'http://ann:opensesame@site.example'],
    ['SITE_URL', 'http://:opensesame@site.example'],
    ['SITE_URL', 'http://ann:opensesame@site:example'],
    ['SITE_URL', 'https://site.example/?lang=en'],
    ['SITE_URL', 'https://site.example/#top'],
    ['ADMIN_USERNAME', ' '],
    ['ADMIN_USERNAME', 'ann '],
    ['ADMIN_USERNAME', 'ann  lee'],
    ['ADMIN_USERNAME', 'a'.repeat(61)],
    ['ADMIN_EMAIL', 'ann@localhost'],
    ['ADMIN_EMAIL', 'ann@site<b>.example'],
    ['ADMIN_PASSWORD', 'opensesame\\'],
    ['ADMIN_APPLICATION_PASSWORD', `o${' '.repeat(20)}`],
  ])('refuse %s=%s, which would only show when everything else is there', (name, value) => {
    const read = (): unknown => readSettings({ [name]: value });
    expect(read).toThrow(`The configuration has a fault:\n  ${name}: must`);
    expect(read).not.toThrow('opensesame');
  });

  it('take what a site can have', () => {
    const given = {
      SITE_URL: 'https://site.example/below/@ann',
      ADMIN_USERNAME: 'Ann B. Lee',
      ADMIN_EMAIL: 'ann@site.example',
      ADMIN_PASSWORD: 'pass "wörd"',
      ADMIN_APPLICATION_PASSWORD: 'abcd efgh ijkl mnop',
    };
    expect(readSettings(given)).toMatchObject(given);
  });

  it.each(['0.0.0.0', '::', '0', '[::]'])('refuse HOST %s without the address that others go to', (HOST) => {
    expect(() => readSettings({ HOST, PORT: '9000' })).toThrow(
      `SITE_URL is required where HOST is ${HOST}: links have to name an address that others can reach, such as http://192.168.1.5:9000`,
    );
    expect(readSettings({ HOST, SITE_URL: 'http://example.org' })).toMatchObject({ HOST });
    expect(readSettings({ HOST: '10.0.0.1' })).toMatchObject({ SITE_URL: '' });
  });

  it.each(['deploy/local/README.md', 'README.md'])(
    'are all listed in %s, with their defaults and descriptions',
    (file) => {
      const readme = readFileSync(path.join(repositoryRoot, file), 'utf8').replace(/ +/g, ' ');
      for (const [name, variable] of Object.entries(stackVariables)) {
        const value = variable.default === '' ? '' : `\`${variable.default}\` `;
        expect(readme).toContain(`| \`${name}\` | ${value}| ${variable.description} |`);
      }
    },
  );
});
