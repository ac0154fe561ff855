// Server-sent events of an answer, as they come.
import { createParser } from "eventsource-parser";
import { unreachable } from "./failure.ts";

interface ServerEvent {
  readonly name: string;
  readonly data: string;
}

/** Comments are left out. Throws when the connection breaks off. */
export async function* readServerEvents(response: Response): AsyncGenerator<ServerEvent, void, undefined> {
  const waiting: ServerEvent[] = [];
  const parser = createParser({
    onEvent: ({ event = "message", data }) => void waiting.push({ name: event, data }),
  });
  const decoder = new TextDecoder();
  const reader = response.body!.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        throw unreachable(error);
      });
      if (done) return;
      parser.feed(decoder.decode(value, { stream: true }));
      yield* waiting.splice(0);
    }
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}
