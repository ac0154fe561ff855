// Server-sent events of runs of the playground, read as programs read them.
import { EventSourceParserStream } from "eventsource-parser/stream";

export interface RunEvent {
  readonly name: string;
  readonly data: Readonly<Record<string, unknown>> & { readonly variant?: number; readonly repetition?: number };
}

/** Events as they come; comments are left out. */
export async function* readRunEvents(response: Response): AsyncGenerator<RunEvent, void, undefined> {
  const events = response.body!.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
  for await (const { event = "message", data } of events)
    yield { name: event, data: JSON.parse(data) as RunEvent["data"] };
}
