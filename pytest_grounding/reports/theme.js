"use strict";
(() => {
  const name = "pytest-grounding-theme";
  const root = document.documentElement, dark = matchMedia("(prefers-color-scheme: dark)");

  // A page that is opened from a file may have no storage at all; then a choice lasts as long as the page.
  function stored(use) {
    try { return use(localStorage); } catch { return null; }
  }

  // Before anything is drawn, so that the page never shows itself in the other theme first.
  const kept = stored((storage) => storage.getItem(name));
  if (kept === "light" || kept === "dark") root.dataset.theme = kept;

  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : dark.matches);

  document.addEventListener("DOMContentLoaded", () => {
    const button = document.getElementById("theme");
    const say = () => button.setAttribute("aria-pressed", String(isDark()));
    button.hidden = false;
    button.addEventListener("click", () => {
      const wanted = isDark() ? "light" : "dark";
      // What the system says needs no memory, and is followed again when the system changes.
      if ((wanted === "dark") === dark.matches) {
        delete root.dataset.theme;
        stored((storage) => storage.removeItem(name));
      } else {
        root.dataset.theme = wanted;
        stored((storage) => storage.setItem(name, wanted));
      }
      say();
    });
    dark.addEventListener("change", say);
    say();
  });
})();
