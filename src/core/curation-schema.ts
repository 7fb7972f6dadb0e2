/** The keys of cataloguing by people, as rows of the config file. */
import { z } from 'zod';

const authorityList = z
  .strictObject({
    authority: z
      .string()
      .min(1)
      .optional()
      .describe('The name of the list as MODS has it: `lcsh`, `naf`, `marcgt`, `iso639-2b`.'),
    terms: z.array(z.string().min(1)).default([]).describe('The words that are offered.'),
    closed: z.boolean().default(false).describe('Whether no other words may be used.'),
  })
  .optional();

export const curationSchema = z
  .strictObject({
    subject: authorityList.describe('Topics.'),
    place: authorityList.describe('Places that items are about.'),
    creator: authorityList.describe('Names of persons and bodies.'),
    genre: authorityList.describe('What kind of thing it is.'),
    language: authorityList.describe('Codes of languages.'),
  })
  .prefault({})
  .describe('Authority lists for the form by which curators describe items.');
