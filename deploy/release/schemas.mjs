/**
 * Which files of schemas were released, with what is in them: `services/migrations.lock.json`. Databases of released versions
 * are out there, so such a file stays as it is; whatever changes is a new one.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { filesBelow, inRoot } from '../build/sources.mjs';

const LOCK = 'services/migrations.lock.json';

/** The first version with it, by its name; and in it hashes by `<service>/<file>`. */
const released = () => (existsSync(inRoot(LOCK)) ? JSON.parse(readFileSync(inRoot(LOCK), 'utf8')) : {});

function present() {
  const services = readdirSync(inRoot('services'), { withFileTypes: true }).filter((one) =>
    one.isDirectory(),
  );
  return Object.fromEntries(
    services.flatMap(({ name }) =>
      filesBelow(inRoot('services', name, 'migrations')).map((file) => [
        `${name}/${file}`,
        createHash('sha256')
          .update(readFileSync(inRoot('services', name, 'migrations', file)))
          .digest('hex'),
      ]),
    ),
  );
}

/** What is wrong with the files that were released, for people. */
export function schemaFaults() {
  const now = present();
  return Object.entries(released()).flatMap(([version, files]) =>
    Object.entries(files).flatMap(([file, hash]) =>
      now[file] === hash
        ? []
        : [
            `${file} was released with ${version} and is ${now[file] ? 'another one' : 'not there'} now: what was released stays, changes go into a new file.`,
          ],
    ),
  );
}

/** Files that no release has yet. */
function newFiles() {
  const known = new Set(Object.values(released()).flatMap(Object.keys));
  return Object.fromEntries(Object.entries(present()).filter(([file]) => !known.has(file)));
}

/** Adds what is new as part of this version. Answers the files that changed. */
export function lockSchemas(version) {
  const added = newFiles();
  if (Object.keys(added).length === 0) return [];
  const all = released();
  const lock = { ...all, [version]: { ...all[version], ...added } };
  writeFileSync(inRoot(LOCK), `${JSON.stringify(lock, null, 2)}\n`);
  return [LOCK];
}
