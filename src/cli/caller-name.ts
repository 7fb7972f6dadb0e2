/** Who runs the command, where nobody is named. */
import { userInfo } from 'node:os';

/** In a container a number may be all that there is of a user; then asking for the name fails. */
export function callerName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}
