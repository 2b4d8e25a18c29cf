/** A real server with its own data, and a real browser that looks at it. */

import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

import sparticuz from "@sparticuz/chromium";
import { chromium, type Browser, type Page } from "playwright-core";

const ROOT = resolve(import.meta.dirname, "../../..");
/** What suits a cloud function and no browser test: one process for all, and no borders between sites. */
const UNWANTED = new Set(["--single-process", "--disable-web-security", "--allow-running-insecure-content"]);

export const DESK = { width: 1440, height: 900 };
export const PHONE = { width: 390, height: 844 };

export interface Looks {
  phone?: boolean;
  dark?: boolean;
  language?: string;
  still?: boolean;
  /** This test answers for the server: no worker of the page stands between. */
  routed?: boolean;
}

/** A browser; one in some tens crashes before it has begun, so a few are tried. */
async function launch(tries = 3): Promise<Browser> {
  const options = {
    executablePath: await sparticuz.executablePath(),
    args: sparticuz.args.filter((argument) => !UNWANTED.has(argument)),
  };
  return chromium.launch(options).catch((error: unknown) => {
    if (tries === 1) throw error;
    return launch(tries - 1);
  });
}

export class House {
  #server: ChildProcess | null = null;
  readonly #data = mkdtempSync(join(tmpdir(), "zashiki-browser-"));
  #browser: Browser | null = null;
  port = 0;
  /** What went wrong in any page. */
  readonly faults: string[] = [];
  readonly #more: string[];

  /** `more`: what the host adds to the command line. */
  constructor(...more: string[]) {
    this.#more = more;
  }

  get address(): string {
    return `http://localhost:${this.port}`;
  }

  async open(): Promise<this> {
    this.port = await freePort();
    await this.start();
    this.#browser = await launch();
    return this;
  }

  async start(): Promise<void> {
    const python = [join(ROOT, ".venv/bin/python"), process.env["PYTHON"] ?? "python3"].find((each) => !each.includes("/") || existsSync(each)) as string;
    const options = ["--data", this.#data, "--port", String(this.port), "--no-browser", "--limits", "100", ...this.#more];
    this.#server = spawn(python, ["-m", "zashiki.cli", "serve", ...options], {
      cwd: ROOT,
      env: { ...process.env, PYTHONPATH: join(ROOT, "src") },
      stdio: "ignore",
    });
    const deadline = Date.now() + 60_000;
    while (!(await fetch(`${this.address}/readyz`).then((answer) => answer.ok, () => false))) {
      if (Date.now() > deadline) throw new Error("the server does not come up");
      await pause(100);
    }
  }

  /** Pulls the plug. */
  async kill(): Promise<void> {
    const server = this.#server;
    if (server === null) return;
    const gone = new Promise((done) => server.once("exit", done));
    server.kill("SIGKILL");
    await gone;
    this.#server = null;
  }

  /** Somebody new with a browser of their own. */
  async visitor({ phone = false, dark = false, language = "en", still = true, routed = false }: Looks = {}): Promise<Page> {
    if (this.#browser === null) throw new Error("the house is not open");
    const context = await this.#browser.newContext({
      baseURL: this.address,
      viewport: phone ? PHONE : DESK,
      hasTouch: phone,
      colorScheme: dark ? "dark" : "light",
      locale: language,
      reducedMotion: still ? "reduce" : "no-preference",
      serviceWorkers: routed ? "block" : "allow",
    });
    const page = await context.newPage();
    page.on("pageerror", (error) => this.faults.push(error.message));
    page.on("console", (message) => {
      // While the server is away the browser itself complains; whatever else it says is a fault.
      if (message.type() === "error" && !/ERR_CONNECTION|WebSocket connection|Failed to load resource/.test(message.text())) this.faults.push(message.text());
    });
    return page;
  }

  /** An empty page without anybody's policy, to work on pictures. */
  async easel(): Promise<Page> {
    if (this.#browser === null) throw new Error("the house is not open");
    return (await this.#browser.newContext()).newPage();
  }

  async close(): Promise<void> {
    await this.#browser?.close();
    await this.kill();
    rmSync(this.#data, { recursive: true, force: true });
  }
}

/** A table made over HTTP by whoever looks at this page; gives its address. */
export async function lay(page: Page, table: Record<string, unknown>): Promise<string> {
  if (page.url() === "about:blank") {
    await page.goto("/");
    await page.locator("h1").waitFor();
  }
  const made = await page.evaluate(async (body) => {
    const answer = await fetch("/api/tables", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
    return (await answer.json()) as { table?: string; detail?: string };
  }, table);
  if (made.table === undefined) throw new Error(made.detail);
  return `/table/${made.table}`;
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((done) => setTimeout(done, milliseconds));
}

function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const server = createServer();
    server.once("error", fail);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => (typeof address === "object" && address ? done(address.port) : fail(new Error("no port"))));
    });
  });
}
