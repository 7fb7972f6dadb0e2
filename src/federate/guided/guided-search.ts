/** The next form for a question, over this installation and every server of the network that may hold a match. */
import type { Viewer } from '../../core/access.ts';
import { GarnerError } from '../../core/errors.ts';
import { parseJson } from '../../formats/extract-json.ts';
import { MATCH_ALL, type QueryNode } from '../../query/ast.ts';
import { writeDis } from '../../query/dis/write-dis.ts';
import { askProfiles } from '../network/ask-profiles.ts';
import type { Exchange } from '../network/exchange.ts';
import type { Network } from '../network/network.ts';
import { olderQuestion } from '../network/older-question.ts';
import type { ServerStatus } from '../network/server-status.ts';
import { serverQuestion } from '../network/server-url.ts';
import { statusError } from '../network/time-limit.ts';
import type { AskedServer, ServerReply } from '../network/traverse.ts';
import { formSchema, type GuidedForm, mergeForms } from './form.ts';
import { profilesForm } from './profiles-form.ts';

export interface GuidedDeps {
  /** With all that is meant by its terms. */
  readonly expand: (query: QueryNode) => QueryNode;
  readonly localForm: (query: QueryNode, viewer: Viewer) => Promise<GuidedForm>;
  readonly network: Network;
  readonly exchange: Exchange;
  readonly answerBytes: number;
}

export interface GuidedAnswer {
  readonly form: GuidedForm;
  /** Of other servers. */
  readonly servers: readonly Omit<ServerStatus, 'unverified'>[];
}

export type GuidedSearch = ReturnType<typeof createGuidedSearch>;

/** Of servers that cannot count, so many profiles are looked at. */
const MOST_PROFILES = 500;

export function createGuidedSearch({ expand, localForm, network, exchange, answerBytes }: GuidedDeps) {
  async function askForm(
    query: QueryNode,
    asked: AskedServer,
    signal: AbortSignal,
  ): Promise<ServerReply<GuidedForm>> {
    if (asked.isOlder) {
      const question = { ...olderQuestion(query), limit: MOST_PROFILES, maxBytes: answerBytes };
      const { value, ...reply } = await askProfiles(exchange, asked, question, signal);
      return { ...reply, value: profilesForm(value) };
    }
    const { server, allowPrivate } = asked;
    const url = serverQuestion(new URL('api/guided', server).href, {
      q: query.type === 'all' ? '' : writeDis(query),
      local: 'true',
      exact: 'true',
    });
    const { status, body, isPrivate } = await exchange({ url, allowPrivate, maxBytes: answerBytes, signal });
    signal.throwIfAborted();
    if (status !== 200) throw statusError(server, status);
    const read = formSchema.safeParse(parseJson(body));
    if (!read.success) throw new GarnerError('profile.malformed', `${server} does not answer with a form`);
    return { value: read.data, found: read.data.total, more: false, groups: [], isPrivate };
  }

  return {
    /** Of this installation alone. */
    local: (query: QueryNode, viewer: Viewer, exact: boolean): Promise<GuidedForm> =>
      localForm(exact ? query : expand(query), viewer),

    async ask(question: QueryNode, viewer: Viewer, signal: AbortSignal): Promise<GuidedAnswer> {
      const query = question.type === 'all' ? MATCH_ALL : expand(question);
      const here = localForm(query, viewer);
      here.catch(() => {});
      const forms: GuidedForm[] = [];
      const servers: Omit<ServerStatus, 'unverified'>[] = [];
      const asked = {
        query,
        ask: (server: AskedServer, within: AbortSignal) => askForm(query, server, within),
      };
      for await (const event of network.visit(asked, signal)) {
        if (event.type === 'reply') forms.push(event.value);
        else servers.push(event.status);
      }
      return { form: mergeForms([await here, ...forms]), servers };
    },
  };
}
