// The command palette: ⌘K or Ctrl+K finds pages, endpoints, error codes, sections of the guide, foods and recipes.
(() => {
  "use strict";

  const source = document.currentScript.dataset.path;
  const pause = 120;
  const isMac = /Mac|iPhone|iPad/.test(navigator.platform);
  let dialog, field, list, pending, timer;
  let entries = [];
  let chosen = 0;

  const element = (name, className, text) => {
    const made = document.createElement(name);
    if (className) made.className = className;
    if (text !== undefined) made.textContent = text;
    return made;
  };

  const choose = (at) => {
    if (!entries.length) return;
    chosen = (at + entries.length) % entries.length;
    [...list.children].forEach((row, index) => row.setAttribute("aria-selected", String(index === chosen)));
    field.setAttribute("aria-activedescendant", `palette-${chosen}`);
    list.children[chosen].scrollIntoView({ block: "nearest" });
  };

  const follow = (at, inNewTab) => {
    const entry = entries[at];
    if (!entry) return;
    if (inNewTab) return void open(entry.href, "_blank", "noopener");
    dialog.close();
    location.assign(entry.href);
  };

  const show = (found) => {
    entries = found;
    list.replaceChildren(...found.map((entry, at) => {
      const row = element("li");
      row.id = `palette-${at}`;
      row.setAttribute("role", "option");
      row.append(element("span", "kind", entry.kind), element("span", "title", entry.title));
      if (entry.detail) row.append(element("span", "detail", entry.detail));
      row.addEventListener("pointermove", () => { if (chosen !== at) choose(at); });
      row.addEventListener("click", (event) => follow(at, event.ctrlKey || event.metaKey));
      return row;
    }));
    if (found.length) return choose(0);
    const none = element("li", "empty-result", "Nothing found.");
    none.setAttribute("role", "option");
    none.setAttribute("aria-disabled", "true");
    list.append(none);
    field.removeAttribute("aria-activedescendant");
  };

  const search = async () => {
    pending?.abort();
    pending = new AbortController();
    try {
      const query = new URLSearchParams({ q: field.value.trim() });
      const response = await fetch(`${source}?${query}`, { signal: pending.signal, headers: { Accept: "application/json" } });
      if (response.ok) show(await response.json());
    } catch (error) {
      // A newer search replaced this one, or the server is unreachable.
      if (error.name !== "AbortError") console.warn(error.message);
    }
  };

  const build = () => {
    dialog = element("dialog", "palette");
    dialog.setAttribute("aria-label", "Search everything");
    field = element("input");
    field.type = "search";
    field.placeholder = "Search pages, endpoints, errors, foods, recipes";
    field.autocomplete = "off";
    for (const [name, value] of [["role", "combobox"], ["aria-label", "Search"], ["aria-expanded", "true"], ["aria-controls", "palette-list"]]) {
      field.setAttribute(name, value);
    }
    list = element("ul");
    list.id = "palette-list";
    list.setAttribute("role", "listbox");
    list.setAttribute("aria-label", "Results");
    const keys = element("footer");
    for (const [key, does] of [["↑↓", "choose"], ["↵", "open"], ["esc", "close"]]) {
      const hint = element("span");
      hint.append(element("kbd", "", key), ` ${does}`);
      keys.append(hint);
    }
    dialog.append(field, list, keys);
    document.body.append(dialog);
    field.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(search, pause);
    });
    field.addEventListener("keydown", (event) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (step) choose(chosen + step);
      else if (event.key === "Enter") follow(chosen, event.ctrlKey || event.metaKey);
      else return;
      event.preventDefault();
    });
    dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
  };

  const toggle = () => {
    if (!dialog) build();
    if (dialog.open) return dialog.close();
    field.value = "";
    dialog.showModal();
    search();
  };

  document.addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() !== "k" || !(isMac ? event.metaKey : event.ctrlKey) || event.shiftKey || event.altKey) return;
    event.preventDefault();
    toggle();
  });

  const opener = element("button", "palette-open");
  opener.type = "button";
  opener.append("Search", element("kbd", "", isMac ? "⌘K" : "Ctrl K"));
  opener.addEventListener("click", toggle);
  document.querySelector(".top .brand")?.after(opener);
})();
