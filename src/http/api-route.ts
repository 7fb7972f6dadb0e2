/** One API route: described for OpenAPI and validated by the same zod schema. */
import type { OpenAPIHono, RouteConfig } from '@hono/zod-openapi';
import { z } from '@hono/zod-openapi';
import { GarnerError } from '../core/errors.ts';
import type { HttpContext, HttpEnv } from './context.ts';

export type ApiApp = OpenAPIHono<HttpEnv>;

interface ApiRoute<Query extends z.ZodObject> {
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  readonly tag: string;
  readonly pathParameters?: z.ZodObject;
  readonly query: Query;
  /** Parameters that start so are taken as well, for the handler to read. */
  readonly openPrefix?: string;
  /** What a good answer is; further media types by name. */
  readonly answer: {
    readonly description: string;
    readonly schema: z.ZodType;
    readonly otherTypes?: readonly string[];
  };
}

export const problemSchema = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.string().openapi({ description: 'One of the codes in the error reference.' }),
    help: z.string(),
    position: z.int().optional().openapi({ description: 'Offset of the mistake in the query.' }),
    retryable: z.boolean(),
  })
  .openapi('Problem');

export const problemAnswers: RouteConfig['responses'] = {
  default: {
    description: 'What went wrong (RFC 9457).',
    content: { 'application/problem+json': { schema: problemSchema } },
  },
};

/** One value or several. */
export const repeatable = z.array(z.string());

export function addGetRoute<Query extends z.ZodObject>(
  app: ApiApp,
  route: ApiRoute<Query>,
  handle: (c: HttpContext, query: z.output<Query>) => Promise<Response>,
): void {
  const { path, summary, description, tag, query, pathParameters, answer } = route;
  const content: Record<string, { schema: z.ZodType }> = { 'application/json': { schema: answer.schema } };
  for (const type of answer.otherTypes ?? []) content[type] = { schema: z.string() };
  app.openAPIRegistry.registerPath({
    method: 'get',
    path,
    summary,
    tags: [tag],
    request: { query, ...(pathParameters && { params: pathParameters }) },
    responses: { 200: { description: answer.description, content }, ...problemAnswers },
    ...(description !== undefined && { description }),
  });
  app.get(path.replace(/\{(\w+)\}/g, ':$1'), (c) => handle(c, readParameters(c, query, route.openPrefix)));
}

function readParameters<Query extends z.ZodObject>(
  c: HttpContext,
  schema: Query,
  openPrefix: string | undefined,
): z.output<Query> {
  const given: Record<string, string | string[]> = {};
  for (const [name, values] of Object.entries(c.req.queries())) {
    if (openPrefix !== undefined && name.startsWith(openPrefix)) continue;
    given[name] = isRepeatable(schema, name) || values.length > 1 ? values : (values[0] ?? '');
  }
  return validate(schema, given);
}

export function validate<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const mistakes = parsed.error.issues.map(
    (issue) => `${issue.path.join('.') || 'the request'}: ${issue.message}`,
  );
  throw new GarnerError('request.invalid', mistakes.join('; '), { details: { mistakes } });
}

function isRepeatable(schema: z.ZodObject, name: string): boolean {
  let field: unknown = schema.shape[name];
  while (field instanceof z.ZodOptional || field instanceof z.ZodDefault) field = field.unwrap();
  return field instanceof z.ZodArray;
}
