/** Why a connection did not come to be: the host is not there, or is not who it says it is. */
import { GarnerError } from '../core/errors.ts';

const TLS_CODES = /^(?:CERT_|ERR_TLS_|ERR_SSL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|EPROTO)/;

export function connectionError(error: Error, host: string): GarnerError {
  if (error instanceof GarnerError) return error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  return new GarnerError(
    TLS_CODES.test(code) ? 'http.tls' : 'http.unreachable',
    `${host}: ${code}${error.message ? ` (${error.message})` : ''}`,
    { cause: error, details: { host, code } },
  );
}
