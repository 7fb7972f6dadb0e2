/** /api/dictionary, /api/dictionaries: data elements for programs. */
import { z } from '@hono/zod-openapi';
import { GarnerError } from '../core/errors.ts';
import { dataElementSchema } from '../federate/dictionary/data-element.ts';
import { DICTIONARY_FORMS, type DictionaryForm } from '../federate/dictionary/file-forms.ts';
import { type ApiApp, addGetRoute } from './api-route.ts';
import { assertMayReadElements, type VocabularyRoutesDeps } from './dictionary-pages.ts';

const elementSchema = z.object(dataElementSchema.shape).openapi('DataElement');
const foundSchema = z.object({ dictionary: z.string(), element: elementSchema });
const FORMS = Object.keys(DICTIONARY_FORMS) as [DictionaryForm, ...DictionaryForm[]];
const wholeNumber = z.coerce.number().int();

export function addDictionaryRoutes(app: ApiApp, { vocabulary, access }: VocabularyRoutesDeps): void {
  const { dictionaries } = vocabulary;
  const tag = 'Data elements';

  addGetRoute(
    app,
    {
      path: '/api/dictionary',
      tag,
      summary: 'Data elements that have these words',
      query: z.strictObject({
        q: z.string().max(200).default(''),
        dictionary: z.string().optional(),
        offset: wholeNumber.min(0).default(0),
        limit: wholeNumber.min(1).max(1000).default(100),
      }),
      answer: {
        description: 'Those with the words in their names first.',
        schema: z.object({ total: z.int(), elements: z.array(foundSchema) }),
      },
    },
    async (c, { q, dictionary, offset, limit }) => {
      assertMayReadElements(c, access);
      const found = dictionaries
        .index()
        .search(q)
        .filter((entry) => dictionary === undefined || entry.dictionary === dictionary);
      return c.json({
        total: found.length,
        elements: found
          .slice(offset, offset + limit)
          .map((entry) => ({ dictionary: entry.dictionary, element: entry.current })),
      });
    },
  );

  addGetRoute(
    app,
    {
      path: '/api/dictionary/{element}',
      tag,
      summary: 'One data element, by name or synonym, in all dictionaries and versions',
      pathParameters: z.object({ element: z.string().openapi({ example: 'title' }) }),
      query: z.strictObject({}),
      answer: {
        description: 'Elements of that name, then those that have it as a synonym.',
        schema: z.object({
          name: z.string(),
          found: z.array(foundSchema.extend({ bySynonym: z.boolean(), versions: z.array(elementSchema) })),
        }),
      },
    },
    async (c) => {
      assertMayReadElements(c, access);
      const name = c.req.param('element') ?? '';
      return c.json({
        name,
        found: dictionaries.getElements(name).map(({ entry, bySynonym }) => ({
          dictionary: entry.dictionary,
          bySynonym,
          element: entry.current,
          versions: entry.versions,
        })),
      });
    },
  );

  addGetRoute(
    app,
    {
      path: '/api/dictionaries',
      tag,
      summary: 'The data dictionaries',
      query: z.strictObject({}),
      answer: {
        description: 'Earlier ones come first where two define the same name.',
        schema: z.object({
          dictionaries: z.array(
            z.object({
              identifier: z.string(),
              title: z.string(),
              elements: z.int(),
              revisions: z.array(z.int()),
            }),
          ),
        }),
      },
    },
    async (c) => {
      assertMayReadElements(c, access);
      return c.json({
        dictionaries: dictionaries.index().dictionaries.map(({ identifier, title, elements }) => ({
          identifier,
          title,
          elements: elements.length,
          revisions: dictionaries.store.revisions(identifier),
        })),
      });
    },
  );

  addGetRoute(
    app,
    {
      path: '/api/dictionaries/{identifier}',
      tag,
      summary: 'A whole dictionary, as a file that can be taken in elsewhere',
      pathParameters: z.object({ identifier: z.string().openapi({ example: 'dublin-core' }) }),
      query: z.strictObject({
        format: z.enum(FORMS).default('json'),
        revision: wholeNumber.min(1).optional().openapi({ description: 'An earlier state.' }),
      }),
      answer: {
        description: 'All elements in all versions.',
        schema: z.object({ identifier: z.string(), title: z.string(), elements: z.array(elementSchema) }),
        otherTypes: ['application/xml', 'text/csv'],
      },
    },
    async (c, { format, revision }) => {
      assertMayReadElements(c, access);
      const identifier = c.req.param('identifier');
      if (identifier === undefined) throw new GarnerError('request.invalid', 'which dictionary?');
      const { mediaType, write } = DICTIONARY_FORMS[format];
      c.header('content-type', mediaType);
      c.header('content-disposition', `inline; filename="${identifier.replace(/[^\w-]/g, '_')}.${format}"`);
      return c.body(write(dictionaries.getDictionary(identifier, revision)));
    },
  );
}
