// The button that switches between the light theme, the dark theme and that of
// the system. theme.ts applies the choice when the page is loaded again.
import { useEffect, useState } from "preact/hooks";
import { Icon } from "../components/components.ts";

const THEMES = ["system", "light", "dark"] as const;
type Theme = (typeof THEMES)[number];
const CHANGED = "theme-changed";

function chosenTheme(): Theme {
  return THEMES.find((theme) => theme === localStorage.getItem("theme")) ?? "system";
}

export function nextTheme(): void {
  const theme = THEMES[(THEMES.indexOf(chosenTheme()) + 1) % THEMES.length]!;
  if (theme === "system") {
    localStorage.removeItem("theme");
    delete document.documentElement.dataset["theme"];
  } else {
    localStorage.setItem("theme", theme);
    document.documentElement.dataset["theme"] = theme;
  }
  dispatchEvent(new Event(CHANGED));
}

export function ThemeSwitch() {
  const [theme, setTheme] = useState(chosenTheme);
  useEffect(() => {
    const onChange = () => setTheme(chosenTheme());
    addEventListener(CHANGED, onChange);
    return () => removeEventListener(CHANGED, onChange);
  }, []);
  return (
    <button
      type="button"
      class="quiet theme-switch"
      onClick={nextTheme}
      aria-label={`Theme: ${theme}`}
      title={`Theme: ${theme}`}
    >
      <Icon name={theme} />
      <span>{`Theme: ${theme}`}</span>
    </button>
  );
}
