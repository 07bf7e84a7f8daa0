// Applies the chosen theme before the first paint: a script of its own in the
// head of index.html. theme-switch.tsx is where the theme is chosen.
{
  const chosen = localStorage.getItem("theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset["theme"] = chosen;
}
