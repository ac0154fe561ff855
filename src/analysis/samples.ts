// Numbers that come one after the other and of which exact percentiles are asked: 8 bytes each.

const FIRST_CAPACITY = 4;

export class Samples {
  private values = new Float64Array(FIRST_CAPACITY);
  private isSorted = true;
  count = 0;

  add(value: number): void {
    if (this.count === this.values.length) {
      const larger = new Float64Array(this.count * 2);
      larger.set(this.values);
      this.values = larger;
    }
    this.values[this.count++] = value;
    this.isSorted = false;
  }

  /** The lowest value that is at least as high as that share (0 to 1) of all; null without any. */
  percentile(share: number): number | null {
    const all = this.values.subarray(0, this.count);
    if (!this.isSorted) all.sort();
    this.isSorted = true;
    return all[Math.max(0, Math.ceil(share * this.count) - 1)] ?? null;
  }
}
