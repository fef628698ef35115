/** The documents about this namespace, judged by a validator of their formats. */
import SwaggerParser from '@apidevtools/swagger-parser';
import { openApi } from '@sevenfold/chassis/http/openapi';
import type { OpenAPIV2 } from 'openapi-types';
import { calendarService } from '../service';
import { startCalendarOf } from '../testing/service';

let site: Awaited<ReturnType<typeof startCalendarOf>>;
// The document needs nothing of the content service.
beforeAll(async () => {
  site = await startCalendarOf('127.0.0.1:9');
});
afterAll(() => site.stop());

const clone = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

describe('GET /doc', () => {
  let document: OpenAPIV2.Document;
  beforeAll(async () => {
    const { status, body, headers } = await site.as().get('/doc');
    expect(status).toBe(200);
    expect(headers.get('allow')).toBe('GET');
    document = body;
  });
  const operationOf = (path: string, method: 'get' | 'post' | 'delete') =>
    document.paths[path]?.[method] as OpenAPIV2.OperationObject;
  const parameterOf = (operation: OpenAPIV2.OperationObject, name: string) =>
    (operation.parameters as { name: string }[]).find((one) => one.name === name);

  test('is valid Swagger 2.0', async () => {
    await expect(SwaggerParser.validate(clone(document))).resolves.toBeDefined();
  });

  test('tells where the namespace is', () => {
    expect(Object.keys(document)).toEqual([
      'swagger', 'info', 'host', 'basePath', 'schemes', 'consumes', 'produces', 'securityDefinitions', 'paths',
      'definitions',
    ]); // prettier-ignore
    expect(document).toMatchObject({
      swagger: '2.0',
      host: 'site.test',
      basePath: '/rest/calendar/events/v1',
      schemes: ['http'],
      info: { version: '1.0.0', title: 'Events calendar' },
    });
  });

  test('has every route of the service', () => {
    const paths = ['/doc'];
    for (const name of ['events', 'venues', 'organizers'])
      paths.push(`/${name}`, `/${name}/{id}`, `/${name}/by-slug/{slug}`);
    for (const name of ['categories', 'tags']) paths.push(`/${name}`, `/${name}/{id}`);
    expect(Object.keys(document.paths).sort()).toEqual(paths.sort());
    expect(Object.keys(document.paths['/venues'] ?? {})).toEqual(['get', 'post']);
    expect(Object.keys(document.paths['/venues/{id}'] ?? {}).sort()).toEqual(['delete', 'get', 'post']);
  });

  test('shows arguments where they travel', () => {
    expect(parameterOf(operationOf('/events', 'get'), 'venue')).toMatchObject({
      in: 'query',
      type: 'array',
      collectionFormat: 'csv',
      items: { type: 'integer' },
      required: false,
    });
    expect(parameterOf(operationOf('/events', 'get'), 'page')).toMatchObject({ type: 'integer', default: 1 });
    expect(parameterOf(operationOf('/venues', 'post'), 'venue')).toMatchObject({
      in: 'formData',
      required: true,
    });
    expect(parameterOf(operationOf('/venues', 'post'), 'city')).toMatchObject({
      type: 'string',
      default: '',
    });
    for (const method of ['get', 'post', 'delete'] as const) {
      expect(parameterOf(operationOf('/venues/{id}', method), 'id')).toMatchObject({
        in: 'path',
        type: 'integer',
      });
      expect(parameterOf(operationOf('/events/by-slug/{slug}', method), 'slug')).toMatchObject({
        in: 'path',
        required: true,
      });
    }
  });

  test('names the answers', () => {
    expect(operationOf('/venues/{id}', 'get').responses['200']).toMatchObject({
      schema: { $ref: '#/definitions/Venue' },
    });
    expect(operationOf('/tags', 'post').responses['201']).toMatchObject({
      schema: { $ref: '#/definitions/Term' },
    });
    expect(operationOf('/categories', 'get').responses['200']).toMatchObject({
      schema: { properties: { categories: { type: 'array', items: { $ref: '#/definitions/Term' } } } },
    });
    expect(Object.keys(operationOf('/events/{id}', 'delete').responses)).toEqual(
      expect.arrayContaining(['200', '400', '401', '403', '404', '410']),
    );
  });

  test('describes each shape once', () => {
    expect(Object.keys(document.definitions ?? {})).toEqual([
      'Event', 'Venue', 'Organizer', 'Image', 'ImageSize', 'DateDetails', 'CostDetails', 'Term', 'Error',
    ]); // prettier-ignore
    expect(document.definitions?.Event?.properties).toMatchObject({
      image: { $ref: '#/definitions/Image' },
      venue: { $ref: '#/definitions/Venue' },
      organizer: { type: 'array', items: { $ref: '#/definitions/Organizer' } },
      start_date_details: { $ref: '#/definitions/DateDetails' },
      cost_details: { $ref: '#/definitions/CostDetails' },
    });
    expect(document.definitions?.Image?.properties?.sizes).toMatchObject({
      additionalProperties: { $ref: '#/definitions/ImageSize' },
    });
  });
});

test('OPTIONS shows the schema of what a route answers', async () => {
  for (const [path, title] of [
    ['/events', 'event'],
    ['/venues/1', 'venue'],
    ['/organizers/by-slug/x', 'organizer'],
    ['/categories', 'event_category'],
    ['/tags/5', 'event_tag'],
  ] as const) {
    const { status, body } = await site.as().request('OPTIONS', path);
    expect(status).toBe(200);
    expect(body.schema).toMatchObject({ title, type: 'object' });
  }
});

test('the OpenAPI document is valid OpenAPI 3.1', async () => {
  const { namespace, resources, title, description } = calendarService;
  const document = openApi(
    namespace,
    resources,
    { title, description, version: '1.0.0' },
    'http://site.test/rest',
  );
  await expect(SwaggerParser.validate(clone(document) as never)).resolves.toBeDefined();
});
