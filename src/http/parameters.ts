/** The parameters of a request, wherever they stand: in its address, or in the form that it sends. */
import { GarnerError } from '../core/errors.ts';
import { type HttpContext, targetOf } from './context.ts';

const FORM = /^application\/x-www-form-urlencoded\b/i;

export async function readParameters(c: HttpContext): Promise<URLSearchParams> {
  const query = targetOf(c).split('?').slice(1).join('?');
  const parameters = new URLSearchParams(query);
  if (c.req.method !== 'POST') return parameters;
  const type = c.req.header('content-type') ?? '';
  if (!FORM.test(type))
    throw new GarnerError('request.invalid', 'send parameters as application/x-www-form-urlencoded');
  for (const [name, value] of new URLSearchParams(await c.req.text())) parameters.append(name, value);
  return parameters;
}

/** Beside the parameters of web-grid there are some of ours that are said or not. */
export function readFlag(parameters: URLSearchParams, name: 'gathered' | 'exact'): boolean {
  const value = parameters.get(name) ?? 'false';
  if (value === 'true' || value === 'false') return value === 'true';
  throw new GarnerError('request.invalid', `${name} is true or false, not "${value}"`);
}
