// A real OpenID Connect provider (the npm package oidc-provider) for scripts/oidc-check: one client, and a person for every
// address that is typed in its sign-in form. Addresses that start with "unverified" are not verified.
//
//   node scripts/oidc-provider.mjs PORT REDIRECT_URI ALGORITHM
//
// Its form of development mode is used, which asks for nothing but a name.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const require = createRequire(`${process.env.OIDC_PROVIDER_FOLDER}/`);
const { Provider } = await import(pathToFileURL(require.resolve("oidc-provider")).href);
const [port, redirect, algorithm] = process.argv.slice(2);
const issuer = `http://127.0.0.1:${port}`;

const { generateKeyPairSync } = await import("node:crypto");
const kind = algorithm === "ES256" ? ["ec", { namedCurve: "P-256" }] : ["rsa", { modulusLength: 2048 }];
const key = generateKeyPairSync(...kind).privateKey.export({ format: "jwk" });

const provider = new Provider(issuer, {
  clients: [{
    client_id: "morsel",
    client_secret: "a secret with spaces & signs",
    redirect_uris: [redirect],
    grant_types: ["authorization_code"],
    response_types: ["code"],
    id_token_signed_response_alg: algorithm,
  }],
  jwks: { keys: [{ ...key, use: "sig", kid: "first", alg: algorithm }] },
  cookies: { keys: ["not a secret: this provider is for tests"] },
  claims: { openid: ["sub"], email: ["email", "email_verified"] },
  // Claims of scopes are in the user information only, as the standard has it, unless the token should have them too.
  conformIdTokenClaims: process.env.OIDC_CLAIMS !== "token",
  pkce: { required: () => true },
  features: { devInteractions: { enabled: true } },
  findAccount: (_, id) => ({
    accountId: id,
    claims: () => ({ sub: id, email: id, email_verified: !id.startsWith("unverified") }),
  }),
});
provider.listen(Number(port), "127.0.0.1", () => console.log("ready"));
