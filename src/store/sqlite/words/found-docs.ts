/** Documents that were found, each with how often it has the word; grows, and is used again and again. */
export class FoundDocs {
  docs = new Uint32Array(1024);
  frequencies = new Float32Array(1024);
  count = 0;

  clear(): void {
    this.count = 0;
  }

  reserve(more: number): void {
    const wanted = this.count + more;
    if (wanted <= this.docs.length) return;
    const size = Math.max(wanted, this.docs.length * 2);
    const docs = new Uint32Array(size);
    docs.set(this.docs.subarray(0, this.count));
    this.docs = docs;
    const frequencies = new Float32Array(size);
    frequencies.set(this.frequencies.subarray(0, this.count));
    this.frequencies = frequencies;
  }

  add(doc: number, frequency: number): void {
    if (this.count === this.docs.length) this.reserve(1);
    this.docs[this.count] = doc;
    this.frequencies[this.count++] = frequency;
  }
}
