// Code samples: a copy button, and tabs where a sample comes in several languages. The chosen language applies to all
// samples. Also highlights the current section in the table of contents.
(() => {
  "use strict";

  const button = (label, action) => {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = label;
    made.addEventListener("click", () => action(made));
    return made;
  };

  const copying = (source) => {
    const made = button("Copy", async (self) => {
      try {
        await navigator.clipboard.writeText(source().textContent);
        self.textContent = "Copied";
      } catch {
        // The clipboard needs https or localhost; elsewhere the text is selected so that Ctrl+C works.
        getSelection().selectAllChildren(source());
        self.textContent = "Press Ctrl+C";
      }
      setTimeout(() => { self.textContent = "Copy"; }, 2000);
    });
    made.className = "copy";
    return made;
  };

  const groups = [...document.querySelectorAll(".samples")];
  const choose = (language) => {
    for (const group of groups) {
      const samples = [...group.querySelectorAll(".sample")];
      const chosen = samples.find((sample) => sample.dataset.language === language) ?? samples[0];
      for (const sample of samples) sample.hidden = sample !== chosen;
      for (const tab of group.querySelectorAll("[aria-pressed]")) {
        tab.setAttribute("aria-pressed", String(tab.textContent === chosen.dataset.language));
      }
    }
  };
  for (const group of groups) {
    const bar = document.createElement("div");
    bar.className = "languages";
    bar.setAttribute("role", "group");
    bar.setAttribute("aria-label", "Language");
    for (const sample of group.querySelectorAll(".sample")) {
      const tab = button(sample.dataset.language, (self) => {
        const top = self.getBoundingClientRect().top;
        choose(sample.dataset.language);
        // Samples above may have changed their height: keep the scroll position.
        scrollBy(0, self.getBoundingClientRect().top - top);
        try { localStorage.setItem("language", sample.dataset.language); } catch { /* storage is blocked: not remembered */ }
      });
      tab.setAttribute("aria-pressed", "false");
      bar.append(tab);
    }
    bar.append(copying(() => group.querySelector(".sample:not([hidden]) code")));
    group.prepend(bar);
    group.classList.add("chosen");
  }
  let stored = null;
  try { stored = localStorage.getItem("language"); } catch { /* storage is blocked: use the default */ }
  choose(stored ?? "curl");

  for (const sample of document.querySelectorAll(".sample")) {
    if (!sample.closest(".samples")) {
      sample.querySelector("figcaption").append(copying(() => sample.querySelector("code")));
    }
  }

  const links = new Map([...document.querySelectorAll(".contents a")].map((link) => [link.hash.slice(1), link]));
  const headings = [...document.querySelectorAll(".prose [id]")].filter((heading) => links.has(heading.id));
  let isScheduled = false;
  const mark = () => {
    isScheduled = false;
    const here = headings.filter((heading) => heading.getBoundingClientRect().top < 120).pop() ?? headings[0];
    for (const link of links.values()) link.removeAttribute("aria-current");
    if (here) links.get(here.id).setAttribute("aria-current", "true");
  };
  addEventListener("scroll", () => {
    if (!isScheduled) requestAnimationFrame(mark);
    isScheduled = true;
  }, { passive: true });
  mark();
})();
