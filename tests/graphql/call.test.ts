// Loads are collected for a request, and answers stay within bounds.
import { expect, test } from "bun:test";
import { createCall, MAX_VALUES } from "../../src/graphql/call.ts";
import type { CallContext } from "../../src/storage/storage.ts";

const context = {} as CallContext;

test("keys that are asked for together are loaded once, apart by the arguments of their field", async () => {
  const batches: unknown[] = [];
  const load = async (_context: CallContext, keys: readonly number[], options: { readonly first: number }) => {
    batches.push([...keys, options.first]);
    return new Map(keys.filter((key) => key !== 3).map((key) => [key, key * options.first]));
  };
  const call = createCall(context, 0);
  const found = await Promise.all([
    call.load(load, 1, { first: 10 }),
    call.load(load, 2, { first: 10 }),
    call.load(load, 1, { first: 10 }),
    call.load(load, 3, { first: 10 }),
    call.load(load, 1, { first: 20 }),
  ]);
  expect(found).toEqual([10, 20, 10, null, 20]);
  expect(batches).toEqual([
    [1, 2, 3, 10],
    [1, 20],
  ]);
  await createCall(context, 0).load(load, 1, { first: 10 });
  expect(batches).toHaveLength(3);
});

test("what is read for one project is read once for the same arguments, until a change", async () => {
  const asked: unknown[] = [];
  const read = async (_context: CallContext, id: number, range: { readonly first: number }) => {
    asked.push([id, range.first]);
    return { id };
  };
  const call = createCall(context, 0);
  const found = await Promise.all([1, 1, 2].map((id) => call.readOnce(read, id, { first: 10 })));
  await call.readOnce(read, 1, { first: 20 });
  expect(found).toEqual([{ id: 1 }, { id: 1 }, { id: 2 }]);
  expect(asked).toEqual([
    [1, 10],
    [2, 10],
    [1, 20],
  ]);
  call.forgetLoaded();
  await call.readOnce(read, 1, { first: 10 });
  expect(asked).toHaveLength(4);
});

test("an answer that would hold too many values is refused", () => {
  const call = createCall(context, 0);
  call.charge(MAX_VALUES);
  expect(() => call.charge(1)).toThrow(/more than 500000 values/);
});

test("a row that is gone is not found", async () => {
  const nothing = async () => new Map<number, object>();
  await expect(createCall(context, 0).loadExisting(nothing, 7)).rejects.toThrow("deleted meanwhile");
});
