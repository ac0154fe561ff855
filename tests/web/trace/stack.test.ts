// Frames of libraries in stack traces, and what was sent to a model by how it is read.
import { describe, expect, test } from "bun:test";
import { linesOf, sentOf, sizeOfMessages } from "../../../src/web/domain/trace/payload/conversation.ts";
import { messagesIn } from "../../../src/web/domain/trace/payload/messages.ts";
import { stackParts } from "../../../src/web/domain/trace/payload/stack.ts";

const python = `Traceback (most recent call last):
  File "/srv/app.py", line 12, in call
    return client.get(path)
  File "/usr/lib/python3.12/site-packages/httpx/_client.py", line 88, in get
    return self.request(path)
           ^^^^^^^^^^^^^^^^^^
  File "/usr/lib/python3.12/site-packages/httpx/_send.py", line 9, in send
    raise Timeout
httpx.Timeout: too slow`;
const javascript = `TypeError: x is not a function
    at answer (/srv/desk.ts:4:11)
    at run (/srv/node_modules/p-queue/index.js:10:3)
    at async next (/srv/node_modules/p-queue/index.js:40:3)
    at processTicksAndRejections (node:internal/process/task_queues:95:5)
    at main (/srv/main.ts:1:1)`;
const java = `java.lang.IllegalStateException: closed
\tat com.acme.Desk.answer(Desk.java:10)
\tat java.base/java.lang.Thread.run(Thread.java:840)
\tat org.springframework.web.Servlet.service(Servlet.java:1)
\tat org.springframework.web.Filter.chain(Filter.java:2)`;

describe("a stack trace", () => {
  test.each([
    ["Python", python, [0, 1, 2, 0], [2]],
    ["JavaScript", javascript, [0, 1, 3, 1], [3]],
    ["Java", java, [0, 1, 3], [3]],
  ] as const)("%s: frames of libraries are told apart", (_, stackTrace, frames, library) => {
    const parts = stackParts(stackTrace);
    expect(parts.map((part) => part.frames)).toEqual([...frames]);
    expect(parts.filter((part) => part.library).map((part) => part.frames)).toEqual([...library]);
    expect(parts.map((part) => part.text).join("\n")).toBe(stackTrace);
  });

  test("of nothing but library frames, and a text without frames, stay whole", () => {
    const only = python.split("\n").toSpliced(1, 2).join("\n");
    for (const text of [only, "it broke", ""]) expect(stackParts(text).map((part) => part.text)).toEqual([text]);
  });
});

describe("what was sent to a model", () => {
  const sent = (...roles: readonly string[]) => {
    const messages = messagesIn(roles.map((role, at) => ({ role, content: `${role} ${at}` })))!;
    const { system, earlier, asked, since } = sentOf(linesOf(messages));
    const places = (lines: readonly { readonly position: number }[]) => lines.map(({ position }) => position);
    return [places(system), places(earlier), asked?.position, places(since)];
  };

  test("is the system message, the history, the question, and what was done since", () => {
    expect(sent("system", "user", "assistant", "user")).toEqual([[0], [1, 2], 3, []]);
    expect(sent("system", "developer", "user", "assistant", "tool")).toEqual([[0, 1], [], 2, [3, 4]]);
    expect(sent("user")).toEqual([[], [], 0, []]);
  });

  test("without words of a user the last message is what is asked", () => {
    expect(sent("system", "assistant", "tool")).toEqual([[0], [1], 2, []]);
    expect(sent("system")).toEqual([[0], [], undefined, []]);
  });

  test("has a size: bytes of all, lines where all of it is known", () => {
    const messages = messagesIn([{ role: "system", content: "one\ntwö" }])!;
    expect(sizeOfMessages(messages)).toEqual({ bytes: 8, lines: 2 });
    const cut = messages.map((message) => ({
      ...message,
      parts: [{ type: "text" as const, excerpt: { text: "one", place: null, wholeBytes: 90_000 } }],
    }));
    expect(sizeOfMessages(cut)).toEqual({ bytes: 90_000, lines: null });
  });
});
