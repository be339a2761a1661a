import { MorselError, errorOfResponse, errorOfTransport } from "./error.js";
import type { RateLimit } from "./types.js";

/** The settings of a client. */
export interface ClientOptions {
  /** The URL of the server; by default that in `MORSEL_URL`, else `http://127.0.0.1:8080`. */
  baseUrl?: string;
  /** The API key; by default that in `MORSEL_API_KEY`. */
  apiKey?: string;
  /** Milliseconds for a response, and for each wait for more of a stream; by default 60,000. */
  timeout?: number;
  /** How often a request that failed for a reason that may pass is sent again; by default 2. */
  maxRetries?: number;
  /** What sends requests; by default the global `fetch`. */
  fetch?: typeof globalThis.fetch;
}

/** A request. */
export interface Call {
  method: "GET" | "POST" | "PUT" | "DELETE";
  path: string;
  query?: Record<string, string | number | undefined>;
  body?: unknown;
  signal?: AbortSignal | undefined;
}

/** If the server asks for a longer wait, in seconds, the request is not sent again. */
const MAX_WAIT = 60;

/** Sends requests, and sends them again when they fail for a reason that may pass. */
export class Transport {
  rateLimit: RateLimit | undefined;
  readonly baseUrl: string;
  readonly #apiKey: string | undefined;
  readonly #timeout: number;
  readonly #maxRetries: number;
  readonly #fetch: typeof globalThis.fetch;

  constructor(options: ClientOptions) {
    this.baseUrl = (options.baseUrl ?? environment("MORSEL_URL") ?? "http://127.0.0.1:8080").replace(/\/+$/, "");
    this.#apiKey = (options.apiKey ?? environment("MORSEL_API_KEY"))?.trim();
    this.#timeout = options.timeout ?? 60_000;
    this.#maxRetries = options.maxRetries ?? 2;
    // The global function must not be called as a method.
    this.#fetch = options.fetch ?? ((...request) => globalThis.fetch(...request));
  }

  /** Sends a request and returns the JSON of its response. */
  async json<T>(call: Call): Promise<T> {
    return this.#send(call, async (response, watchdog) => {
      const body = await response.json();
      watchdog.stop();
      return body;
    });
  }

  /** Sends a request and returns the text of its response, piece by piece. */
  async *text(call: Call): AsyncGenerator<string> {
    const [reader, watchdog] = await this.#send(call, async (response, watchdog) => {
      if (!response.body) throw new SyntaxError("an empty response");
      return [response.body.getReader(), watchdog] as const;
    });
    const decoder = new TextDecoder();
    try {
      while (true) {
        watchdog.restart();
        const { done, value } = await reader.read().catch((cause) => Promise.reject(watchdog.errorOf(cause)));
        if (done) return;
        yield decoder.decode(value, { stream: true });
      }
    } finally {
      watchdog.stop();
      await reader.cancel().catch(() => {});
    }
  }

  async #send<T>(call: Call, read: (response: Response, watchdog: Watchdog) => Promise<T>): Promise<T> {
    const [url, init] = this.#request(call);
    for (let attempt = 0; ; attempt++) {
      const watchdog = new Watchdog(this.#timeout, call.signal);
      try {
        const response = await this.#fetch(url, { ...init, signal: watchdog.signal });
        this.#noteRateLimit(response.headers);
        if (!response.ok) throw await errorOfResponse(response);
        return await read(response, watchdog);
      } catch (cause) {
        watchdog.stop();
        await sleep(this.#waitBeforeRetry(attempt, watchdog.errorOf(cause)), call.signal);
      }
    }
  }

  /** Makes the request of a call. Sent again, it has the same idempotency key, so that it is executed once. */
  #request(call: Call): [string, RequestInit] {
    const headers: Record<string, string> = {};
    if (this.#apiKey) headers["authorization"] = `Bearer ${this.#apiKey}`;
    if (call.body !== undefined) headers["content-type"] = "application/json";
    if (call.method === "POST") headers["idempotency-key"] = randomName();
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(call.query ?? {})) {
      if (value !== undefined) query.set(name, String(value));
    }
    const url = [this.baseUrl + call.path, query.toString()].filter(Boolean).join("?");
    const body = call.body === undefined ? null : JSON.stringify(call.body);
    return [url, { method: call.method, headers, body, redirect: "manual" }];
  }

  #noteRateLimit(headers: Headers): void {
    const [limit, remaining, reset] = ["limit", "remaining", "reset"].map((name) => headers.get(`x-ratelimit-${name}`));
    if (limit && remaining && reset) {
      this.rateLimit = { limit: Number(limit), remaining: Number(remaining), reset: Number(reset) };
    }
  }

  /** Returns the milliseconds to wait before the next attempt. Throws the error if there is none. */
  #waitBeforeRetry(attempt: number, error: unknown): number {
    if (!(error instanceof MorselError) || !error.isTemporary || attempt >= this.#maxRetries) throw error;
    const asked = error.retryAfter ?? 0;
    if (asked > MAX_WAIT) throw error;
    const backoff = Math.min(0.5 * 2 ** attempt, 8);
    // Many clients that were refused together should not come back together.
    return 1000 * (asked + backoff * (0.5 + Math.random() / 2));
  }
}

/** Aborts a request that takes too long, or whose caller cancels it. */
class Watchdog {
  readonly #controller = new AbortController();
  readonly #timeout: number;
  readonly #caller: AbortSignal | undefined;
  readonly #cancel = () => this.#controller.abort(this.#caller?.reason);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isTimeout = false;

  constructor(timeout: number, caller: AbortSignal | undefined) {
    this.#timeout = timeout;
    this.#caller = caller;
    if (caller?.aborted) this.#cancel();
    caller?.addEventListener("abort", this.#cancel);
    this.restart();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  restart(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#isTimeout = true;
      this.#controller.abort();
    }, this.#timeout);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener("abort", this.#cancel);
  }

  /** Returns what to throw for something that went wrong. What the caller canceled has the caller's own reason. */
  errorOf(cause: unknown): unknown {
    if (this.#caller?.aborted) return this.#caller.reason;
    return cause instanceof MorselError ? cause : errorOfTransport(cause, this.#isTimeout);
  }
}

async function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(end, milliseconds);
    function end() {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    }
    signal?.addEventListener("abort", end);
  });
  signal?.throwIfAborted();
}

function environment(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env?.[name] || undefined;
}

/** Returns a random name. Pages that are not served by HTTPS have no `crypto.randomUUID`, and Node 18 has no `crypto`. */
function randomName(): string {
  const bytes = globalThis.crypto?.getRandomValues(new Uint8Array(16)) ?? Array.from({ length: 16 }, () => Math.random() * 256);
  return Array.from(bytes, (byte) => Math.floor(byte).toString(16).padStart(2, "0")).join("");
}
