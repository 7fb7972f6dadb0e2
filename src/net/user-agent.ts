import { VERSION } from '../core/version.ts';

/** Says who asks, and whom to write to when it hurts. */
export function userAgent(contact: { readonly url: string; readonly email: string }): string {
  return `Garner/${VERSION} (+${contact.url}; ${contact.email})`;
}
