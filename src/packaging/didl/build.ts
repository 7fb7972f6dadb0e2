/** The few shapes that our DIDL documents are made of, as events. */
import { xml } from '../../xml/write.ts';
import type { DidlEvent } from './didl-events.ts';

const STATEMENT_TYPE = 'application/xml; charset=utf-8';

type Attributes = readonly (readonly [name: string, value: string])[];

export const start = (name: string, attributes: Attributes = []): DidlEvent => ({
  kind: 'start',
  name: `didl:${name}`,
  attributes,
});

export const end = (name: string): DidlEvent => ({ kind: 'end', name: `didl:${name}` });

/** `element`: one XML element with its own namespaces. */
export function* statement(element: string): Generator<DidlEvent> {
  yield start('Descriptor');
  yield start('Statement', [['mimeType', STATEMENT_TYPE]]);
  yield { kind: 'markup', markup: element };
  yield end('Statement');
  yield end('Descriptor');
}

export const identifierStatement = (identifier: string): Generator<DidlEvent> =>
  statement(xml`<dii:Identifier>${identifier}</dii:Identifier>`);

/** A moment by its Dublin Core name: `created`, `modified`. */
export const timeStatement = (at: number, name: 'created' | 'modified' = 'created'): Generator<DidlEvent> => {
  const moment = new Date(at).toISOString();
  return statement(`<dcterms:${name} xmlns:dcterms="http://purl.org/dc/terms/">${moment}</dcterms:${name}>`);
};
