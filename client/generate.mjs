/**
 * `node client/generate.mjs [--check]`: what the client knows of the interface, from the merged OpenAPI document: the types of
 * all operations (src/gen/document.ts) and their names (src/gen/operations.ts). `--check` compares instead of writing. What it
 * reads are the declarations of the services as they were built last; it asks no site.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';
import { operationsOf } from './operations.mjs';
import { slimmed } from './slim.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const target = path.join(here, 'src/gen');
const require = createRequire(import.meta.url);

/** As the gateway answers it at /openapi.json, but for the address of the site. */
function siteDocument() {
  const built = (name) => require(path.join(here, '..', name));
  const { services } = built('services/catalog/dist/catalog.js');
  const { openApi } = built('services/chassis/dist/http/openapi.js');
  const { mergeDocuments, withConsole } = built('gateway/dist/index/site-document.js');
  const { consoleDescription, consoleDocument } = built('gateway/dist/console/document.js');
  const parts = services.map(({ name, namespace, folder }) => {
    const { resources, title, description } = built(`${folder}/dist/service.js`)[`${name}Service`];
    return { namespace, document: openApi(namespace, resources, { title, description, version: '1' }, '') };
  });
  return {
    places: [...services, { name: 'console', namespace: consoleDescription.namespace }],
    document: withConsole(mergeDocuments(parts, '/rest'), consoleDocument('', {})),
  };
}

const HEAD = '// Generated from the OpenAPI document by `npm run client`; not to be edited.\n';

const { places, document } = siteDocument();
const slim = slimmed(document);
const types = await openapiTS(slim, { defaultNonNullable: false, emptyObjectsUnknown: true, silent: true });
const wanted = {
  'document.ts': `${HEAD}${astToString(types)}`,
  'operations.ts': `${HEAD}${operationsOf(slim, places)}`,
};
mkdirSync(target, { recursive: true });
for (const [name, text] of Object.entries(wanted)) {
  const file = path.join(target, name);
  if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
  if (process.argv.includes('--check')) {
    console.error(`${name} of the client is not what the interface says: run \`npm run client\` and commit.`);
    process.exitCode = 1;
  } else writeFileSync(file, text);
}
