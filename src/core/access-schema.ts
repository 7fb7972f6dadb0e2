/** Rules of access, as the config file writes them. */
import { z } from 'zod';
import { isNetwork } from './access-match.ts';
import { listOf, text } from './schema-values.ts';

export const accessRule = z
  .strictObject({
    public: z.boolean().exactOptional().describe('Everybody may read.'),
    networks: listOf(text.refine(isNetwork, 'must be a network such as 10.0.0.0/8 or 2001:db8::/32'))
      .exactOptional()
      .describe('Readers from these networks (CIDR) or addresses.'),
    groups: listOf(text).exactOptional().describe('Readers whose token is in one of these groups.'),
    tokens: listOf(text).exactOptional().describe('Readers with one of these tokens, by name.'),
  })
  .describe(
    'Who may read: whoever any of the lists names. An empty rule leaves only curators and operators.',
  );
