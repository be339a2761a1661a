// The “Try it” form of an endpoint's page: sends the request and shows the response as it arrives. Signed-in users send it
// with their session, through the dashboard; others with a key, which stays in this tab's session storage.
(() => {
  "use strict";

  const form = document.querySelector(".try form");
  const outcome = document.querySelector(".outcome");
  const send = form.querySelector("button");
  const keyField = document.getElementById("key");
  const maxShown = 100_000;

  if (keyField) {
    try { keyField.value = sessionStorage.getItem("key") ?? ""; } catch { /* storage is blocked: enter it again */ }
    keyField.addEventListener("input", () => {
      try { sessionStorage.setItem("key", keyField.value.trim()); } catch { /* storage is blocked: for this page only */ }
    });
  }

  const element = (name, text, className) => {
    const made = document.createElement(name);
    made.textContent = text;
    if (className) made.className = className;
    return made;
  };

  const request = () => {
    let path = form.dataset.path;
    const query = new URLSearchParams();
    const headers = { Accept: "application/json, */*;q=0.5" };
    if (keyField) headers.Authorization = `Bearer ${keyField.value.trim()}`;
    let body;
    for (const field of form.querySelectorAll("[data-place]")) {
      const value = field.value.trim();
      switch (field.dataset.place) {
        case "path": path = path.replace(`{${field.name}}`, encodeURIComponent(value)); break;
        case "query": if (value) query.set(field.name, value); break;
        case "header": if (value) headers[field.name] = value; break;
        case "body": body = field.value; headers["Content-Type"] = "application/json"; break;
      }
    }
    const search = query.toString();
    // The API accepts keys only, and the dashboard sessions only.
    const credentials = keyField ? "omit" : "same-origin";
    return [path + (search ? `?${search}` : ""), { method: form.dataset.method, headers, body, credentials }];
  };

  const pretty = (text) => {
    try { return JSON.stringify(JSON.parse(text), null, 2); } catch { return text; }
  };

  const show = async (response, started) => {
    const type = response.headers.get("Content-Type") ?? "";
    const pre = document.createElement("pre");
    pre.tabIndex = 0;
    const line = element("div", "", "line");
    line.append(element("span", `${response.status} ${response.statusText}`, response.ok ? "badge good" : "badge bad"));
    const took = element("span", "", "muted small");
    line.append(took);
    outcome.replaceChildren(line, pre);
    if (type.startsWith("image/")) {
      const image = document.createElement("img");
      image.alt = "The photo in the response";
      image.src = URL.createObjectURL(await response.blob());
      pre.replaceWith(image);
    } else {
      let text = "";
      for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
        text += piece;
        pre.textContent = text.slice(0, maxShown);
      }
      pre.textContent = (type.includes("json") ? pretty(text) : text).slice(0, maxShown);
    }
    const explained = /<([^>]+)>; rel="help"/.exec(response.headers.get("Link") ?? "");
    if (explained) {
      const link = element("a", "What this error means", "small");
      link.href = explained[1];
      line.append(link);
    }
    took.textContent = `${Math.round(performance.now() - started)} ms`;
    const details = element("details", "", "more");
    const headers = element("pre", [...response.headers].map(([name, value]) => `${name}: ${value}`).join("\n"));
    headers.tabIndex = 0;
    details.append(element("summary", "Headers"), headers);
    outcome.append(details);
  };

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (keyField && !keyField.value.trim()) {
      outcome.replaceChildren(element("p", "Enter an API key above, or sign in.", "error"));
      keyField.focus();
      return;
    }
    send.disabled = true;
    const started = performance.now();
    try {
      const [path, options] = request();
      await show(await fetch(path, options), started);
    } catch (error) {
      outcome.replaceChildren(element("p", `The request failed: ${error.message}. Is the server running?`, "error"));
    } finally {
      send.disabled = false;
    }
  });
})();
