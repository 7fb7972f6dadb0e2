/** One password against one line of a password file, in the ways that Apache's `htpasswd` writes them. */
import { hash, timingSafeEqual } from 'node:crypto';
import { compare } from 'bcryptjs';
import { verifyApr1, verifyShaCrypt } from './password-hashes.ts';

/**
 * Of bcrypt each step doubles the time: 14 is more than a second. Whoever wants more than that would have
 * every request with a wrong password keep a processor busy.
 */
const MOST_BCRYPT = 14;

/** Not the old crypt of eight characters: it is broken, and what cannot be verified opens nothing. */
export const isKnownHash = (stored: string): boolean =>
  /^(?:\$apr1\$|\{SHA\}|\$5\$|\$6\$)/.test(stored) || isBcrypt(stored);

function isBcrypt(stored: string): boolean {
  const cost = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/.exec(stored)?.[1];
  return cost !== undefined && Number(cost) >= 4 && Number(cost) <= MOST_BCRYPT;
}

/** One slow hash at a time, in slices: guessing in parallel gains nothing, and the other requests get their turns. */
let lastSlow: Promise<unknown> = Promise.resolve();

function inTurn(verify: () => Promise<boolean>): Promise<boolean> {
  const verified = lastSlow.then(verify);
  lastSlow = verified.catch(() => {});
  return verified;
}

export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  if (stored.startsWith('{SHA}')) return equal(`{SHA}${hash('sha1', password, 'base64')}`, stored);
  if (stored.startsWith('$apr1$')) return equal(verifyApr1(password, stored), stored);
  if (/^\$[56]\$/.test(stored))
    return inTurn(async () => equal(await verifyShaCrypt(password, stored), stored));
  return isBcrypt(stored) ? inTurn(() => compare(password, stored)) : false;
}

const equal = (a: string, b: string): boolean =>
  timingSafeEqual(hash('sha256', a, 'buffer'), hash('sha256', b, 'buffer'));
