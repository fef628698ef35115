/**
 * `npm run test:image [-- --image NAME | --packed]`: builds the image, or takes one that is there or what is packed, and starts the whole
 * site from it as the chart would. `npm run test:rolling [-- --from COMMIT]`: replaces the pods of such a site one by one, by
 * those of this version, from those of the commit before or another one, and then by themselves. Ends with 3 where the machine cannot do it, and says what is missing.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { apart } from './apart.mjs';
import { image, missingForImages, missingForPods, packed, packedBefore } from './artefacts.mjs';
import { KUBERNETES, chartTools } from './chart-tools.mjs';

const CANNOT = 3;
const FORMER = 'HEAD~1';

const here = path.dirname(fileURLToPath(import.meta.url));
const { values, positionals } = parseArgs({
  options: {
    image: { type: 'string' },
    packed: { type: 'boolean' },
    from: { type: 'string', default: FORMER },
  },
  allowPositionals: true,
});
const [what, ...rest] = positionals;
const isImage = what === 'image' && !values.packed;

const tools = chartTools();
const missing = [
  ...missingForPods(),
  ...(isImage ? missingForImages() : []),
  ...(tools ? [] : ['helm, or Go to build it']),
];
if (missing.length > 0) {
  console.error(`NOT TRIED: pods cannot be started here. Missing: ${missing.join('; ')}.`);
  process.exit(CANNOT);
}

const folder = mkdtempSync(path.join(tmpdir(), 'sevenfold-artefacts-'));
const opened = isImage ? image(values.image) : { artefact: packed(), close: () => undefined };
try {
  const before = what === 'rolling' ? packedBefore(values.from) : undefined;
  const file = path.join(folder, 'artefacts.json');
  writeFileSync(file, JSON.stringify({ now: opened.artefact, before }));
  const test = path.join(here, 'src/pods', what === 'rolling' ? 'rolling.test.ts' : 'whole-site.test.ts');
  const { status } = spawnSync(
    ...apart('pods', [test, ...rest], {
      PODS_ARTEFACTS: file,
      CHART_HELM: tools.helm,
      CHART_KUBERNETES: KUBERNETES,
    }),
  );
  process.exitCode = status ?? 1;
} finally {
  opened.close();
  rmSync(folder, { recursive: true, force: true });
}
