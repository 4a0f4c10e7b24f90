// Runs before anything is painted: the theme, and the language in which Gradio labels its own parts.
(() => {
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");
  const words = window.zwrotnica;

  const chosen = () => {
    try {
      return localStorage.getItem("theme") ?? "system";
    } catch {
      return "system";
    }
  };
  const isDark = () => (chosen() === "system" ? system.matches : chosen() === "dark");
  const apply = () => {
    const dark = isDark();
    root.classList.toggle("dark", dark);
    if (document.body && document.body.classList.contains("dark") !== dark) {
      document.body.classList.toggle("dark", dark);
    }
  };

  words.theme = () => chosen();
  words.chooseTheme = (name) => {
    try {
      localStorage.setItem("theme", name);
    } catch {
      // Storage may be closed to pages; the choice then lasts until the page is left.
    }
    apply();
  };
  system.addEventListener("change", apply);
  apply();
  document.addEventListener("DOMContentLoaded", () => {
    apply();
    // Gradio follows the system alone and sets the class itself.
    new MutationObserver(apply).observe(document.body, { attributeFilter: ["class"] });
  });

  // Gradio would close its streams here and write each of them to the console as an error; the
  // browser closes them anyway.
  addEventListener("beforeunload", (event) => event.stopImmediatePropagation());

  root.classList.toggle("has-messages", new URLSearchParams(location.search).has("c"));
  Object.defineProperty(navigator, "language", { get: () => words.language });
  Object.defineProperty(navigator, "languages", { get: () => [words.language] });
})();
