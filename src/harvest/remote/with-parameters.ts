/** An address with query parameters set; parameters of the same name (in any case) give way, others stay. */
export function withParameters(url: string, parameters: Readonly<Record<string, string>>): string {
  const address = new URL(url);
  for (const [name, value] of Object.entries(parameters)) {
    const same = (known: string) => known.toLowerCase() === name.toLowerCase();
    for (const known of Array.from(address.searchParams.keys()).filter(same))
      address.searchParams.delete(known);
    address.searchParams.set(name, value);
  }
  return address.href;
}
