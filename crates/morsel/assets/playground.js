// The playground: sends the conversation and puts the result, which the server has drawn, into the page. It keeps the
// conversation so that it can be corrected in words, corrected in place, undone, shared as a link, or opened again.
(() => {
  "use strict";

  const $ = (id) => document.getElementById(id);
  const form = $("meal-form");
  const text = $("text");
  const here = form.getAttribute("action");
  const maxPhotoBytes = 10_000_000;
  const maxPhotos = 5;
  const maxHistory = 20;
  const maxLink = 4000;
  /** The conversation: {text, photos} each, where photos are {url, shown}: uploaded, and as the browser has it; or
   * {text, correction}, where correction is a content part and text says what it does. */
  let messages = [];
  /** The photos that will be sent: {file, shown}. */
  let photos = [];
  let isBusy = false;

  const element = (name, content, className) => {
    const made = document.createElement(name);
    if (className) made.className = className;
    if (typeof content === "string") made.textContent = content;
    else if (content) made.append(...content);
    return made;
  };
  const number = (value) => String(Math.round(value * 100) / 100);

  // The request.

  const content = ({ text, photos, correction }) => {
    if (correction) return [correction];
    if (!photos?.length) return text;
    const images = photos.map(({ url }) => ({ type: "image_url", image_url: { url } }));
    return [...images, ...(text ? [{ type: "text", text }] : [])];
  };
  const include = () => [...document.querySelectorAll("[name=include]:checked")].map((box) => box.value);
  const body = (conversation) => ({
    messages: conversation.map((said) => ({ role: "user", content: content(said) })),
    include: include(),
  });

  /** Sends a request of the page, and returns the response if it is a good one. */
  const call = async (path, options) => {
    const response = await fetch(`${here}/${path}`, { method: "POST", ...options });
    if (response.ok) return response;
    let error = {};
    try { error = await response.json(); } catch { /* not JSON: only the status is known */ }
    const problem = new Error(error.error ?? `The server returned an error (${response.status}).`);
    problem.hasEnded = response.status === 401;
    throw problem;
  };

  const estimate = async (conversation) => {
    const started = performance.now();
    const response = await call("estimate", { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body(conversation)) });
    const html = await response.text();
    return { html, took: performance.now() - started, id: response.headers.get("x-request-id") };
  };

  // The result.

  const showPhotos = (answer) => {
    const all = messages.flatMap((said) => said.photos ?? []);
    const place = answer.querySelector("[data-photos]");
    if (!place || all.length === 0) return;
    place.hidden = false;
    place.append(...all.map(({ shown }, index) => {
      const picture = element("img");
      picture.src = shown;
      picture.alt = all.length === 1 ? "Your photo" : `Your photo ${index + 1}`;
      const items = [...answer.querySelectorAll(`.item[data-image="${index + 1}"]`)];
      const list = element("ol", pins(items), "pins");
      list.setAttribute("aria-label", all.length === 1 ? "Foods in the photo" : `Foods in photo ${index + 1}`);
      return element("figure", items.length === 0 ? [picture] : [picture, list]);
    }));
  };

  /** Returns a pin for each item, where it was seen; those of items without a place are on the edge. */
  const pins = (items) => {
    const taken = [];
    return items.map((item) => {
      const pin = element("button", item.querySelector(".pin").textContent, "pin");
      pin.type = "button";
      pin.title = item.dataset.name;
      pin.setAttribute("aria-label", `${pin.textContent}: ${item.dataset.name}`);
      pin.addEventListener("click", () => item.focus());
      const place = element("li", [pin]);
      if (!item.dataset.region) return place;
      const [left, top, width, height] = item.dataset.region.split(" ").map(Number);
      let [x, y] = [left + width / 2, top + height / 2];
      // Pins must not cover each other.
      while (taken.some(([otherX, otherY]) => Math.abs(otherX - x) < 0.12 && Math.abs(otherY - y) < 0.12)) {
        x += 0.12;
        if (x > 0.95) [x, y] = [0.06, y + 0.12];
      }
      taken.push([x, y]);
      const percent = (share) => `${100 * share}%`;
      Object.assign(place.style, { left: percent(x), top: percent(y) });
      place.className = "placed";
      return place;
    });
  };

  const showResult = ({ html, took, id }) => {
    const focus = document.activeElement?.dataset?.focus;
    const answer = $("answer");
    answer.innerHTML = html;
    const meal = answer.querySelector(".meal");
    showPhotos(answer);
    window.showSamples(answer);
    $("timing").hidden = false;
    $("timing").replaceChildren(`Answered in ${Math.round(took)} ms. Request ID: `, element("code", id ?? "unknown"));
    $("news").textContent = meal.dataset.summary;
    text.placeholder = meal.dataset.hint;
    if (focus) {
      // What was used is at the same place, or it is gone with its item.
      const again = answer.querySelector(`[data-focus="${focus}"]`) ?? answer.querySelector(`[data-focus="amount-${focus.split("-")[1]}"]`);
      (again ?? text).focus({ preventScroll: true });
    }
    remember(meal);
  };

  const showConversation = () => {
    $("conversation").replaceChildren(...messages.map(({ text, photos }) => {
      const thumbs = (photos ?? []).map(({ shown }) => {
        const picture = element("img");
        picture.src = shown;
        picture.alt = "photo";
        return picture;
      });
      return element("li", [...thumbs, ...(text ? [element("span", text)] : [])]);
    }));
    const isNew = messages.length === 0;
    form.classList.toggle("later", !isNew);
    text.rows = isNew ? 2 : 1;
    $("undo").hidden = isNew;
    $("new-meal").hidden = isNew;
    $("link").hidden = isNew || link() === null;
    $("text-label").textContent = isNew ? "What did you eat?" : "Correct it or add something";
    if (isNew) text.placeholder = "two scrambled eggs and a large latte";
    $("send").textContent = isNew ? "Estimate" : "Send";
    $("start").hidden = !isNew;
    $("result").hidden = isNew;
  };

  const showError = (message, hasEnded) => {
    $("text-error").textContent = message;
    if (hasEnded) {
      const link = element("a", "Sign in");
      link.href = `${here.slice(0, -"/playground".length)}/sign-in?next=%2Fplayground`;
      $("text-error").append(" ", link);
    }
    text.closest(".field").classList.toggle("wrong", message !== "");
  };

  // Links and history. Photos are not part of either: the server keeps them for a day only.

  /** Returns the part of the URL that opens the conversation again, or null if it has photos or is too long. */
  const link = () => {
    if (messages.length === 0 || messages.some(({ photos }) => photos?.length)) return null;
    const said = messages.map(({ text, correction }) => (correction ? { text, correction } : text));
    const packed = `#meal=${encodeURIComponent(JSON.stringify(said))}`;
    return packed.length <= maxLink ? packed : null;
  };

  const unpack = (packed) => {
    try {
      const said = JSON.parse(decodeURIComponent(packed.slice("#meal=".length)));
      if (!Array.isArray(said) || said.length > 50) return [];
      return said.map((one) => (typeof one === "string" ? { text: one } : { text: String(one.text), correction: one.correction }));
    } catch { return []; }
  };

  const recent = {
    read() {
      try { return JSON.parse(localStorage.getItem("meals")) ?? []; } catch { return []; }
    },
    write(meals) {
      try { localStorage.setItem("meals", JSON.stringify(meals)); } catch { /* storage is blocked: nothing is remembered */ }
      this.show();
    },
    show() {
      const meals = this.read();
      $("history").hidden = meals.length === 0;
      $("recent").replaceChildren(...meals.map(({ title, calories, link }) => {
        const open = element("a", [element("span", title), element("span", `${calories} kcal`, "muted")]);
        open.href = link;
        return element("li", [open]);
      }));
    },
  };

  const remember = (meal) => {
    const packed = link();
    const clean = location.pathname + (packed ?? "");
    history.replaceState(null, "", clean);
    const calories = meal.dataset.calories;
    if (!packed || !meal.querySelector(".item")) return;
    const title = messages[0].text;
    const rest = recent.read().filter((one) => one.link !== packed && !packed.startsWith(one.link.slice(0, -3)));
    recent.write([{ title, calories, link: packed }, ...rest].slice(0, maxHistory));
  };

  // Actions.

  const exclusively = async (work) => {
    if (isBusy) return;
    isBusy = true;
    $("send").disabled = true;
    $("result").setAttribute("aria-busy", "true");
    showError("");
    try {
      await work();
      try { sessionStorage.removeItem("draft"); } catch { /* as above */ }
    } catch (error) {
      showError(error instanceof TypeError ? "Cannot reach the server. Is it running?" : error.message, error.hasEnded);
      if (error.hasEnded) try { sessionStorage.setItem("draft", text.value); } catch { /* as above */ }
    } finally {
      isBusy = false;
      $("send").disabled = false;
      $("result").removeAttribute("aria-busy");
      $("busy").hidden = true;
    }
  };

  const send = async (next) => {
    const result = await estimate(next);
    messages = next;
    showConversation();
    showResult(result);
  };

  /** Corrects an item; `says` is what the conversation shows. */
  const correct = (item, changes, says) =>
    exclusively(() => send([...messages, { text: says, correction: { type: "correction", item, ...changes } }]));

  const change = (input) => {
    const item = input.closest(".item");
    const quantity = Number(input.value);
    if (input.value.trim() === "" || !(quantity >= 0 && quantity <= 100_000)) {
      input.value = input.defaultValue;
      showError("Enter a number from 0 to 100,000. 0 removes the food.");
      return;
    }
    const { name, unit } = item.dataset;
    correct(Number(input.dataset.item), { quantity }, quantity === 0 ? `Removed: ${name}` : `${name}: ${number(quantity)} ${unit}`);
  };

  $("answer").addEventListener("change", (event) => {
    if (event.target.matches("[data-item]")) change(event.target);
  });
  $("answer").addEventListener("click", (event) => {
    const button = event.target.closest("button[data-food]");
    if (!button) return;
    const { item, food, says } = button.dataset;
    correct(Number(item), { food_id: food }, `${button.closest(".item").dataset.name} → ${says}`);
  });
  for (const box of document.querySelectorAll("[name=include]")) {
    box.addEventListener("change", () => { if (messages.length > 0) exclusively(() => send(messages)); });
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    exclusively(async () => {
      const typed = text.value.trim();
      if (!typed && photos.length === 0) {
        text.focus();
        throw new Error("Describe what you ate.");
      }
      $("busy").hidden = photos.length === 0;
      const sent = [];
      for (const { file, shown } of photos) sent.push({ url: await upload(file), shown });
      await send([...messages, { text: typed, photos: sent }]);
      text.value = "";
      photos = [];
      showThumbs();
      text.focus({ preventScroll: true });
    });
  });
  text.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    form.requestSubmit();
  });
  $("undo").addEventListener("click", () => exclusively(async () => {
    const next = messages.slice(0, -1);
    const last = messages.at(-1);
    text.value = last && !last.correction ? last.text : "";
    if (next.length > 0) return send(next);
    clear();
  }));
  const clear = () => {
    messages = [];
    showError("");
    showConversation();
    $("timing").hidden = true;
    history.replaceState(null, "", location.pathname);
    text.focus();
  };
  $("new-meal").addEventListener("click", () => {
    text.value = "";
    photos = [];
    showThumbs();
    clear();
  });
  $("link").addEventListener("click", async () => {
    const url = location.origin + location.pathname + link();
    try { await navigator.clipboard.writeText(url); $("link").textContent = "Link copied"; } catch { location.hash = link().slice(1); }
    setTimeout(() => { $("link").textContent = "Copy link"; }, 2000);
  });
  $("forget").addEventListener("click", () => {
    recent.write([]);
    text.focus();
  });
  for (const meal of document.querySelectorAll("#meals a")) {
    meal.addEventListener("click", (event) => {
      event.preventDefault();
      text.value = meal.textContent;
      form.requestSubmit();
    });
  }

  // Photos.

  const upload = async (file) => {
    const response = await call("photo", { headers: { "Content-Type": file.type }, body: file });
    return (await response.json()).url;
  };

  const showThumbs = () => {
    $("photo").value = "";
    $("photos-shown").hidden = photos.length === 0;
    $("photos-shown").replaceChildren(...photos.map(({ shown }, index) => {
      const picture = element("img");
      picture.src = shown;
      picture.alt = `Photo ${index + 1}`;
      const remove = element("button", "Remove", "quiet small");
      remove.type = "button";
      remove.setAttribute("aria-label", `Remove photo ${index + 1}`);
      remove.addEventListener("click", () => {
        photos.splice(index, 1);
        showThumbs();
        text.focus();
      });
      return element("figure", [picture, remove]);
    }));
    $("photo-label").lastChild.textContent = photos.length === 0 ? "Add photo" : "Add another photo";
  };

  const takePhotos = (files) => exclusively(async () => {
    for (const file of files) {
      if (photos.length >= maxPhotos) throw new Error(`A meal can have at most ${maxPhotos} photos.`);
      if (!["image/jpeg", "image/png", "image/webp"].includes(file.type)) throw new Error("Use a JPEG, PNG or WebP photo.");
      if (file.size > maxPhotoBytes) throw new Error("The photo is larger than 10 MB. Choose a smaller one.");
      try { (await createImageBitmap(file)).close(); } catch { throw new Error("This image cannot be read."); }
      photos.push({ file, shown: URL.createObjectURL(file) });
    }
    showThumbs();
    text.focus();
  });

  $("photo-row").hidden = false;
  $("photo").addEventListener("change", () => takePhotos([...$("photo").files]));
  addEventListener("paste", (event) => {
    const files = [...event.clipboardData?.files ?? []];
    if (files.length === 0) return;
    event.preventDefault();
    takePhotos(files);
  });
  form.addEventListener("dragover", (event) => {
    event.preventDefault();
    form.classList.add("over");
  });
  form.addEventListener("dragleave", () => form.classList.remove("over"));
  form.addEventListener("drop", (event) => {
    event.preventDefault();
    form.classList.remove("over");
    takePhotos([...event.dataTransfer.files]);
  });

  // Continues a conversation that began without scripts, or opens the meal of a link.

  const open = () => {
    const said = location.hash.startsWith("#meal=") ? unpack(location.hash) : [];
    if (said.length > 0) exclusively(() => send(said));
  };
  addEventListener("hashchange", open);
  for (const part of document.querySelectorAll("[data-with-script]")) part.hidden = false;
  recent.show();
  const begun = [...form.querySelectorAll("input[name=messages]")];
  for (const input of begun) input.remove();
  try { text.value ||= sessionStorage.getItem("draft") ?? ""; } catch { /* as above */ }
  if (begun.length > 0) exclusively(() => send(begun.map((input) => ({ text: input.value }))));
  else if (location.hash.startsWith("#meal=")) open();
  else if (text.value.trim() && location.search) form.requestSubmit();
})();
