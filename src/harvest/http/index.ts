export { userAgent } from '../../net/user-agent.ts';
export { createHttpClient, type HttpClient, type HttpRequest, type HttpResponse } from './client.ts';
export { createHostGate, type HostGate } from './host-gate.ts';
export type { HttpAuth, HttpPolicy, Sleep } from './policy.ts';
