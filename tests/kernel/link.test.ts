import { describe, expect, test } from "bun:test";
import type { Failure } from "../../src/kernel/failure.ts";
import { createLink, gathered, portChannel, serveLink } from "../../src/kernel/link.ts";

/** Both ends of a pipe whose calls are gathered, and how many messages came through each way. */
function pipe(handlers: Record<string, (payload: never) => unknown>) {
  const { port1, port2 } = new MessageChannel();
  const counted = { requests: 0, answers: 0 };
  const counting = (port: MessagePort, what: keyof typeof counted) => {
    const channel = portChannel(port);
    return {
      post: channel.post,
      receive: (handler: (message: unknown) => void) =>
        channel.receive((message) => {
          counted[what]++;
          handler(message);
        }),
    };
  };
  serveLink(gathered(counting(port2, "requests")), handlers);
  const link = createLink(gathered(counting(port1, "answers")));
  const close = () => {
    port1.close();
    port2.close();
  };
  return { link, counted, close };
}

describe("gathered calls", () => {
  test("of one turn cross as one message, and so do their answers", async () => {
    const { link, counted, close } = pipe({ double: (value: number) => 2 * value });
    const doubled = await Promise.all([1, 2, 3].map((value) => link.call<number>("double", value)));
    close();
    expect(doubled).toEqual([2, 4, 6]);
    expect(counted).toEqual({ requests: 1, answers: 1 });
  });

  test("move their buffers", async () => {
    const { link, close } = pipe({ length: (bytes: Uint8Array) => bytes.length });
    const bodies = [new Uint8Array(3), new Uint8Array(5)];
    const lengths = await Promise.all(bodies.map((body) => link.call<number>("length", body, [body.buffer])));
    close();
    expect(lengths).toEqual([3, 5]);
    expect(bodies.map(({ length }) => length)).toEqual([0, 0]);
  });

  test("go at once when they move many bytes", async () => {
    const { link, counted, close } = pipe({ length: (bytes: Uint8Array) => bytes.length });
    const bodies = [new Uint8Array(40_000), new Uint8Array(40_000)];
    await Promise.all(bodies.map((body) => link.call<number>("length", body, [body.buffer])));
    close();
    expect(counted.requests).toBe(2);
  });

  test("fail alone when they cannot cross, on either way", async () => {
    const { link, close } = pipe({ same: (value: unknown) => value, odd: () => () => {} });
    const outcomes = await Promise.allSettled([
      link.call("same", "before"),
      link.call("same", () => {}),
      link.call("odd", null),
      link.call("same", "after"),
    ]);
    close();
    const shown = outcomes.map((each) => (each.status === "fulfilled" ? each.value : (each.reason as Failure).code));
    expect(shown).toEqual(["before", "link.closed", "link.failed", "after"]);
  });
});
