export { createHttpClient, type HttpClient, type HttpRequest, type HttpResponse } from './client.ts';
export { createHostGate, type HostGate } from './host-gate.ts';
export { type HttpAuth, type HttpPolicy, type Sleep, userAgent } from './policy.ts';
