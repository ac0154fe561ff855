// Answers to GraphQL in parts, read as they come.

/** The JSON of each part, as soon as the boundary behind it has arrived. Fails for a part that is not as it should be. */
export async function* readParts(response: Response): AsyncGenerator<unknown, void, undefined> {
  const decoder = new TextDecoder();
  let text = "";
  let isBegun = false;
  for await (const bytes of response.body!) {
    text += decoder.decode(bytes, { stream: true });
    for (let end = text.indexOf("--graphql"); end >= 0; end = text.indexOf("--graphql")) {
      const part = text.slice(0, end);
      text = text.slice(end + "--graphql".length);
      if (isBegun) yield partJson(part);
      else if (part !== "") throw new Error(`The answer begins with ${JSON.stringify(part)}`);
      isBegun = true;
    }
  }
  if (text !== "--\r\n") throw new Error(`The answer ends with ${JSON.stringify(text)}`);
}

const PART = /^\r\nContent-Type: application\/json; charset=utf-8\r\nContent-Length: (\d+)\r\n\r\n(.*)\r\n$/s;

function partJson(part: string): unknown {
  const [, length, body = ""] = PART.exec(part) ?? [];
  if (length === undefined || Number(length) !== Buffer.byteLength(body))
    throw new Error(`No part: ${JSON.stringify(part)}`);
  return JSON.parse(body);
}
