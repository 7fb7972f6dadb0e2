/** DOIs as they are written, and as addresses. */

/** `10.1029/96jd03865`, however it was written; undefined when it is none. */
export function bareDoi(text: string): string | undefined {
  return /^(?:https?:\/\/(?:dx\.)?doi\.org\/|doi:\s*)?(10\.\d{4,9}\/\S+)$/i
    .exec(text.trim())?.[1]
    ?.toLowerCase();
}

export const doiUrl = (doi: string): string =>
  `https://doi.org/${encodeURI(doi).replace(/[?#]/g, encodeURIComponent)}`;
