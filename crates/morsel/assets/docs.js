// Code samples: a button that copies, and where a sample is there in several languages, one at a time. The language that
// is chosen once is kept for all samples. Also marks where the reader is in the table of contents.
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
        // Only https and localhost have a clipboard; elsewhere the text is selected, ready for the keyboard.
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
    bar.setAttribute("aria-label", "Language of the sample");
    for (const sample of group.querySelectorAll(".sample")) {
      const tab = button(sample.dataset.language, (self) => {
        const top = self.getBoundingClientRect().top;
        choose(sample.dataset.language);
        // Samples above may have changed their height: what is being read stays where it is.
        scrollBy(0, self.getBoundingClientRect().top - top);
        try { localStorage.setItem("language", sample.dataset.language); } catch { /* not kept, then */ }
      });
      tab.setAttribute("aria-pressed", "false");
      bar.append(tab);
    }
    bar.append(copying(() => group.querySelector(".sample:not([hidden]) code")));
    group.prepend(bar);
    group.classList.add("chosen");
  }
  let kept = null;
  try { kept = localStorage.getItem("language"); } catch { /* the first, then */ }
  choose(kept ?? "curl");

  for (const sample of document.querySelectorAll(".sample")) {
    if (!sample.closest(".samples")) {
      sample.querySelector("figcaption").append(copying(() => sample.querySelector("code")));
    }
  }

  const links = new Map([...document.querySelectorAll(".contents a")].map((link) => [link.hash.slice(1), link]));
  const headings = [...document.querySelectorAll(".prose [id]")].filter((heading) => links.has(heading.id));
  let waits = false;
  const mark = () => {
    waits = false;
    const here = headings.filter((heading) => heading.getBoundingClientRect().top < 120).pop() ?? headings[0];
    for (const link of links.values()) link.removeAttribute("aria-current");
    if (here) links.get(here.id).setAttribute("aria-current", "true");
  };
  addEventListener("scroll", () => {
    if (!waits) requestAnimationFrame(mark);
    waits = true;
  }, { passive: true });
  mark();
})();
