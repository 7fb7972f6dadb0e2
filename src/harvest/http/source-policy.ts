/** The HTTP policy that a source's configuration asks for. */
import { userAgent } from '../../net/user-agent.ts';
import type { HttpPolicy } from './policy.ts';

export interface RemoteSourceConfig {
  readonly allowPrivate: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  readonly user?: string;
  readonly password?: string;
  readonly token?: string;
  readonly delayMs: number;
  readonly attempts: number;
  readonly timeoutMs: number;
}

export function sourcePolicy(
  source: RemoteSourceConfig,
  repository: { readonly baseUrl: string; readonly adminEmail: string },
): HttpPolicy {
  const { user, password = '', token, headers } = source;
  return {
    userAgent: userAgent({ url: repository.baseUrl, email: repository.adminEmail }),
    allowPrivate: source.allowPrivate,
    delayMs: source.delayMs,
    attempts: source.attempts,
    idleTimeoutMs: source.timeoutMs,
    connectTimeoutMs: Math.min(source.timeoutMs, 30_000),
    ...(headers && { headers }),
    ...(user !== undefined && { auth: { kind: 'basic', user, password } }),
    ...(token !== undefined && { auth: { kind: 'bearer', token } }),
  };
}
