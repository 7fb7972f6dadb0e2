/** Pages that are no files are remembered by their whole address; no entry of a file begins with a slash. */
export const PAGE_PREFIX = '//';

export const pageEntry = (url: string): string => PAGE_PREFIX + url;
