/** /prod: the product server, as Apache OODT's web-grid answers: the bytes of the first match, or where it lives. */
import type { Hono } from 'hono';
import { asGarnerError, GarnerError } from '../core/errors.ts';
import type { Scale } from '../federate/servers/choose-form.ts';
import type { ProductAnswer, ProductServer } from '../federate/servers/product-server.ts';
import { readQuestion, type ServerQuestion } from '../federate/servers/read-question.ts';
import type { HttpContext, HttpEnv } from './context.ts';
import type { HttpDeps } from './deps.ts';
import { openToReaders } from './headers.ts';
import { readFlag, readParameters } from './parameters.ts';
import { withPlainErrors } from './plain-errors.ts';
import { productResponse, streamBytes } from './product-response.ts';
import { findUnknownAttribute } from './unknown-attribute.ts';

const MAX_PIXELS = 10_000;

export function addProdRoutes(app: Hono<HttpEnv>, deps: HttpDeps, products: ProductServer): void {
  const { log, clock } = deps;
  const answer = async (c: HttpContext): Promise<Response> => {
    const parameters = await readParameters(c);
    const question = readQuestion(parameters);
    const exact = readFlag(parameters, 'exact');
    const scale: Scale = { ...readPixels(parameters, 'width'), ...readPixels(parameters, 'height') };
    const found = await find(() => products.answer({ ...question, exact }, scale, c.get('viewer')), question);
    if (found.kind === 'elsewhere') return c.redirect(found.url, 302);
    if (found.kind === 'form') return productResponse(c, found.form, log, () => found.discard?.());
    const headers = {
      'content-type': 'application/zip',
      'content-disposition': 'attachment; filename="products.zip"',
    };
    if (c.req.method === 'HEAD') return c.body(null, 200, headers);
    return c.body(streamBytes(c, found.open(clock()), log), 200, headers);
  };
  app.use('/prod', openToReaders);
  app.on(['GET', 'POST'], '/prod', withPlainErrors(answer));

  /** Nothing found: perhaps by a name that is none. */
  async function find(ask: () => Promise<ProductAnswer>, question: ServerQuestion): Promise<ProductAnswer> {
    try {
      return await ask();
    } catch (thrown) {
      const error = asGarnerError(thrown);
      const unknown = error.code === 'product.unknown' ? findUnknownAttribute(question, deps) : undefined;
      if (!unknown) throw error;
      const { nearest, position } = unknown;
      throw new GarnerError(error.code, `${error.message}: ${unknown.message}`, {
        cause: error,
        details: { nearest, position, found: unknown.name },
      });
    }
  }
}

function readPixels<Name extends keyof Scale>(parameters: URLSearchParams, name: Name): Scale {
  const text = parameters.get(name);
  if (text === null || text === '') return {};
  const pixels = Number(text);
  if (!/^\d+$/.test(text) || pixels < 1 || pixels > MAX_PIXELS)
    throw new GarnerError('request.invalid', `${name}: a number of pixels from 1 to ${MAX_PIXELS}`);
  return { [name]: pixels };
}
