// The evaluation worker, a composition root: it runs rules of users that may take long, so that none of them keeps the main thread from
// answering. It is ended when one takes too long.
import { parentChannel, serveLink } from "../kernel/link.ts";
import { reportRejections } from "../kernel/rejections.ts";
import { judgeInThread } from "../modules/evaluation/evaluators/built-in/built-in-judge.rules.ts";

reportRejections(parentChannel());
serveLink(parentChannel(), { begin: () => null, judge: judgeInThread });
