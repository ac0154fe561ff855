// The calls of the public pages. Each resolves to what went wrong as a sentence for people, or to null.
import { noteSignIn } from "../../lib/session.ts";
import { text } from "../../texts/texts.ts";

type Answer = Response | null;

export async function signIn(email: string, password: string): Promise<string | null> {
  const answer = await post("auth/login", { email: email.trim().toLowerCase(), password });
  if (answer?.ok) {
    noteSignIn();
    return null;
  }
  if (answer?.status === 401) return text("login.wrong");
  if (answer?.status === 403) {
    // In one word that passwords are switched off, else at length what the operator must set.
    const body = await answer.text();
    return body === "Forbidden" ? text("login.off") : body;
  }
  return troubleOf(answer);
}

/** Why a directory refuses sign-ins is for its administrator, who finds it by the number. */
export async function signInByDirectory(username: string, password: string): Promise<string | null> {
  const answer = await post("auth/ldap/login", { username: username.trim(), password });
  if (answer?.ok) {
    noteSignIn();
    return null;
  }
  const withReference = (problem: string) =>
    `${problem} ${text("login.reference", { reference: answer?.headers.get("x-request-id") ?? "" })}`;
  if (answer?.status === 401) return withReference(text("login.directory.wrong"));
  if (answer?.status === 503) return withReference(text("login.directory.unavailable"));
  if (answer?.status === 403) return answer.text();
  return troubleOf(answer);
}

export async function askForResetMail(email: string): Promise<string | null> {
  const answer = await post("auth/password-reset-email", { email: email.trim().toLowerCase() });
  return answer?.ok ? null : troubleOf(answer);
}

export async function setPasswordByLink(token: string, password: string): Promise<string | null> {
  const answer = await post("auth/password-reset", { token, password });
  if (answer?.ok) return null;
  if (answer?.status === 401) return text("reset.invalid");
  if (answer?.status === 422) return answer.text();
  return troubleOf(answer);
}

async function post(path: string, body: unknown): Promise<Answer> {
  const headers = { "content-type": "application/json" };
  return fetch(path, { method: "POST", headers, body: JSON.stringify(body) }).catch(() => null);
}

/** What can happen to every call. */
async function troubleOf(answer: Answer): Promise<string> {
  if (answer === null) return text("kit.failed.unreachable");
  if (answer.status !== 429) return text("login.failed", { status: answer.status });
  const minutes = Math.max(1, Math.ceil(Number(answer.headers.get("retry-after") ?? 0) / 60));
  const lockedOut = (await answer.text()).startsWith("Too many failed");
  return lockedOut ? text("login.locked", { count: minutes }) : text("login.busy", { count: minutes });
}
