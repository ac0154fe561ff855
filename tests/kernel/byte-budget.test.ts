import { describe, expect, test } from "bun:test";
import { createByteBudget } from "../../src/kernel/byte-budget.ts";

const budget = () => createByteBudget(100, () => new Error("full"));

describe("reservation", () => {
  test("is taken by several up to the most, and given back", () => {
    const { open, requireSome } = budget();
    const [first, second] = [open(0), open(0)];
    first.take(60);
    second.take(40);
    expect(() => second.take(1)).toThrow("full");
    expect(requireSome).toThrow("full");
    first.release();
    requireSome();
    second.take(60);
    expect(() => open(1)).toThrow("full");
    second.release();
    expect(() => open(0).take(100)).not.toThrow();
  });

  test("is refused at the door to what announces more than is left", () => {
    const { open } = budget();
    open(0).take(50);
    expect(() => open(51)).toThrow("full");
    open(50);
  });

  test("is refused to what announces more than is left while it is open, which takes nothing", () => {
    const { open } = budget();
    open(0).take(50);
    const next = open(0);
    next.take(20);
    expect(() => next.announce(31)).toThrow("full");
    next.announce(30);
    next.take(30);
    next.release();
    open(50);
  });

  test("is never too small for a lone holder, in one piece or many", () => {
    const { open } = budget();
    const alone = open(1000);
    alone.take(90);
    alone.take(900);
    expect(() => open(1)).toThrow("full");
    alone.release();
    open(1);
  });

  test("is given back once, and what is over takes none", () => {
    const { open, requireSome } = budget();
    const gone = open(0);
    gone.take(100);
    gone.release();
    gone.release();
    gone.take(100);
    requireSome();
    const next = open(100);
    next.take(100);
    expect(requireSome).toThrow("full");
  });
});
