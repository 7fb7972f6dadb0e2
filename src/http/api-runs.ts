/** /api/runs and what is under it. */
import { z } from '@hono/zod-openapi';
import { type ApiApp, addGetRoute } from './api-route.ts';
import { runProblemSchema, runSchema } from './api-schemas.ts';
import type { HttpDeps } from './deps.ts';
import { problemJson, runJson } from './item-json.ts';
import { getReadableRun, listReadableRuns, listVisibleProblems } from './readable.ts';

const limit = z.coerce.number().int().min(1).max(100).default(20);
const pathParameters = z.object({ id: z.string().openapi({ example: '12' }) });

export function addRunRoutes(app: ApiApp, deps: HttpDeps): void {
  const { store } = deps;
  addGetRoute(
    app,
    {
      path: '/api/runs',
      tag: 'Runs',
      summary: 'What is running and what ran',
      query: z.strictObject({
        source: z.string().optional(),
        before: z.coerce
          .number()
          .int()
          .min(1)
          .optional()
          .openapi({ description: 'Only runs with a lower number.' }),
        limit,
      }),
      answer: { description: 'Newest first.', schema: z.object({ runs: z.array(runSchema) }) },
    },
    async (c, page) => {
      const viewer = c.get('viewer');
      const runs = await listReadableRuns(deps, page, viewer);
      return c.json({ runs: runs.map((run) => runJson(run, viewer.role !== 'reader')) });
    },
  );

  addGetRoute(
    app,
    {
      path: '/api/runs/{id}',
      tag: 'Runs',
      summary: 'One run',
      pathParameters,
      query: z.strictObject({}),
      answer: { description: 'The run.', schema: runSchema },
    },
    async (c) => {
      const viewer = c.get('viewer');
      const run = await getReadableRun(deps, c.req.param('id') ?? '', viewer);
      return c.json(runJson(run, viewer.role !== 'reader'));
    },
  );

  addGetRoute(
    app,
    {
      path: '/api/runs/{id}/problems',
      tag: 'Runs',
      summary: 'What could not be taken in, and why',
      pathParameters,
      query: z.strictObject({
        after: z.coerce
          .number()
          .int()
          .min(0)
          .optional()
          .openapi({ description: 'The `next` of the previous page.' }),
        code: z.string().optional().openapi({ description: 'Only problems of that kind.' }),
        limit,
      }),
      answer: {
        description: 'In the order in which they were met.',
        schema: z.object({ problems: z.array(runProblemSchema), next: z.int().optional() }),
      },
    },
    async (c, page) => {
      const viewer = c.get('viewer');
      const run = await getReadableRun(deps, c.req.param('id') ?? '', viewer);
      const { problems, next } = await listVisibleProblems(store, run, page, viewer);
      return c.json({ problems: problems.map(problemJson), ...(next !== undefined && { next }) });
    },
  );
}
