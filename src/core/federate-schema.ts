/** The keys of federation, as rows of the config file. */
import { z } from 'zod';

const text = z.string().min(1, 'must not be empty');
const files = z
  .union([text, z.array(text)], { error: 'must be a text or a list of texts' })
  .transform((value) => (typeof value === 'string' ? [value] : value))
  .default([]);

export const federateSchema = z
  .strictObject({
    dictionary: files.describe(
      'Files with data elements (XML, CSV or JSON), beside those that `garner dictionary import` took in.',
    ),
    ontology: files.describe('Files with classes, properties and terms: Turtle, RDF/XML or JSON-LD.'),
    inferenceHops: z
      .int()
      .min(0)
      .max(8)
      .default(2)
      .describe('Over so many relations of the ontology attributes are inferred; 0: only inherited ones.'),
  })
  .prefault({})
  .describe('Data elements, ontologies and profiles.');
