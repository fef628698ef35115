/**
 * `npm run release -- X.Y.Z [--write] [--folder FOLDER] [--without-image]`: gives everything one number and builds what is
 * handed out: the packed artefact, the client, the image (where buildah or docker is) and the chart, with checksums and the list of what is
 * inside. Without --write it only says what is in the way and what it would do. With it the number, and the files of schemas that
 * are fixed from now on, become a commit with a tag; what fails after that is repeated by the same command.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { inRoot } from '../build/sources.mjs';
import { build, builder } from './build.mjs';
import { faultsOf, git, isTagged, numberFaults } from './checks.mjs';
import { numbers, setNumbers } from './numbers.mjs';
import { lockSchemas, schemaFaults } from './schemas.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    write: { type: 'boolean' },
    check: { type: 'boolean' },
    folder: { type: 'string' },
    'without-image': { type: 'boolean' },
  },
});
const [version] = positionals;

function refuse(faults) {
  for (const fault of faults) console.error(`- ${fault}`);
  process.exit(1);
}

/** Without a number: whether what is here agrees with itself. */
if (values.check && version === undefined) {
  const faults = [...numberFaults(), ...schemaFaults()];
  if (faults.length > 0) refuse(faults);
  process.exit(0);
}
if (positionals.length !== 1 || (values.check && values.write)) {
  console.error('npm run release -- X.Y.Z [--write] [--folder FOLDER] [--without-image]');
  process.exit(2);
}

const faults = faultsOf(version);
const folder = path.resolve(values.folder ?? inRoot('dist', `release-${version}`));
if (existsSync(folder)) faults.push(`${folder} is there already.`);
if (faults.length > 0) refuse(faults);

const image = values['without-image'] ? undefined : builder();
if (!values.write) {
  const [{ number }] = numbers();
  console.log(`${number} would become ${version}, with the tag v${version}, and be built into ${folder}:`);
  console.log(
    `the packed artefact, the client, the chart, ${image ? `the image (${image})` : 'no image'}. Say --write to do it.`,
  );
  process.exit(0);
}

const changed = [...setNumbers(version), ...lockSchemas(version)];
if (changed.length > 0) {
  git('add', '--', ...changed);
  git('commit', '--quiet', '--message', `Release ${version}`);
}
if (!isTagged(version)) git('tag', '--annotate', '--message', `Sevenfold ${version}`, `v${version}`);
if (!image && !values['without-image'])
  console.error('Neither buildah nor docker is here: no image is built.');
for (const file of await build({ version, folder, image })) console.log(file);
