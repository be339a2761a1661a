import { MorselError } from "./error.js";
import type { EstimateEvent } from "./types.js";

const KNOWN = ["start", "item", "totals", "done"];

/** Cuts the text of a stream of Server-Sent Events into events. The data of an event is one line of JSON. */
export class EventReader {
  #rest = "";
  #isDone = false;

  /** Returns the events that are complete with this text. Throws the error that the server reports. */
  *feed(text: string): Generator<EstimateEvent> {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) {
      if (!line.startsWith("data:")) continue;
      const event = JSON.parse(line.slice("data:".length));
      if (event.type === "error") {
        throw new MorselError(event.error, { code: event.code, requestId: event.request_id });
      }
      // A newer server may send more kinds of events.
      if (!KNOWN.includes(event.type)) continue;
      this.#isDone = event.type === "done";
      yield event;
    }
  }

  /** Throws an error if the stream ended too early. */
  finish(): void {
    if (this.#isDone) return;
    throw new MorselError("The stream ended before the estimate was complete.", { code: "incomplete_stream" });
  }
}
