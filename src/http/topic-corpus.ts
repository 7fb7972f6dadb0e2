/** /topics/{acronym}/corpus: its pages and downloads. */
import { Readable } from 'node:stream';
import type { Hono } from 'hono';
import { GarnerError } from '../core/errors.ts';
import {
  type Corpora,
  type Corpus,
  compareCorpora,
  exportCorpus,
  isEmptyWord,
  readText,
  stampOf,
  type Topic,
  writeCorpusDocument,
  writeWordTable,
} from '../discover/index.ts';
import type { PortalAssets } from '../portal/assets.ts';
import { renderCorpusPage } from '../portal/topic-corpus-page.ts';
import { renderDocumentPage } from '../portal/topic-document-page.ts';
import { seesAllCaptures } from '../replay/index.ts';
import { type HttpContext, type HttpEnv, signedInAs } from './context.ts';
import type { HttpDeps } from './deps.ts';
import { getReadableTopic } from './readable-topic.ts';
import { siteFor } from './site.ts';
import type { TopicRoutesDeps } from './topic-pages.ts';

const SHOWN_WORDS = 150;

export function addTopicCorpus(
  app: Hono<HttpEnv>,
  deps: HttpDeps,
  topicDeps: TopicRoutesDeps,
  assets: PortalAssets,
): void {
  const { corpora } = topicDeps;
  const { blobs } = deps.store;
  const topicOf = (c: HttpContext): Topic => getReadableTopic(c, topicDeps, c.req.param('acronym') ?? '');
  /** It has the words of all of them: whoever may not see one of the captures has no corpus. */
  const maySee = (c: HttpContext, acronym: string) => seesAllCaptures(deps.store, acronym, c.get('viewer'));
  const getCorpus = async (c: HttpContext): Promise<Corpus> => {
    const { acronym } = topicOf(c);
    const isOpen = await maySee(c, acronym);
    const corpus = isOpen ? findCorpus(corpora, acronym, c.req.query('snapshot')) : undefined;
    if (!corpus) throw new GarnerError('topic.corpus', `${acronym} has no corpus yet`);
    return corpus;
  };
  const attach = (c: HttpContext, { acronym, snapshot }: Corpus, name: string): void => {
    c.header('content-disposition', `attachment; filename="${acronym}-${stampOf(snapshot)}-${name}"`);
  };

  app.get('/topics/:acronym/corpus', async (c) => {
    const { acronym, title } = topicOf(c);
    const isOpen = await maySee(c, acronym);
    const corpus = isOpen ? findCorpus(corpora, acronym, c.req.query('snapshot')) : undefined;
    const stamps = isOpen ? corpora.list(acronym) : [];
    const [earlier] = corpus ? stamps.filter((stamp) => stamp < stampOf(corpus.snapshot)) : [];
    const before = earlier === undefined ? undefined : corpora.find(acronym, earlier);
    return c.html(
      renderCorpusPage({
        site: siteFor(c, deps, assets),
        acronym,
        title,
        corpus,
        changes: corpus && before && compareCorpora(before, corpus),
        words: (corpus?.words ?? []).filter(({ word }) => !isEmptyWord(word)).slice(0, SHOWN_WORDS),
        stamps,
        signedInAs: signedInAs(c),
      }),
    );
  });

  app.get('/topics/:acronym/corpus/document', async (c) => {
    const corpus = await getCorpus(c);
    const url = c.req.query('url') ?? '';
    const document = corpus.documents.find((one) => one.url === url);
    if (!document)
      throw new GarnerError(
        'topic.corpus',
        `the corpus of ${corpus.snapshot} has no document ${url.slice(0, 500)}`,
      );
    return c.html(
      renderDocumentPage({
        site: siteFor(c, deps, assets),
        corpus,
        document,
        text: await readText(document, blobs),
        signedInAs: signedInAs(c),
      }),
    );
  });

  app.get('/topics/:acronym/corpus/corpus.zip', async (c) => {
    const corpus = await getCorpus(c);
    attach(c, corpus, 'corpus.zip');
    const bytes = Readable.from(exportCorpus(corpus, blobs), { objectMode: false });
    return c.body(Readable.toWeb(bytes) as ReadableStream<Uint8Array>, 200, {
      'content-type': 'application/zip',
    });
  });

  app.get('/topics/:acronym/corpus/corpus.json', async (c) =>
    c.json(writeCorpusDocument(await getCorpus(c))),
  );

  app.get('/topics/:acronym/corpus/words.csv', async (c) => {
    const corpus = await getCorpus(c);
    attach(c, corpus, 'words.csv');
    c.header('content-type', 'text/csv; charset=utf-8; header=present');
    return c.body(writeWordTable(corpus));
  });
}

/** The newest, unless a snapshot is named. */
function findCorpus(corpora: Corpora, acronym: string, stamp: string | undefined): Corpus | undefined {
  if (stamp === undefined) return corpora.findNewest(acronym);
  const corpus = corpora.find(acronym, stamp);
  if (!corpus) throw new GarnerError('topic.corpus', `${acronym} has no corpus of ${stamp.slice(0, 20)}`);
  return corpus;
}
