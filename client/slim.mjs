/** What the client needs of the document: each thing once, and nothing that is only told to people elsewhere. */

const JSON_TYPE = 'application/json';

export function slimmed(document) {
  const { paths, components } = withoutExamples(document);
  return {
    ...document,
    paths: Object.fromEntries(
      Object.entries(paths).map(([path, operations]) => [path, slimPath(operations)]),
    ),
    components,
  };
}

/** Of an item POST, PUT and PATCH mean the same, and are declared three times. */
function slimPath(operations) {
  const kept = Object.entries(operations).filter(
    ([method]) => !(operations.patch && (method === 'post' || method === 'put')),
  );
  return Object.fromEntries(kept.map(([method, operation]) => [method, slimOperation(operation)]));
}

function slimOperation({ requestBody, responses, ...rest }) {
  return {
    ...rest,
    ...(requestBody ? { requestBody: { ...requestBody, content: slimContent(requestBody.content) } } : {}),
    responses: slimResponses(responses),
  };
}

/** Forms hold the same fields as JSON; a file comes only in a form. */
const slimContent = (content) =>
  content[JSON_TYPE]
    ? { [JSON_TYPE]: content[JSON_TYPE] }
    : { 'multipart/form-data': content['multipart/form-data'] };

/** Refusals that look like all others are told of once. */
function slimResponses(responses) {
  const isUsual = ([status, response]) => Number(status) >= 400 && '$ref' in response;
  const own = Object.entries(responses).filter((entry) => !isUsual(entry));
  return { ...Object.fromEntries(own), default: { $ref: '#/components/responses/Error400' } };
}

const EXAMPLES = new Set(['example', 'examples']);

/** Fields may be called so as well: only what stands beside a type or a schema is one. */
function withoutExamples(node, isNames = false) {
  if (Array.isArray(node)) return node.map((one) => withoutExamples(one));
  if (node === null || typeof node !== 'object') return node;
  return Object.fromEntries(
    Object.entries(node)
      .filter(([key]) => isNames || !EXAMPLES.has(key))
      .map(([key, value]) => [key, withoutExamples(value, !isNames && key === 'properties')]),
  );
}
