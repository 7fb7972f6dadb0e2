/** /cdx: what is archived of which URL, as CDX server clients ask; /cdx/content: one capture as a download. */
import { Readable } from 'node:stream';
import type { Hono } from 'hono';
import { GarnerError } from '../core/errors.ts';
import { answerCdx, downloadCapture, readCdxRequest, writeCdxAnswer } from '../replay/index.ts';
import type { HttpEnv } from './context.ts';
import type { HttpDeps } from './deps.ts';
import { FOREIGN_BYTES_POLICY, openToReaders } from './headers.ts';

export const CONTENT_PATH = '/cdx/content';

export function addCdxRoutes(app: Hono<HttpEnv>, { store, dataFolder }: HttpDeps): void {
  app.use('/cdx', openToReaders);
  app.get('/cdx', async (c) => {
    const request = readCdxRequest(new URL(c.req.url).searchParams);
    const answer = await answerCdx(store.captures, request, c.get('viewer'));
    const { type, body } = writeCdxAnswer(answer, request);
    return c.body(body, 200, { 'content-type': type });
  });

  if (dataFolder === undefined) return;
  app.get(CONTENT_PATH, async (c) => {
    const { url, at, source } = c.req.query();
    if (url === undefined || url === '') throw new GarnerError('request.invalid', 'url: the address');
    const { bytes, fileName, mediaType, capture } = await downloadCapture(
      { store, dataFolder },
      { url, time: at, source },
      c.get('viewer'),
    );
    return c.body(Readable.toWeb(Readable.from(bytes)) as ReadableStream<Uint8Array>, 200, {
      // Never as what it says it is: a page of others must not run under this origin.
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename="${fileName}"`,
      'content-security-policy': FOREIGN_BYTES_POLICY,
      'memento-datetime': new Date(capture.at).toUTCString(),
      ...(mediaType !== undefined && { 'x-archive-content-type': mediaType }),
    });
  });
}
