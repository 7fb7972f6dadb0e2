/** Handlers that others wrote: a module of the config, with one function that makes the handler. */
import { pathToFileURL } from 'node:url';
import type { AccessRule } from '../../core/access.ts';
import { mayRead } from '../../core/access-match.ts';
import { GarnerError } from '../../core/errors.ts';
import { readEqualities } from './equalities.ts';
import type { ProductHandler, ProductQuestion } from './product.ts';

export interface ModuleHandlerOptions {
  readonly name: string;
  readonly path: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly access: AccessRule;
}

/** What the function `createHandler` of a module gets. */
export interface HandlerParts {
  readonly name: string;
  /** As they stand in the config. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Values by lower-case name; undefined when anything else than `name = value AND …` is asked. */
  readonly equalities: (question: Pick<ProductQuestion, 'query'>) => ReadonlyMap<string, string> | undefined;
}

/** Throws `config.invalid` when there is no such module, or none that makes a handler. */
export async function loadModuleHandler({
  name,
  path,
  options,
  access,
}: ModuleHandlerOptions): Promise<ProductHandler> {
  const handler = await makeHandler(path, {
    name,
    options,
    equalities: ({ query }) => readEqualities(query),
  });
  return {
    name,
    // Who may have its products is no concern of whoever writes a handler.
    async *find(question, viewer) {
      if (mayRead(access, viewer)) yield* handler.find(question, viewer);
    },
    close: async () => handler.close?.(),
  };
}

async function makeHandler(path: string, parts: HandlerParts): Promise<Omit<ProductHandler, 'name'>> {
  try {
    const module: unknown = await import(pathToFileURL(path).href);
    if (!hasFunction(module, 'createHandler')) throw refused(path, 'exports no function createHandler');
    const made: unknown = await module.createHandler(parts);
    if (!isHandler(made)) throw refused(path, 'makes a handler without a function find');
    return made;
  } catch (thrown) {
    if (thrown instanceof GarnerError) throw thrown;
    throw refused(
      path,
      `does not load: ${thrown instanceof Error ? thrown.message : String(thrown)}`,
      thrown,
    );
  }
}

const refused = (path: string, reason: string, cause?: unknown): GarnerError =>
  new GarnerError('config.invalid', `the product handler ${path} ${reason}`, { details: { path }, cause });

function hasFunction<Name extends string>(
  value: unknown,
  name: Name,
): value is Readonly<Record<Name, (...given: unknown[]) => unknown>> {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, name) === 'function';
}

function isHandler(value: unknown): value is Omit<ProductHandler, 'name'> {
  return hasFunction(value, 'find');
}
