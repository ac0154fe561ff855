// What lists show of inputs and outputs that are JSON, cut at a hundred characters.
import { expect, test } from "bun:test";
import { plainLine, readablePreview } from "../../../src/web/domain/trace/payload/preview.ts";

test.each([
  ["plain text", "Where is it?", "Where is it?"],
  ["a question", '{"question": "Where is it?", "locale": "en"}', "Where is it?"],
  ["a text that is cut", '{"input": "Where is my parc', "Where is my parc"],
  ["an escape that is cut", '{"input": "First\\nSecond \\u00e', "First\nSecond "],
  ["quotes inside", '{"answer": "Say \\"hello\\" twice", "n": 2}', 'Say "hello" twice'],
  ["messages", '{"messages": [{"role": "user", "content": "Where is it?"}, {"role": "assis', "Where is it?"],
  ["messages of another library", '[{"type": "human", "id": null, "content": "Where is it?"}]', "Where is it?"],
  [
    "the person after the system",
    '[{"role": "system", "content": "Be kind."}, {"role": "user", "content": "Where is',
    "Where is",
  ],
  ["content before the role", '{"messages": [{"content": "Where is it?", "role": "user"}]}', "Where is it?"],
])("%s", (_name, head, shown) => {
  expect(readablePreview(head)).toBe(shown);
});

test("an output shows who answers, never who asked", () => {
  const history = '{"messages": [{"role": "user", "content": "Where?"}, ';
  expect(readablePreview(`${history}{"role": "assistant", "content": "Here`, "output")).toBe("Here");
  expect(readablePreview(history, "output")).toBe(history);
  expect(readablePreview('{"answer": "Here."}', "output")).toBe("Here.");
});

test.each([
  '{"rows": [1, 2, 3]}',
  '{"input": ""}',
  '[{"role": "system", "content": "You are a helpful',
  '{"result": {"deep": "text"}}',
  "[not json",
])("is %s itself where no text is found", (head) => {
  expect(readablePreview(head)).toBe(head);
});

test.each([
  ["# Title\n\nSome **bold** and *soft* words", "Title Some bold and soft words"],
  ["- one\n- [ ] two\n* three", "one two three"],
  ["See [the guide](https://a.example/b) and `code`", "See the guide and code"],
  ["```python\nprint(1)\n```", "print(1)"],
  ["> quoted\n\n---\n\nrest", "quoted rest"],
  ["2 * 3 * 4 and snake_case_name and __init__", "2 * 3 * 4 and snake_case_name and __init__"],
])("Markdown %j is read as one plain line", (markdown, line) => {
  expect(plainLine(markdown)).toBe(line);
});
