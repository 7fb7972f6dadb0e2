export { userAgent } from '../../net/user-agent.ts';
export { createHttpClient, type HttpClient, type HttpRequest, type HttpResponse } from './client.ts';
export { createHostGate } from './host-gate.ts';
export type { HttpPolicy } from './policy.ts';
