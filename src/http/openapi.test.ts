import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openTestCollection, type TestCollection } from '../../test/portal-collection.ts';
import { createHttpApp } from './server.ts';

interface Operation {
  readonly summary?: string;
  readonly parameters?: readonly { name: string; in: string; required?: boolean; schema?: unknown }[];
  readonly responses: Readonly<Record<string, { description?: string; content?: object }>>;
}
interface Description {
  readonly openapi: string;
  readonly info: { title: string; version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

let collection: TestCollection;
let app: ReturnType<typeof createHttpApp>;
let description: Description;

before(async () => {
  collection = await openTestCollection();
  app = createHttpApp(collection.deps);
  description = (await (await app.request('/api/openapi.json')).json()) as Description;
});
after(() => collection.close());

function* references(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, child] of Object.entries(value)) {
    if (key === '$ref' && typeof child === 'string') yield child;
    else yield* references(child);
  }
}

test('the description is OpenAPI 3.1 and every reference leads somewhere', () => {
  assert.match(description.openapi, /^3\.1\./);
  const found = [...references(description)];
  assert.ok(found.length > 10);
  for (const reference of found) {
    const [, components, kind = '', name = ''] = reference.split('/');
    assert.equal(components, 'components');
    assert.ok(description.components[kind]?.[name], reference);
  }
});

test('every operation has its path parameters, unique parameters and described answers', () => {
  for (const [path, operations] of Object.entries(description.paths))
    for (const [method, operation] of Object.entries(operations)) {
      const parameters = operation.parameters ?? [];
      const inPath = parameters.filter((parameter) => parameter.in === 'path');
      assert.deepEqual(
        inPath.map(({ name }) => name),
        [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
        path,
      );
      assert.ok(inPath.every(({ required }) => required === true));
      const keys = parameters.map(({ name, in: place }) => `${place} ${name}`);
      assert.equal(new Set(keys).size, keys.length, `${method} ${path}`);
      assert.ok(parameters.every(({ schema }) => schema !== undefined));
      assert.ok(operation.summary);
      assert.ok(operation.responses['200']?.description);
      assert.ok(operation.responses.default?.content);
    }
});

test('every API route is described, and everything described is a route', () => {
  const routes = app.routes.filter(
    ({ method, path }) => method !== 'ALL' && path.startsWith('/api/') && path !== '/api/openapi.json',
  );
  const known = Object.entries(description.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
  );
  assert.deepEqual(known.toSorted(), routes.map(({ method, path }) => `${method} ${path}`).toSorted());
});
