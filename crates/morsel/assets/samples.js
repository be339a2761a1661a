// Code samples in tabs, with a copy button: `showSamples(element)` does it for what a script has put into the page. The chosen
// tab is remembered. Without scripts all samples are shown one below the other.
(() => {
  "use strict";

  let chosen = null;
  try { chosen = localStorage.getItem("sample"); } catch { /* storage is blocked: not remembered */ }

  const button = (label, action) => {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = label;
    made.addEventListener("click", () => action(made));
    return made;
  };

  const choose = (group, language) => {
    const samples = [...group.querySelectorAll(".sample")];
    const shown = samples.find((sample) => sample.dataset.language === language) ?? samples[0];
    for (const sample of samples) sample.hidden = sample !== shown;
    for (const tab of group.querySelectorAll("[aria-pressed]")) {
      tab.setAttribute("aria-pressed", String(tab.textContent === shown.dataset.language));
    }
  };

  window.showSamples = (root) => {
    for (const group of root.querySelectorAll(".codes:not(.chosen)")) {
      const bar = document.createElement("div");
      bar.className = "languages";
      bar.setAttribute("role", "group");
      bar.setAttribute("aria-label", "Sample");
      for (const { dataset } of group.querySelectorAll(".sample")) {
        const tab = button(dataset.language, () => {
          chosen = dataset.language;
          choose(group, chosen);
          try { localStorage.setItem("sample", chosen); } catch { /* as above */ }
        });
        tab.setAttribute("aria-pressed", "false");
        tab.dataset.focus = `sample-${dataset.language}`;
        bar.append(tab);
      }
      const copy = button("Copy", async (self) => {
        const code = group.querySelector(".sample:not([hidden]) code");
        try {
          await navigator.clipboard.writeText(code.textContent);
          self.textContent = "Copied";
        } catch {
          // The clipboard needs https or localhost; elsewhere the text is selected so that Ctrl+C works.
          getSelection().selectAllChildren(code);
          self.textContent = "Press Ctrl+C";
        }
        setTimeout(() => { self.textContent = "Copy"; }, 2000);
      });
      copy.className = "copy";
      bar.append(copy);
      group.prepend(bar);
      group.classList.add("chosen");
      choose(group, chosen);
    }
  };
  window.showSamples(document);
})();
