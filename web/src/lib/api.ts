/** HTTP as the server describes it: one function, typed by method and path. */

import type { Api } from "./types/server";

type Part<Key extends keyof Api, Name extends string> = Api[Key] extends Record<Name, infer Found> ? Found : undefined;
type Asked<Key extends keyof Api> = {
  path?: Part<Key, "path">;
  query?: Api[Key] extends { query?: infer Query } ? Query : undefined;
  body?: Api[Key] extends { body?: infer Body } ? Body : undefined;
};

/** What the server says when it does not do what was asked (RFC 9457). */
export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    reason: string,
    readonly retryAfter: number | null,
  ) {
    super(reason);
  }
}

/** Asks the server: `ask("POST /api/tables", { body })`. */
export async function ask<Key extends keyof Api>(what: Key, asked: Asked<Key> = {}): Promise<Api[Key]["answer"]> {
  const [method, template] = what.split(" ") as [string, string];
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String((asked.path as Record<string, unknown> | undefined)?.[name])),
  );
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries((asked.query as Record<string, unknown> | undefined) ?? {}))
    if (value !== undefined && value !== null) query.set(name, String(value));
  const answer = await fetch(path + (query.size > 0 ? `?${query}` : ""), {
    method,
    headers: asked.body === undefined ? {} : { "content-type": "application/json" },
    body: asked.body === undefined ? null : JSON.stringify(asked.body),
  }).catch(lost);
  if (!answer.ok) throw await problem(answer);
  if (answer.status === 204) return null as Api[Key]["answer"];
  const kind = answer.headers.get("content-type") ?? "";
  return (await (kind.includes("json") ? answer.json() : answer.text()).catch(lost)) as Api[Key]["answer"];
}

/** The connection has not held, before the answer or in the middle of it. */
function lost(): never {
  throw new Problem(0, "unreachable", "the server cannot be reached", null);
}

async function problem(answer: Response): Promise<Problem> {
  const said = (await answer.json().catch(() => ({}))) as Record<string, unknown>;
  const wait = Number(answer.headers.get("retry-after"));
  return new Problem(
    answer.status,
    String(said["code"] ?? said["title"] ?? answer.statusText),
    String(said["detail"] ?? said["title"] ?? answer.statusText),
    Number.isFinite(wait) && wait > 0 ? wait : null,
  );
}
