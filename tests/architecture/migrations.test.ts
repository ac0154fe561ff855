// Two migrations with one number: of them only the first would ever be applied.
import { expect, test } from "bun:test";
import { migrations } from "../../src/storage/migrations.ts";

for (const [database, known] of Object.entries(migrations)) {
  test(`migrations of ${database} are numbered from 1 without a gap or a number twice`, () => {
    expect(known.map(({ number }) => number)).toEqual(known.map((_, position) => position + 1));
  });
}
