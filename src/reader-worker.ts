// Entry point of a reader thread: short reads on a SQLite file. The path of the file comes with the first message.
import { parentChannel, serveLink } from "./kernel/link.ts";
import { serveReader } from "./storage/sqlite/reader-process.ts";

serveLink(parentChannel(), serveReader().handlers);
