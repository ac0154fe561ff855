// The frames of a stack trace that belong to the program: file and function, without lines, without folders of a build, and without
// frames of libraries and of the runtime. Python, JavaScript, Java and Kotlin, C#, Go, Ruby, PHP and Rust.
import { createLastUsed } from "../../kernel/last-used.ts";

/** UTF-16 units of a stack trace that are read, half of them from each end: the raising frame is at one of them. */
const MOST_READ = 32_000;
/** UTF-16 units of a line that may be a frame. */
const LONGEST_LINE = 1000;
/** Frames of a program that tell failures apart. */
const MOST_FRAMES = 50;

interface Frame {
  readonly place: string;
  readonly function: string;
}

/** Each line of a language's stack trace: where, and in which function. */
const readers: readonly ((line: string, before: string) => Frame | null)[] = [
  (line) => framed(/^\s*File "([^"]+)", line \d+(?:, in (.+))?/, line),
  // Rust: the function stands on the line before.
  (line, before) => {
    const found = /^\s+at (\S+\.rs):\d+/.exec(line);
    const name = /^\s*\d+: (.+?)(?:::h[0-9a-f]{16})?$/.exec(before)?.[1];
    return found === null ? null : { place: found[1]!, function: name ?? "" };
  },
  // JavaScript: `at name (file:1:2)` and `at file:1:2`.
  (line) => {
    const found =
      /^\s*at (?:async )?(?:(.+?) \()?((?:[A-Za-z]:|[a-z-]{2,20}:\/\/[^/\s]*)?[^():\s]*[^():\s\d][^():]*):\d+(?::\d+)?\)?$/.exec(
        line,
      );
    return found === null ? null : { place: found[2]!, function: found[1] ?? "" };
  },
  // Java: `at a.b.Type.method(File.java:1)`. The type names the place.
  (line) => {
    const found = /^\s*at ((?:[\w$]+\.)+)([\w$<>]+)\((?:[\w.]+:\d+|Native Method|Unknown Source)\)/.exec(line);
    return found === null ? null : { place: found[1]!.slice(0, -1), function: found[2]! };
  },
  // C#: `at A.B.Method(String x) in /src/File.cs:line 1`.
  (line) => {
    const found = /^\s*at ((?:[\w`<>+]+\.)+)([\w`<>|.[\]]+)\([^)]*\)(?: in .+:line \d+)?$/.exec(line);
    return found === null ? null : { place: found[1]!.slice(0, -1), function: found[2]! };
  },
  // Go: the function stands on the line before.
  (line, before) => {
    const found = /^\s+(\S+\.go):\d+(?: \+0x[0-9a-f]+)?$/.exec(line);
    return found === null
      ? null
      : { place: found[1]!, function: /^(\S+)\(.*\)$/.exec(before)?.[1]?.split("/").at(-1) ?? "" };
  },
  (line) => framed(/^\s*(?:from )?(\S+\.rb):\d+:in [`'](?:.*[#.])?([^'`]+)'/, line),
  (line) => framed(/^#\d+ (\S+\.php)\(\d+\): ([\w\\:>-]+)/, line),
];

const LIBRARY =
  /[/\\](?:site-packages|dist-packages|node_modules|gems|vendor|\.cargo|rustc)[/\\]|[/\\]lib[/\\](?:python|ruby)[\d/\\]|<frozen |^<string>$|^(?:node|bun|deno|internal|native|ext):|^<anonymous>$|[/\\]pkg[/\\]mod[/\\]|[/\\]go[/\\]src[/\\]|^(?:java|javax|jakarta|jdk|sun|com\.sun|kotlin|kotlinx|scala|org\.(?:springframework|apache|eclipse|hibernate)|io\.(?:netty|grpc|reactivex)|reactor|okhttp3|System|Microsoft)(?:\.|$)/;

/** Folders that say where a program is installed, not which part of it this is. */
const INSTALLED_IN =
  /^(?:app|apps|src|home|users|usr|opt|srv|var|lib|code|work|workspace|workdir|project|projects|repo|dist|build|out|bin|tmp|www|html|task|function|functions|root|packages|current|release|releases|deploy|service|\.|\.\.|[A-Za-z]:|file:|webpack-internal:|)$/i;

/** Its frames in the order of the text, each once: a recursion of any depth is the same. As `folder/file:function`, or
 *  `Type:function` where types name places. */
export function programFrames(stackTrace: string): readonly string[] {
  const frames = new Set<string>();
  let before = "";
  for (const line of readPart(stackTrace).split("\n")) {
    const frame = programFrame(line, before);
    before = line;
    if (frame === null) continue;
    frames.add(frame);
    if (frames.size === MOST_FRAMES) break;
  }
  return [...frames];
}

function readPart(stackTrace: string): string {
  if (stackTrace.length <= MOST_READ) return stackTrace;
  return `${stackTrace.slice(0, MOST_READ / 2)}\n${stackTrace.slice(-MOST_READ / 2)}`;
}

function frameOf(line: string, before: string): Frame | null {
  for (const read of readers) {
    const frame = read(line, before);
    if (frame !== null) return frame;
  }
  return null;
}

function framed(pattern: RegExp, line: string): Frame | null {
  const found = pattern.exec(line);
  return found === null ? null : { place: found[1]!, function: found[2] ?? "" };
}

/** Lines of stack traces are few and come again and again. Null for a line that is no frame of the program. */
const known = createLastUsed<string, string | null>(10_000);
const MAY_BE_FRAME = /^\s*(?:File "|at |from |#\d)|\.(?:go|rb|rs):\d/;
/** Go and Rust write the function above the file. */
const NEEDS_LINE_BEFORE = /\.(?:go|rs):\d/;

function programFrame(line: string, before: string): string | null {
  if (!MAY_BE_FRAME.test(line) || line.length > LONGEST_LINE || before.length > LONGEST_LINE) return null;
  const key = NEEDS_LINE_BEFORE.test(line) ? `${before}\n${line}` : line;
  const found = known.find(key);
  if (found !== undefined) return found;
  const frame = frameOf(line.trimEnd(), before.trimEnd());
  const shown =
    frame === null || LIBRARY.test(frame.place) ? null : `${placeOf(frame.place)}:${functionOf(frame.function)}`;
  known.set(key, shown);
  return shown;
}

/** The file with its folder. A folder that differs from build to build is left out. */
function placeOf(place: string): string {
  const steps = place.replace(/[?#].*$/, "").split(/[/\\]/);
  const file = steps.at(-1)!.replace(/[$_]+\d+(?=\.|$)/g, "");
  const folder = steps.at(-2);
  return folder === undefined || INSTALLED_IN.test(folder) || /\d/.test(folder) ? file : `${folder}/${file}`;
}

/** Without numbers that the compiler gives, and without arguments. */
function functionOf(name: string): string {
  return name
    .replace(/\(.*\)$/, "")
    .replace(/\$\$Lambda.*$/, "lambda")
    .replace(/[$@/]?(?:0x)?\d+/g, "")
    .replace(/^(?:new|async|Object\.|Module\.) ?/, "")
    .trim();
}
