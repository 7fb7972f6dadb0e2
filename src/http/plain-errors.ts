/** For clients that are programs of old: mistakes as plain text, with the place marked, unless they ask for more. */
import { asGarnerError } from '../core/errors.ts';
import { chooseMedia } from './accept.ts';
import type { HttpContext } from './context.ts';
import { describeProblem, problemHeaders } from './problem.ts';

type Answer = (c: HttpContext) => Promise<Response>;

const OTHERS = ['text/html', 'application/json', 'application/problem+json'] as const;

export const withPlainErrors =
  (answer: Answer): Answer =>
  async (c) => {
    try {
      return await answer(c);
    } catch (thrown) {
      const error = asGarnerError(thrown);
      const problem = describeProblem(error);
      const isPlain = chooseMedia(c.req.header('accept'), ['text/plain', ...OTHERS]) === 'text/plain';
      // What fails inside is logged where all of that is.
      if (problem.status >= 500 || !isPlain) throw error;
      return new Response(`${error.message}\n\n${problem.help}\n`, {
        status: problem.status,
        headers: { 'content-type': 'text/plain; charset=utf-8', ...problemHeaders(problem) },
      });
    }
  };
