// Entry point of the block worker: a compiled binary resolves worker files beside its own entry point only.
import "./summaries/blocks/block-thread.ts";
