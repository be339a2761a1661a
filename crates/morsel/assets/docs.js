// Code samples: a copy button; the chosen language applies to all samples and is remembered. Also highlights the current
// section in the table of contents, and puts the cursor into the search field when “/” is pressed.
(() => {
  "use strict";

  const copying = (source) => {
    const made = document.createElement("button");
    made.type = "button";
    made.className = "copy";
    made.textContent = "Copy";
    made.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(source().textContent);
        made.textContent = "Copied";
      } catch {
        // The clipboard needs https or localhost; elsewhere the text is selected so that Ctrl+C works.
        getSelection().selectAllChildren(source());
        made.textContent = "Press Ctrl+C";
      }
      setTimeout(() => { made.textContent = "Copy"; }, 2000);
    });
    return made;
  };

  const groups = [...document.querySelectorAll(".samples")];
  const choose = (language) => {
    for (const input of document.querySelectorAll(".languages input")) {
      if (input.value === language) input.checked = true;
    }
  };
  for (const group of groups) {
    const bar = group.querySelector(".languages");
    bar.addEventListener("change", (event) => {
      const top = bar.getBoundingClientRect().top;
      choose(event.target.value);
      // Samples above may have changed their height: keep the scroll position.
      scrollBy(0, bar.getBoundingClientRect().top - top);
      try { localStorage.setItem("language", event.target.value); } catch { /* storage is blocked: not remembered */ }
    });
    const shown = () => group.querySelector(`[data-language="${bar.querySelector(":checked").value}"] code`);
    bar.append(copying(shown));
  }
  try { choose(localStorage.getItem("language")); } catch { /* storage is blocked: use the default */ }

  for (const sample of document.querySelectorAll(".sample")) {
    if (!sample.closest(".samples")) {
      sample.querySelector("figcaption").append(copying(() => sample.querySelector("code")));
    }
  }

  const search = document.getElementById("docs-q");
  if (search) {
    document.querySelector(".key-hint").hidden = false;
    document.addEventListener("keydown", (event) => {
      const isTyping = event.target.closest?.("input, textarea, select, [contenteditable]");
      if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      search.focus();
      search.select();
    });
  }

  const links = new Map([...document.querySelectorAll(".contents a")].map((link) => [link.hash.slice(1), link]));
  const headings = [...document.querySelectorAll(".prose [id]")].filter((heading) => links.has(heading.id));
  if (!headings.length) return;
  let isScheduled = false;
  const mark = () => {
    isScheduled = false;
    const here = headings.filter((heading) => heading.getBoundingClientRect().top < 120).pop() ?? headings[0];
    for (const link of links.values()) link.removeAttribute("aria-current");
    links.get(here.id).setAttribute("aria-current", "true");
  };
  addEventListener("scroll", () => {
    if (!isScheduled) requestAnimationFrame(mark);
    isScheduled = true;
  }, { passive: true });
  mark();
})();
