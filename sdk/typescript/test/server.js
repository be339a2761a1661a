/** The servers of the tests: the real one, which `scripts/sdk-tests` starts, and an unreliable network in front of it. */

import { createServer, request } from "node:http";

/** @param {string} name */
function setting(name) {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set; run scripts/sdk-tests`);
  return value;
}

export const URL_OF_SERVER = setting("MORSEL_URL");
export const KEY = setting("MORSEL_API_KEY");
/** A key whose account may send three requests per minute. */
export const LIMITED_KEY = setting("MORSEL_TEST_LIMITED_KEY");
/** A photo of the barcode of a product that was imported. */
export const PHOTO = setting("MORSEL_TEST_PHOTO");
export const GTIN = "4006381333931";

/**
 * @typedef {import("node:http").IncomingMessage} Request
 * @typedef {import("node:http").ServerResponse} Response
 * @typedef {(request: Request, response: Response, body: Buffer) => unknown} Fault
 */

/**
 * Passes the request on to the real server, and its response back.
 * @type {Fault}
 */
const forward = async (request, response, body) => {
  const { status, headers, content } = await askServer(request, body);
  response.writeHead(status, headers).end(content);
};

/**
 * Refuses the request, as a proxy or an overloaded server does.
 * @param {number} status
 * @param {number} [retryAfter]
 * @returns {Fault}
 */
export const refuse = (status, retryAfter) => (_request, response) => {
  response.writeHead(status, retryAfter === undefined ? {} : { "retry-after": String(retryAfter) }).end("<h1>Sorry</h1>");
};

/**
 * Answers with this body.
 * @param {string} body
 * @returns {Fault}
 */
export const answer = (body) => (_request, response) => response.end(body);

/**
 * Closes the connection without a response.
 * @type {Fault}
 */
export const hangUp = (request) => request.socket.destroy();

/**
 * Passes the request on, and loses the response.
 * @type {Fault}
 */
export const loseResponse = async (request, _response, body) => {
  await askServer(request, body);
  request.socket.destroy();
};

/**
 * Never answers.
 * @type {Fault}
 */
export const staySilent = () => {};

/**
 * Sends the head of a response and the start of a body, and then nothing.
 * @param {string} start
 * @returns {Fault}
 */
export const stall = (start) => (_request, response) => response.write(start);

/**
 * @param {Request} incoming
 * @param {Buffer} body
 * @returns {Promise<{ status: number, headers: import("node:http").IncomingHttpHeaders, content: Buffer }>}
 */
function askServer(incoming, body) {
  return new Promise((resolve, reject) => {
    const { method, url, headers } = incoming;
    const outgoing = request(new URL(url ?? "/", URL_OF_SERVER), { method, headers }, async (response) => {
      const content = await read(response);
      const { connection: _, "transfer-encoding": __, ...kept } = response.headers;
      resolve({ status: response.statusCode ?? 0, headers: kept, content });
    });
    outgoing.on("error", reject).end(body);
  });
}

/** @param {Request} stream */
async function read(stream) {
  const pieces = [];
  for await (const piece of stream) pieces.push(piece);
  return Buffer.concat(pieces);
}

/**
 * A proxy in front of the real server. The first requests meet the given faults; the others pass.
 * @param {import("node:test").TestContext} test
 * @param {Fault[]} faults
 */
export async function startNetwork(test, ...faults) {
  /** @type {(string | undefined)[]} */
  const idempotencyKeys = [];
  const server = createServer(async (request, response) => {
    idempotencyKeys.push(request.headers["idempotency-key"]?.toString());
    const body = await read(request);
    await (faults.shift() ?? forward)(request, response, body);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  test.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = /** @type {import("node:net").AddressInfo} */ (server.address());
  return { url: `http://127.0.0.1:${address.port}`, idempotencyKeys, server };
}
