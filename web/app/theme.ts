// Which theme the person chose, before the first paint: a script of its own,
// in the head of the document. theme-switch.tsx lets them choose.
{
  const chosen = localStorage.getItem("theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset["theme"] = chosen;
}
