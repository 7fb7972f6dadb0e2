/** Kinds of values that rows of the config file share. */
import { z } from 'zod';
import { NAME_PATTERN } from './identifiers.ts';

export const text = z.string().min(1, 'must not be empty');
export const name = z
  .string()
  .regex(NAME_PATTERN, 'a name has letters, digits, - and _, and starts with a letter or digit');

/** One value, or a list of them; always a list afterwards. */
export const listOf = (entry: z.ZodType<string, string>) =>
  z
    .union([entry, z.array(entry)], { error: 'must be a text or a list of texts' })
    .transform((value) => (typeof value === 'string' ? [value] : value));

export const webAddress = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address' })
  .refine((url) => !/[?#]/.test(url), 'must have no query and no fragment')
  .transform((url) => url.replace(/\/+$/, ''));
