/**
 * Kubernetes' own schemas, as its server reads them: what is not known is refused. Of what extends it, the schemas of the
 * definitions that clusters install.
 */
import { readFileSync } from 'node:fs';
import Ajv, { type ValidateFunction } from 'ajv';
import { type Thing, schemaFiles, yaml } from './render';

type Schema = Thing;

const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true, inlineRefs: false });
const INT_OR_STRING = 'io.k8s.apimachinery.pkg.util.intstr.IntOrString';
const QUANTITY = 'io.k8s.apimachinery.pkg.api.resource.Quantity';

/** Closes what names its members; numbers may stand where a quantity does. */
function closed(schema: Schema): Schema {
  if (Array.isArray(schema)) return schema.map(closed);
  if (schema === null || typeof schema !== 'object') return schema;
  const inner = Object.fromEntries(
    Object.entries(schema as object).map(([name, one]) => [
      name,
      name === 'enum' || name === 'default' ? one : closed(one),
    ]),
  ) as Schema;
  // Go's own way to say it, which JavaScript has not.
  if (typeof inner.pattern === 'string' && inner.pattern.includes('(?i)')) delete inner.pattern;
  if (schema['x-kubernetes-int-or-string']) return { type: ['integer', 'string'] };
  const isOpen = schema['x-kubernetes-preserve-unknown-fields'] || schema.additionalProperties;
  const isObject = schema.properties && typeof schema.properties === 'object' && !schema.properties.$ref;
  return isObject && !isOpen && (schema.type === 'object' || schema.type === undefined)
    ? { ...inner, additionalProperties: false }
    : inner;
}

const validators = new Map<string, ValidateFunction>();
const pending = new Map<string, Schema>();
const keyOf = (apiVersion: string, kind: string): string => `${apiVersion} ${kind}`;

function readSwagger(text: string): void {
  const { definitions } = JSON.parse(text) as { definitions: Record<string, Schema> };
  definitions[INT_OR_STRING] = { type: ['integer', 'string'] };
  definitions[QUANTITY] = { type: ['integer', 'number', 'string'] };
  const all = Object.fromEntries(
    Object.entries(definitions).map(([name, schema]) => [
      name,
      name.endsWith('.JSONSchemaProps') ? {} : closed(schema),
    ]),
  );
  ajv.addSchema({ $id: 'kubernetes', definitions: all });
  for (const [name, schema] of Object.entries(definitions))
    for (const { group, version, kind } of (schema['x-kubernetes-group-version-kind'] ?? []) as Thing[])
      pending.set(keyOf(group ? `${group}/${version}` : version, kind as string), {
        $ref: `kubernetes#/definitions/${name}`,
      });
}

function readDefinition(text: string): void {
  const { spec } = yaml(text) as Thing;
  for (const { name, schema } of spec.versions as Thing[]) {
    const whole = closed(schema.openAPIV3Schema);
    whole.properties.metadata = {
      $ref: 'kubernetes#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta',
    };
    pending.set(keyOf(`${spec.group}/${name}`, spec.names.kind as string), whole);
  }
}

let isRead = false;
function readAll(): void {
  if (isRead) return;
  isRead = true;
  for (const file of schemaFiles()) {
    const text = readFileSync(file, 'utf8');
    if (file.endsWith('.json')) readSwagger(text);
    else readDefinition(text.split(/^---$/m).find((one) => one.includes('CustomResourceDefinition')) ?? text);
  }
}

/** What Kubernetes would not take of a thing. */
export function faultsOf(thing: Thing): string[] {
  readAll();
  const key = keyOf(thing.apiVersion as string, thing.kind as string);
  let validate = validators.get(key);
  if (!validate) {
    const schema = pending.get(key);
    if (!schema) return [`${key} is not known`];
    validate = ajv.compile(schema as object);
    validators.set(key, validate);
  }
  if (validate(thing)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) =>
      `${thing.kind} ${thing.metadata?.name} ${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}
