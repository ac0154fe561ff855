// Entry point of the block worker: a compiled binary resolves worker files beside its own entry point only.
import "./blocks/block-thread.ts";
