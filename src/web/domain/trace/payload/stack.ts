// A stack trace as its frames, split into own and library code: those of libraries matter last.

interface StackPart {
  readonly library: boolean;
  /** Frames of it; 0 for other lines, such as the message. */
  readonly frames: number;
  readonly text: string;
}

/** A line that begins a frame, by language: Python, JavaScript, Java and Kotlin, Ruby, Go. */
const frameStarts = [/^\s*File ".*", line \d+/, /^\s*at .+[\w>)\]]\s*$/, /^\s*from .+:\d+:in /, /^\s+\S+\.go:\d+/];
const library =
  /[/\\](?:site-packages|dist-packages|node_modules|gems|vendor)[/\\]|[/\\]lib[/\\]python\d|<frozen |\bnode:|\bnative code\b|[/\\]pkg[/\\]mod[/\\]|^\s*at (?:java|javax|jdk|sun|kotlin|org\.springframework|io\.netty)\./;
/** Fewer frames are not worth a fold. */
const FEWEST = 2;

/** Nothing is lost: joined by line breaks the parts are the text. */
export function stackParts(stackTrace: string): StackPart[] {
  const found: { library: boolean; frames: number; lines: string[] }[] = [];
  for (const line of stackTrace.split("\n")) {
    const begins = frameStarts.some((start) => start.test(line));
    const last = found.at(-1);
    // Code and marks below a frame belong to it; what begins at the margin does not.
    const belongs = last !== undefined && last.frames > 0 && !begins && /^\s+\S/.test(line);
    const isLibrary = begins ? library.test(line) : belongs && last.library;
    const kind = begins || belongs ? 1 : 0;
    if (last !== undefined && last.library === isLibrary && Math.min(1, last.frames) === kind) {
      last.lines.push(line);
      if (begins) last.frames++;
    } else found.push({ library: isLibrary, frames: kind, lines: [line] });
  }
  const parts = found.map(({ lines, ...part }) => ({ ...part, text: lines.join("\n") }));
  // Where all is library code, all of it is shown.
  if (!parts.some((part) => part.frames > 0 && !part.library)) return [{ library: false, frames: 0, text: stackTrace }];
  return parts.map((part) => (part.library && part.frames < FEWEST ? { ...part, library: false } : part));
}
