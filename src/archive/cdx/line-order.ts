/** Index files are sorted by their bytes (`LC_ALL=C sort`). Keys are ASCII, where this is JavaScript's order, too. */
export const compareLines = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
