// The first steps turn green by themselves: the page asks every two seconds what has happened, while somebody looks at it.
(() => {
  "use strict";

  const list = document.querySelector("[data-steps]");
  if (!list) return;
  const news = document.getElementById("steps-news");
  const every = 2000;
  for (const hint of list.querySelectorAll(".waiting")) hint.hidden = false;

  const ask = async () => {
    if (document.hidden) return;
    const response = await fetch(list.dataset.path, { headers: { Accept: "application/json" } });
    if (!response.ok) return;
    const done = await response.json();
    for (const step of list.querySelectorAll("[data-step]")) {
      if (!done[step.dataset.step] || step.classList.contains("done")) continue;
      step.classList.add("done");
      news.textContent = `Done: ${step.querySelector("h3").firstChild.textContent.trim()}`;
    }
    if (!list.querySelector(".step:not(.done)")) clearInterval(timer);
  };
  const timer = setInterval(() => ask().catch(() => { /* the server is away: ask again later */ }), every);
  document.addEventListener("visibilitychange", () => ask().catch(() => {}));
})();
